import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bytes,
  clock,
  count,
  duration,
  milliseconds,
  percent,
  percentUp,
  rate,
  seconds,
  signedPercent,
  timeChange,
} from '../../../src/views/drawing/format.ts'
import { timeStep, timeTicks } from '../../../src/views/drawing/timeTicks.ts'

describe('durations', () => {
  test.each([
    [0, '0 µs'],
    [850, '850 µs'],
    [999.6, '1 ms'],
    [4_000, '4 ms'],
    [3_600, '3.6 ms'],
    [12_345, '12.3 ms'],
    [999_600, '1 s'],
    [1_043_000, '1.04 s'],
    [59_940_000, '59.9 s'],
    [59_960_000, '60 s'],
    [110_000_000, '110 s'],
    [599_400_000, '599 s'],
    [599_600_000, '10 min 00 s'],
    [725_000_000, '12 min 05 s'],
    [3_599_600_000, '1 h 00 min'],
    [3_720_000_000, '1 h 02 min'],
    [-4_000, '−4 ms'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('%d microseconds read %s', (us, words) => expect(duration(us)).toBe(words))

  test('as bounds are never on the wrong side, and as near as three digits allow', () => {
    const unit: Record<string, number> = { µs: 1, ms: 1e3, s: 1e6, min: 6e7, h: 36e8 }
    const read = (text: string) =>
      [...text.matchAll(/([\d.,]+) (µs|ms|s|min|h)/g)].reduce(
        (sum, [, x, of]) => sum + Number(x.replace(',', '')) * unit[of],
        0,
      )
    const times = fc.oneof(fc.double({ min: 1, max: 1e10, noNaN: true }), fc.integer({ min: 1, max: 1_000_000 }))
    fc.assert(
      fc.property(times, (us) => {
        const [least, most] = [Math.floor, Math.ceil].map((round) => read(duration(us, round)))
        expect(least).toBeLessThanOrEqual(us * (1 + 1e-12))
        expect(most).toBeGreaterThanOrEqual(us * (1 - 1e-12))
        expect(most - least).toBeLessThan(0.017 * us)
      }),
    )
  })

  test('and shares are rounded up as upper bounds', () => {
    expect([0.03948, 0.05, 0].map(percentUp)).toEqual(['4.0%', '5.0%', '0.0%'])
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        expect(parseFloat(percentUp(share))).toBeGreaterThanOrEqual(100 * share - 1e-6)
      }),
    )
  })

  test.each([
    [0, '0.000 s'],
    [1_043_400, '1.043 s'],
    [59_999_600, '60.000 s'],
    [125_250_000, '125.250 s'],
    [599_999_600, '10 min 00.000 s'],
    [725_250_000, '12 min 05.250 s'],
    [3_725_250_000, '1 h 02 min 05.250 s'],
  ])('the clock at %d microseconds reads %s', (us, words) => expect(clock(us)).toBe(words))

  test('captions and columns keep their digits', () => {
    expect(seconds(1_043_000)).toBe('1.04 s')
    expect(milliseconds(12_000)).toBe('12.0')
    expect(milliseconds(Number.NaN)).toBe('–')
  })
})

test('counts, shares, rates and sizes are English in every locale', () => {
  expect(count(1268)).toBe('1,268')
  expect(percent(0.273)).toBe('27.3%')
  expect(signedPercent(0.0271)).toBe('+2.7%')
  expect(signedPercent(-0.5)).toBe('−50.0%')
  expect([0.5, 1.027, 1.9999, 2, 5.266].map(timeChange)).toEqual([
    '−50.0%',
    '+2.7%',
    '+100.0%',
    '2.0 times as long',
    '5.3 times as long',
  ])
  expect(rate(260)).toBe('260/s')
  expect(rate(0.5)).toBe('0.5/s')
  expect(rate(12_400)).toBe('12,400/s')
  expect(bytes(3_400_000)).toBe('3.4 MB')
  expect(bytes(999)).toBe('999 B')
  expect(bytes(999_900)).toBe('1 MB')
})

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

  test('are at most one more than requested, over any range', () => {
    for (let span = 1; span < 2 ** 52; span *= 1.7) {
      for (const most of [2, 5, 9]) {
        const all = timeTicks(span / 3, span / 3 + span, most)
        expect(all.length).toBeLessThanOrEqual(most + 1)
        expect(new Set(all.map((tick) => tick.label)).size).toBe(all.length)
      }
    }
  })

  test('follow a clock face from ten seconds on, and whole days after half a day', () => {
    const steps = [2.1, 5, 5.1, 40, 100, 700, 40_000, 50_000, 250_000].map((seconds) => timeStep(seconds * 1e6) / 1e6)
    expect(steps).toEqual([5, 5, 10, 60, 120, 900, 43_200, 86_400, 5 * 86_400])
  })
})
