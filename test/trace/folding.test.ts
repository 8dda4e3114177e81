import { expect, test } from 'vitest'
import { createJournal } from '../../src/pipeline/journal.ts'
import { append, catchUp, followTrace, stateBefore } from '../../src/trace/trace.ts'
import { madeUpTrace } from './madeUpTrace.ts'

test('a follower gets each row once, at most `most` at a time, while the trace grows', () => {
  const trace = madeUpTrace()
  const follower = { rows: 0 }
  const seen: number[] = []
  const follow = () => followTrace(trace, follower, 3, (rows, i, row) => seen.push(rows.job[i], row))
  expect([follow(), follow(), follow(), follow()]).toEqual([false, false, true, true])
  append(trace, { ...createJournal(), rows: madeUpTrace().chunks[0] })
  expect([follow(), follow(), follow()]).toEqual([false, false, true])
  expect(seen).toEqual(Array.from({ length: 16 }, (_, k) => [k % 8, k]).flat())
})

test('a trace is folded in portions, with a checkpoint at every stride, and only as far as requested', () => {
  const trace = madeUpTrace(5000)
  expect([catchUp(trace, 0), trace.folded]).toEqual([false, 0])
  expect([catchUp(trace, 3000), trace.folded, trace.checkpoints.length]).toEqual([false, 3000, 2])
  expect([stateBefore(trace, 3100).counts.arrived, trace.folded]).toEqual([3100, 3100])
  expect([stateBefore(trace, 1000).counts.arrived, trace.folded]).toEqual([1000, 3100])
  expect([catchUp(trace), trace.folded, trace.checkpoints.length]).toEqual([true, 5000, 3])
  expect(trace.checkpoints.map(({ counts, decisions }) => [counts.arrived ?? 0, decisions])).toEqual([
    [0, 0],
    [2048, 4],
    [4096, 4],
  ])
})
