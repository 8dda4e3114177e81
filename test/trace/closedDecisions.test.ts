import { expect, test } from 'vitest'
import { catchUp } from '../../src/trace/trace.ts'
import { madeUpTrace } from './madeUpTrace.ts'

test('the room for decisions grows as needed, and none is left once the run has ended', () => {
  const trace = madeUpTrace()
  const rows = () =>
    [trace.decisions.row, trace.decisions.hash, trace.decisions.ends, trace.decisions.stage, trace.decisions.seats].map((column) => column.length)
  trace.decisions.row = Uint32Array.of(...trace.decisions.row, 0, 0)
  const room = rows()
  catchUp(trace)
  expect(rows()).toEqual(room)
  trace.ending = 'stopped'
  catchUp(trace)
  expect(rows()).toEqual([4, 4, 4, 3, 3])
  expect([...trace.decisions.row, ...trace.decisions.hash, ...trace.decisions.ends]).toEqual([0, 2, 2, 5, 0, 7, 14, 21, 0, 1, 3, 3])
  expect([[...trace.decisions.stage], [...trace.decisions.seats]]).toEqual([
    [0, 0, 1],
    [1, 2, 2],
  ])
})
