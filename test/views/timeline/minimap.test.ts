import fc from 'fast-check'
import { expect, test } from 'vitest'
import { edgePlaces } from '../../../src/views/timeline/minimap.ts'

test('the handles of the window are 24 pixels wide, inside the strip, at its ends, and never on top of each other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 2000 }), fc.nat(1000), fc.nat(1000), (width, from, to) => {
      const [a, b] = [(Math.min(from, to) / 1000) * width, (Math.max(from, to) / 1000) * width]
      const { left, right, each } = edgePlaces(a, b, width)
      expect(each).toBeGreaterThanOrEqual(24)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(right).toBeGreaterThanOrEqual(left + each)
      expect(right + each).toBeLessThanOrEqual(width)
      // Unless both would be in one corner of the strip, each touches the end that it moves.
      if (a < width - 2 * each) expect([left <= a, a <= left + each]).toEqual([true, true])
      if (b > 2 * each) expect([right <= b, b <= right + each]).toEqual([true, true])
    }),
  )
})

test('a wide window has half of each handle inside, a small one can be held between them', () => {
  expect(edgePlaces(200, 400, 1000)).toEqual({ left: 188, right: 388, each: 24 })
  expect(edgePlaces(200, 230, 1000)).toEqual({ left: 179, right: 227, each: 24 })
  expect(edgePlaces(0, 1000, 1000)).toEqual({ left: 0, right: 976, each: 24 })
})
