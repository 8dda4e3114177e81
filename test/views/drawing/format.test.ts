import { describe, expect, test } from 'vitest'
import { bytes, clock, count, duration, milliseconds, percent, rate, seconds, signedPercent, ticks } from '../../../src/views/drawing/format.ts'

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
    [59_960_000, '1 min 00 s'],
    [125_000_000, '2 min 05 s'],
    [3_599_600_000, '1 h 00 min'],
    [3_720_000_000, '1 h 02 min'],
    [-4_000, '−4 ms'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('%d microseconds read %s', (us, words) => expect(duration(us)).toBe(words))

  test.each([
    [0, '0.000 s'],
    [1_043_400, '1.043 s'],
    [59_999_600, '1 min 00.000 s'],
    [125_250_000, '2 min 05.250 s'],
    [3_725_250_000, '1 h 02 min 05.250 s'],
  ])('the clock at %d microseconds reads %s', (us, words) => expect(clock(us)).toBe(words))

  test('captions and columns keep their digits', () => {
    expect(seconds(1_043_000)).toBe('1.04 s')
    expect(milliseconds(12_000)).toBe('12.0')
    expect(milliseconds(Number.NaN)).toBe('–')
  })
})

test('counts, shares, rates and sizes are English whatever the locale', () => {
  expect(count(1268)).toBe('1,268')
  expect(percent(0.273)).toBe('27.3%')
  expect(signedPercent(0.0271)).toBe('+2.7%')
  expect(signedPercent(-0.5)).toBe('−50.0%')
  expect(rate(260)).toBe('260/s')
  expect(rate(0.5)).toBe('0.5/s')
  expect(rate(12_400)).toBe('12,400/s')
  expect(bytes(3_400_000)).toBe('3.4 MB')
  expect(bytes(999)).toBe('999 B')
  expect(bytes(999_900)).toBe('1 MB')
})

describe('ticks', () => {
  const labels = (t0: number, t1: number, most: number) => ticks(t0, t1, most).map((tick) => tick.label)

  test('are round and share one unit', () => {
    expect(labels(0, 2_150_000, 8)).toEqual(['0.0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s'])
    expect(labels(0, 3_000_000, 4)).toEqual(['0 s', '1 s', '2 s', '3 s'])
    expect(labels(0, 5_000, 6)).toEqual(['0 ms', '1 ms', '2 ms', '3 ms', '4 ms', '5 ms'])
    expect(labels(1_000_000, 1_001_000, 4)).toEqual(['1.0000 s', '1.0005 s', '1.0010 s'])
    expect(labels(0, 300_000_000, 6)).toEqual(['0:00 min', '1:00 min', '2:00 min', '3:00 min', '4:00 min', '5:00 min'])
    expect(labels(0, 7_200_000_000, 4)).toEqual(['0:00 h', '0:30 h', '1:00 h', '1:30 h', '2:00 h'])
  })

  test('are never more than asked for by more than one, whatever the range', () => {
    for (let span = 1; span < 2 ** 52; span *= 1.7) {
      for (const most of [2, 5, 9]) {
        const all = ticks(span / 3, span / 3 + span, most)
        expect(all.length).toBeLessThanOrEqual(most + 1)
        expect(new Set(all.map((tick) => tick.label)).size).toBe(all.length)
      }
    }
  })
})
