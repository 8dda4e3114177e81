import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { samplesOf } from '../../../../src/features/logs/fit/samples.ts'
import { createLog, noteCounts, pushLogRow, type SystemLog } from '../../../../src/features/logs/read/log.ts'
import { createChance } from '../../../fixtures/chance.ts'

interface LogRow {
  readonly time: number
  readonly stage: number
  readonly queue: number
  readonly service: number
  readonly workers: number
  readonly completed?: number | undefined
  readonly arrivals?: number | undefined
}

/** A log in columns that are longer than it. */
function logOf(stages: readonly string[], rows: readonly LogRow[]): SystemLog {
  const log = createLog()
  log.stages.push(...stages)
  for (const { time, stage, queue, service, workers, completed = Number.NaN, arrivals = Number.NaN } of rows) {
    pushLogRow(log, time, stage, queue, service, workers)
    noteCounts(log, completed, arrivals)
  }
  return log
}

/** Rows of two stages, at each time one or both, at least at twelve times. */
function sparseRows(seed: number): LogRow[] {
  const chance = createChance(seed)
  return Array.from({ length: 14 }, (_, k) => k).flatMap((k) =>
    [0, 1]
      .filter((stage) => stage === k % 2 || chance.percent(30))
      .map((stage) => ({
        time: 10 * k,
        stage,
        queue: chance.below(9),
        service: 1 + chance.below(99),
        workers: chance.below(4) - 1,
      })),
  )
}

/** Rows of one stage at twelve times, counted so. */
function countedRows(counts: readonly (number | undefined)[]) {
  return counts.map(
    (completed, k): LogRow => ({
      time: 10 * k,
      stage: 0,
      queue: k,
      service: 5,
      workers: 1,
      ...(completed !== undefined && { completed }),
    }),
  )
}
const completedOf = (counts: readonly (number | undefined)[]) => {
  const { completed } = samplesOf(logOf(['A'], countedRows(counts)), null).stages[0]
  return completed === null ? null : Array.from(completed)
}

describe('a log by stage and time', () => {
  test('has at every time the last row of each stage, and before its first row that one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const rows = sparseRows(seed)
        fc.pre(rows.some(({ workers }) => workers > 0))
        const { time, stages } = samplesOf(logOf(['A', 'B'], rows), null)
        expect(Array.from(time)).toEqual([...new Set(rows.map((row) => row.time))])
        for (const [s, { name, queue, service, workers, completed, arrivals }] of stages.entries()) {
          const own = rows.filter(({ stage }) => stage === s)
          const at = Array.from(time, (t) => own.filter((row) => row.time <= t).at(-1) ?? own[0])
          expect([name, completed, arrivals]).toEqual(['AB'[s], null, null])
          expect(Array.from(queue)).toEqual(at.map((row) => row.queue))
          expect(Array.from(service)).toEqual(at.map((row) => row.service))
          expect(Array.from(workers)).toEqual(at.map((row) => Math.max(0, row.workers)))
        }
      }),
    )
  })

  test('has its stages in the order that was given', () => {
    const log = logOf(['A', 'B'], [...sparseRows(5), { time: 140, stage: 0, queue: 1, service: 1, workers: 3 }])
    expect(samplesOf(log, ['B', 'A']).stages).toEqual(samplesOf(log, null).stages.slice().reverse())
  })

  test.each([
    ['one that is not there', ['A', 'C'], 'found "A" and "C"; allowed: each of "A" and "B" once'],
    ['one twice', ['A', 'A'], 'found "A" and "A"; allowed: each of "A" and "B" once'],
    ['too few', ['B'], 'found "B"; allowed: each of "A" and "B" once'],
  ])('is refused in an order with %s', (_, order, message) => {
    const log = logOf(['A', 'B'], [...sparseRows(5), { time: 140, stage: 0, queue: 1, service: 1, workers: 3 }])
    expect(() => samplesOf(log, order)).toThrow(expect.objectContaining({ path: '--stages', message }))
  })

  test('has ten times or more, and says how many workers there were', () => {
    expect(samplesOf(logOf(['A'], countedRows(new Array(10).fill(undefined))), null).time).toHaveLength(10)
    const few = countedRows(new Array(9).fill(undefined))
    const message = 'found 9 times; allowed: at least 10'
    expect(() => samplesOf(logOf(['A'], [...few, few[8]]), null)).toThrow(
      expect.objectContaining({ path: 'time', message }),
    )
    const unsaid = countedRows(new Array(12).fill(undefined)).map((row) => ({ ...row, workers: 0 }))
    expect(() => samplesOf(logOf(['A'], unsaid), null)).toThrow(
      expect.objectContaining({ path: 'workers', message: expect.stringContaining('add a column "workers"') }),
    )
  })

  test('is refused where a stage has no row', () => {
    expect(() => samplesOf(logOf(['A', 'B'], countedRows(new Array(12).fill(undefined))), null)).toThrow(
      expect.objectContaining({ path: 'stage', message: '"B" has no valid row' }),
    )
  })
})

describe('jobs that a log counts', () => {
  test('are a sum since the first time, of a counter as of numbers that were counted from time to time', () => {
    const each = [4, 2, 9, 0, 7, 1, 8, 3, 6, 5, 2, 4]
    const sums = each.map((_, k) => each.slice(1, k + 1).reduce((sum, jobs) => sum + jobs, 0))
    expect(completedOf(each)).toEqual(sums)
    expect(completedOf(sums.map((jobs) => 1000 + jobs))).toEqual(sums)
    // Equal numbers at all times are no counter.
    expect(completedOf(new Array(12).fill(3))).toEqual(Array.from({ length: 12 }, (_, k) => 3 * k))
    expect(completedOf([3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3])).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 53])
  })

  test('are unknown if one time lacks them', () => {
    const counts = [4, 2, 9, 0, 7, 1, 8, 3, 6, 5, 2, 4]
    expect(completedOf(counts.map((jobs, k) => (k === 5 ? undefined : jobs)))).toBe(null)
    const arrived = countedRows(counts).map(({ completed, ...row }) => ({ ...row, arrivals: completed }))
    const [{ completed, arrivals }] = samplesOf(logOf(['A'], arrived), null).stages
    expect([completed, Array.from(arrivals ?? [])]).toEqual([null, completedOf(counts)])
  })
})
