import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountScale } from '../../../src/views/drawing/axis.ts'

describe('a scale of amounts', () => {
  test('contains 0 and every value', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), fc.integer({ min: 1, max: 5 }), (values, parts) => {
        const scale = amountScale(values, 100, 0, parts)
        const [least, most] = scale.domain()
        expect(least).toBeLessThanOrEqual(Math.min(0, ...values))
        expect(most).toBeGreaterThanOrEqual(Math.max(0, ...values))
        expect(most).toBeGreaterThan(least)
      }),
    )
  })

  test('has round ends with a tick at each, at the requested distance in pixels', () => {
    const scales = [1, 3, 7, 12, 123, 501].map((most) => amountScale([most], 50, 0, 2))
    for (const scale of scales) expect([scale.ticks(2)[0], scale.ticks(2).at(-1)]).toEqual(scale.domain())
    expect(scales.map((scale) => scale.domain()[1])).toEqual([1, 4, 10, 20, 200, 600])
    expect(amountScale([10], 50, 0, 2)(5)).toBe(25)
    expect(amountScale([10], 50, 0, 2)(99)).toBe(0)
    expect(amountScale([], 50, 0, 2).domain()).toEqual([0, 1])
  })
})
