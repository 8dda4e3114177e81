import { describe, expect, test } from 'vitest'
import { bytes, clock, count, duration, milliseconds, percent, rate, seconds, signedPercent } from '../../../src/views/drawing/format.ts'

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
  expect(rate(260)).toBe('260/s')
  expect(rate(0.5)).toBe('0.5/s')
  expect(rate(12_400)).toBe('12,400/s')
  expect(bytes(3_400_000)).toBe('3.4 MB')
  expect(bytes(999)).toBe('999 B')
  expect(bytes(999_900)).toBe('1 MB')
})
