import { expect, test } from 'vitest'
import { beganAt, endedAt, FINISHED, kinds, rowTime, setWork } from '../../src/pipeline/rows.ts'
import { constant, playTrace } from '../engine/simulation/play.ts'
import { digestOf } from './digestOf.ts'

test('runs that differ in one number of one row or decision have different digests', async () => {
  const stages = [constant('A', 300), constant('B', 500)]
  const trace = await playTrace({
    source: { kind: 'poisson', rate: 2000, jobs: 8 },
    stages,
    workers: 3,
    switchCost: 10,
  })
  const digest = digestOf(trace)
  const [rows] = trace.chunks
  /** The digest with one number increased by one. */
  const otherwise = (column: { [i: number]: number }, i: number): string => {
    column[i]++
    const other = digestOf(trace)
    column[i]--
    return other
  }
  for (let i = 0; i < trace.length; i++) {
    const { kind, stage, worker, job, elapsed } = rows
    const columns = { kind, stage, worker, job, elapsed }
    for (const [name, column] of Object.entries(columns))
      expect(otherwise(column, i), `${name} of row ${i}, ${kinds[kind[i]]}`).not.toBe(digest)
    if (kind[i] !== FINISHED) continue
    const [time, began, ended] = [rowTime(rows, i), beganAt(rows, i), endedAt(rows, i)]
    for (const work of [
      [began - 1, ended],
      [began, ended - 1],
    ] as const) {
      setWork(rows, i, time, ...work)
      expect(digestOf(trace), `work of row ${i} from ${work[0]} to ${work[1]}`).not.toBe(digest)
    }
    setWork(rows, i, time, began, ended)
  }
  const { row, hash, ends, stage, seats } = trace.decisions
  for (let d = 0; d < trace.decisions.length; d++)
    for (const column of [row, hash, ends]) expect(otherwise(column, d), `decision ${d}`).not.toBe(digest)
  for (let c = 0; c < trace.decisions.changes; c++)
    for (const column of [stage, seats]) expect(otherwise(column, c), `change ${c} of seats`).not.toBe(digest)
  expect(digestOf(trace)).toBe(digest)
})
