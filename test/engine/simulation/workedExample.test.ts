import { expect, test } from 'vitest'
import { endOf, stateBefore } from '../../../src/trace/trace.ts'
import { constant, noted, play } from './play.ts'

const example = {
  source: { kind: 'batch', jobs: 3 },
  stages: [constant('A', 1_000_000), constant('B', 1_000_000)],
  workers: 2,
  policy: { kind: 'leastScore' },
}

test('the worked example runs as in the article: seats (2,0), (1,1), (0,2), three seconds in all', async () => {
  const { trace } = await play(example)
  expect(trace.ending).toBe('drained')
  expect(endOf(trace)).toBe(3_000_000)
  const seats: number[] = []
  const waiting: number[][] = []
  for (let d = 0; d < trace.decisions.length; d++) {
    waiting.push([...stateBefore(trace, trace.decisions.row[d]).counts.waiting])
    seats.push(...stateBefore(trace, trace.decisions.row[d] + 1).seats)
  }
  expect(waiting).toEqual([
    [3, 0],
    [1, 2],
    [0, 2],
  ])
  expect(seats).toEqual([2, 0, 1, 1, 0, 2])
})

test('the worked example row by row', async () => {
  const { trace, rows } = await play(example)
  expect(noted(rows, trace)).toEqual([
    '0 arrived j0',
    '0 arrived j1',
    '0 arrived j2',
    '0 exhausted',
    '0 started A w0 j0',
    '0 started A w1 j1',
    '1000000 finished A w0 j0 (0-1000000)',
    '1000000 finished A w1 j1 (0-1000000)',
    '1000000 started B w1 j0',
    '1000000 started A w0 j2',
    '2000000 finished A w0 j2 (1000000-2000000)',
    '2000000 finished B w1 j0 (1000000-2000000)',
    '2000000 released j0',
    '2000000 started B w1 j1',
    '2000000 started B w0 j2',
    '3000000 finished B w0 j2 (2000000-3000000)',
    '3000000 finished B w1 j1 (2000000-3000000)',
    '3000000 released j2',
    '3000000 released j1',
  ])
})
