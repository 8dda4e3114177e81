import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellAt,
  cellBeside,
  cornerOf,
  costScale,
  gainMapLayout,
  gainScale,
  namedBands,
} from '../../../../src/features/pools/draw/gainMapLayout.ts'

const layout = gainMapLayout(306, 13, 14)
const [across, down] = [layout.x.bandwidth(), layout.y.bandwidth()]

describe('the map of gains', () => {
  test('finds every cell by a point in it, and none outside', () => {
    for (let cell = 0; cell < 13 * 14; cell++) {
      const [x, y] = cornerOf(layout, cell)
      expect(cellAt(layout, x + across / 2, y + down / 2)).toBe(cell)
    }
    expect(cellAt(layout, 3, 3)).toBe(-1)
    expect(cellAt(layout, 306 + 9, 50)).toBe(-1)
    expect(cellAt(layout, 100, layout.height)).toBe(-1)
  })

  test('stays within its width, the least gains below on the left', () => {
    const [x, y] = cornerOf(layout, 12)
    expect(x + across).toBeLessThanOrEqual(306)
    expect(y).toBeGreaterThan(cornerOf(layout, 13 * 13)[1])
    expect(cornerOf(layout, 0)[0]).toBeLessThan(x)
  })

  test('is navigated by arrow keys, which stop at its edges', () => {
    expect(
      ['ArrowRight', 'ArrowUp', 'End', 'Home', 'ArrowLeft', 'ArrowDown', 'x'].map((key) => cellBeside(layout, 0, key)),
    ).toEqual([1, 13, 12, 0, 0, 0, 0])
    const last = 13 * 14 - 1
    expect(['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown'].map((key) => cellBeside(layout, last, key))).toEqual([
      last,
      last,
      last - 1,
      last - 13,
    ])
  })

  test('places gains between the middles of cells by their logarithms, and those beyond on the rim', () => {
    const kps = [0.1, 1, 10]
    const kis = [0, 0.01, 0.1]
    const small = gainMapLayout(344, 3, 3)
    const middle = (cell: number) =>
      cornerOf(small, cell).map((corner, k) => corner + (k === 0 ? small.x : small.y).bandwidth() / 2)
    const [x, y] = [gainScale(small.x, kps), gainScale(small.y, kis)]
    const at = (kp: number, ki: number) => [x(kp), y(ki)]
    const near = (place: readonly number[], cell: number) => {
      for (const [k, each] of place.entries()) expect(each).toBeCloseTo(middle(cell)[k], 9)
    }
    near(at(1, 0.01), 4)
    near(at(0.1, 0), 0)
    near(at(99, 99), 8)
    expect(at(Math.sqrt(10), 0)[0]).toBeCloseTo((middle(1)[0] + middle(2)[0]) / 2, 9)
    expect(at(1, 0.005)[1]).toBeCloseTo((middle(1)[1] + middle(4)[1]) / 2, 9)
  })
})

describe('the scale of costs', () => {
  test('goes from the least cost to the greatest by logarithms, and to no more than six times the least', () => {
    const scale = costScale([null, 400, 100, 200, Infinity])
    expect(scale).toMatchObject({ least: 100, middle: 200, most: 400, beyond: false })
    expect([100, 400, 50, Infinity].map((cost) => scale?.share(cost))).toEqual([0, 1, 0, 1])
    expect(scale?.share(200)).toBeCloseTo(0.5, 12)
    expect(costScale([100, 5000])).toMatchObject({ least: 100, most: 600, beyond: true })
    expect(costScale([null, Infinity])).toBeNull()
    expect(costScale([7])?.share(7)).toBe(0)
  })

  test('stays within 0 to 1, and a higher cost is never paler', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (costs) => {
          const scale = costScale(costs)
          const shares = [...costs].sort((a, b) => a - b).map((cost) => scale?.share(cost) ?? -1)
          expect(shares.every((share, i) => share >= 0 && share <= 1 && (i === 0 || share >= shares[i - 1]))).toBe(true)
        },
      ),
    )
  })

  test('labels the columns that fit', () => {
    expect([40, 20, 18.5].map((wide) => namedBands(gainMapLayout(46 + 6 * wide, 6, 1).x, 40))).toEqual([
      [0, 1, 2, 3, 4, 5],
      [0, 2, 4],
      [0, 3],
    ])
  })
})
