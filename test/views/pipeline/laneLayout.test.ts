import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dotsPerRow, laneLayout } from '../../../src/views/pipeline/laneLayout.ts'

test('a lane has room for every dot and every worker on each of its cards, from a phone to a wide screen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 320, max: 1600 }), fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 12 }), (width, most, workers) => {
      const layout = laneLayout(width, 4, most, workers)
      const last = layout.cards[3]
      expect(last.x + last.width).toBeLessThanOrEqual(width + 1e-6)
      const inner = last.width - 2 * layout.pad
      const rows = Math.ceil(most / dotsPerRow(inner, layout.dots))
      expect(layout.queueY + rows * 9 * layout.dots).toBeLessThanOrEqual(layout.workersY)
      const discRows = Math.ceil(workers / layout.discsPerRow)
      expect(layout.workersY + discRows * 29 * layout.discs).toBeLessThanOrEqual(layout.height)
    }),
  )
})

test('dots get smaller only where they would not fit', () => {
  expect(laneLayout(1120, 4, 130, 8).dots).toBe(1)
  expect(laneLayout(358, 4, 9, 8).dots).toBe(1)
  expect(laneLayout(358, 4, 130, 8).dots).toBeLessThan(1)
})
