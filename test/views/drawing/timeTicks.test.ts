import { describe, expect, test } from 'vitest'
import { timeStep, timeTicks } from '../../../src/views/drawing/timeTicks.ts'

describe('ticks', () => {
  const labels = (t0: number, t1: number, most: number) => timeTicks(t0, t1, most).map((tick) => tick.label)

  test('are round and share one unit', () => {
    expect(labels(0, 2_150_000, 8)).toEqual(['0.0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s'])
    expect(labels(0, 3_000_000, 4)).toEqual(['0 s', '1 s', '2 s', '3 s'])
    expect(labels(0, 5_000, 6)).toEqual(['0 ms', '1 ms', '2 ms', '3 ms', '4 ms', '5 ms'])
    expect(labels(1_000_000, 1_001_000, 4)).toEqual(['1.0000 s', '1.0005 s', '1.0010 s'])
    expect(labels(0, 300_000_000, 6)).toEqual(['0 s', '60 s', '120 s', '180 s', '240 s', '300 s'])
    expect(labels(0, 900_000_000, 4)).toEqual(['0:00 min', '5:00 min', '10:00 min', '15:00 min'])
    expect(labels(0, 7_200_000_000, 4)).toEqual(['0:00 h', '0:30 h', '1:00 h', '1:30 h', '2:00 h'])
  })

  test('are at most one more than asked for, over any range', () => {
    for (let span = 1; span < 2 ** 52; span *= 1.7) {
      for (const most of [2, 5, 9]) {
        const all = timeTicks(span / 3, span / 3 + span, most)
        expect(all.length).toBeLessThanOrEqual(most + 1)
        expect(new Set(all.map((tick) => tick.label)).size).toBe(all.length)
      }
    }
  })

  test('stand at the steps of a clock face from ten seconds on, and at whole days after half a day', () => {
    const steps = [2.1, 5, 5.1, 40, 100, 700, 40_000, 50_000, 250_000].map((seconds) => timeStep(seconds * 1e6) / 1e6)
    expect(steps).toEqual([5, 5, 10, 60, 120, 900, 43_200, 86_400, 5 * 86_400])
  })
})
