import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateText, logTicks, logTime, roundTimes } from '../../../../src/features/logs/draw/logDrawing.ts'

const SECOND = 1_000_000
const nine = Date.UTC(2026, 2, 2, 9, 0, 7) * 1000

describe('the clock of a log', () => {
  test('shows hours and minutes, seconds if needed, and seconds from the start if the log has no dates', () => {
    expect(logTime(nine, 53 * SECOND)).toBe('09:01')
    expect(logTime(nine, 0)).toBe('09:00:07')
    expect(logTime(nine, 15 * 3600 * SECOND)).toBe('00:00:07')
    expect(logTime(0, 61 * SECOND)).toBe('61.000 s')
    expect(dateText(nine)).toBe('2026-03-02 09:00:07')
  })

  test('has round times within the log, about as many as asked for', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, nine, nine + 40_000 * SECOND),
        fc.integer({ min: 10 * SECOND, max: 90_000 * SECOND }),
        fc.integer({ min: 2, max: 40 }),
        (origin, end, most) => {
          const times = roundTimes(origin, 0, end, most)
          expect(times.length).toBeLessThanOrEqual(most + 1)
          expect(times.every((time, k) => time >= 0 && time <= end && (k === 0 || time > times[k - 1]))).toBe(true)
          const gaps = new Set(times.slice(1).map((time, k) => time - times[k]))
          expect(gaps.size).toBeLessThanOrEqual(1)
          for (const time of times)
            for (const gap of gaps)
              expect((time + (origin % (86_400 * SECOND))) % Math.min(gap, 86_400 * SECOND)).toBe(0)
        },
      ),
    )
    expect(logTicks(nine)(0, 300 * SECOND, 5).map(({ label }) => label)).toEqual([
      '09:01',
      '09:02',
      '09:03',
      '09:04',
      '09:05',
    ])
    expect(logTicks(0)(0, 4 * SECOND, 4).map(({ label }) => label)).toEqual(['0 s', '1 s', '2 s', '3 s', '4 s'])
  })
})
