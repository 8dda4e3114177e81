import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLog, noteCounts, pushLogRow, type SystemLog, trimLog } from '../../../../src/features/logs/read/log.ts'

/** NaN: missing. */
const counted = fc.oneof(fc.nat(1000), fc.constant(Number.NaN))
const row = fc.record({
  time: fc.nat(1e9),
  stage: fc.nat(3),
  queue: fc.nat(1e6),
  service: fc.integer({ min: 1, max: 1e6 }),
  workers: fc.integer({ min: -1, max: 100 }),
  completed: counted,
  arrivals: counted,
})

test('a log keeps all columns of all rows however long it grows, and a missing count of a row stays missing', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 400 }),
      fc.nat(300),
      (some, length, silent) => {
        const log = createLog()
        // Only rows from `silent` on count anything.
        const rows = Array.from({ length }, (_, i) => ({
          ...some[i % some.length],
          ...(i < silent && { completed: Number.NaN, arrivals: Number.NaN }),
        }))
        for (const { time, stage, queue, service, workers, completed, arrivals } of rows) {
          pushLogRow(log, time, stage, queue, service, workers)
          noteCounts(log, completed, arrivals)
        }
        trimLog(log)
        expect(log.length).toBe(length)
        for (const key of ['time', 'stage', 'queue', 'service', 'workers'] as const)
          expect(Array.from(log[key]), key).toEqual(rows.map((each) => each[key]))
        for (const key of ['completed', 'arrivals'] as const)
          expect(countsIn(log, key), key).toEqual(rows.map((each) => each[key]))
      },
    ),
  )
})

/** A log without a column has no value in any row. */
function countsIn(log: SystemLog, key: 'completed' | 'arrivals'): number[] {
  return Array.from(log[key] ?? new Float64Array(log.length).fill(Number.NaN))
}
