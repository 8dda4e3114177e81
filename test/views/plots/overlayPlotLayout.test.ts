import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roundLimit, roundLimits, valuePath, xOfTime, yOfValue } from '../../../src/views/plots/overlayPlotLayout.ts'

const band = { x: 40, y: 10, width: 200, height: 50, least: -100, most: 400, end: 1000 }

describe('the plot of a real run over its simulation', () => {
  test('has a round rim, no less than what it shows and less than twice as much', () => {
    for (let value = 1; value < 3000; value++) {
      expect(roundLimit(value)).toBeGreaterThanOrEqual(value)
      expect(roundLimit(value)).toBeLessThan(2 * value + 1)
    }
    expect([1, 2, 11, 16, 205, 247, 251, 1000].map(roundLimit)).toEqual([1, 2, 15, 20, 250, 250, 300, 1000])
  })

  test('holds 0 and every lag, sooner or later', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (times) => {
        const { least, most } = roundLimits(times)
        expect(least).toBeLessThanOrEqual(Math.min(0, ...times))
        expect(most).toBeGreaterThanOrEqual(Math.max(0, ...times))
        expect(most).toBeGreaterThan(least)
      }),
    )
  })

  test('has a value where its axis has it', () => {
    expect([-100, 0, 400].map((value) => yOfValue(band, value))).toEqual([60, 50, 10])
    expect([0, 500, 1000, 2000].map((time) => xOfTime(band, time))).toEqual([40, 140, 240, 240])
  })

  test('joins values by lines, and shows the least and the greatest of those that share a pixel', () => {
    expect(valuePath([], [], band)).toBe('')
    expect(valuePath([0, 500], [0, 400], band)).toBe('M40.5,50.0L140.5,10.0')
    expect(valuePath([0, 1, 2, 3], [0, 400, -100, 50], band)).toBe('M40.5,50.0L40.5,60.0L40.5,10.0L40.5,45.0')
    expect(valuePath([1000], [0], band)).toBe('M239.5,50.0')
  })
})
