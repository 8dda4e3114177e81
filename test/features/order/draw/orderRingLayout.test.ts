import { pointRadial } from 'd3-shape'
import { describe, expect, test } from 'vitest'
import { cellsFor, ringGeometry, ringMarks, tailAngle } from '../../../../src/features/order/draw/orderRing.ts'
import type { RingCell } from '../../../../src/features/order/measure/order.ts'

const cell = (slots: number, parked: number, trashed: number, missing: number, ...stages: number[]): RingCell => ({
  slots,
  parked,
  trashed,
  missing,
  stages,
})

describe('the ring of the order buffer', () => {
  test('goes once round, every cell as wide as its slots', () => {
    const marks = ringMarks([cell(2, 0, 0, 0), cell(1, 0, 0, 0), cell(1, 0, 0, 0)])
    expect(marks.map(({ start, end }) => [start / Math.PI, end / Math.PI])).toEqual([
      [0, 1],
      [1, 1.5],
      [1.5, 2],
    ])
  })

  test('fills what is parked, opens what is missing, and crosses only what holds nothing but trashed tickets', () => {
    const marks = ringMarks([
      cell(4, 1, 1, 2, 3, 5),
      cell(4, 0, 1, 0),
      cell(4, 4, 0, 0),
      cell(4, 2, 1, 0),
      cell(4, 0, 0, 1),
    ])
    expect(marks.map(({ filled, open, missing, crossed }) => [filled, open, missing, crossed])).toEqual([
      [0.25, 0.5, [3, 5], false],
      [0, 0, [], true],
      [1, 0, [], false],
      [0.5, 0, [], false],
      [0, 0.25, [-1], false],
    ])
  })

  test('has a pointer that goes clockwise from the top as tickets pass, and starts again after a lap', () => {
    expect(pointRadial(tailAngle(0, 1_000_000), 10)[1]).toBeCloseTo(-10, 3)
    expect(pointRadial(tailAngle(2, 10), 10)[0]).toBeCloseTo(10, 3)
    expect(tailAngle(13, 10)).toBe(tailAngle(3, 10))
  })

  test('has outlines and gaps only where every slot has room for them', () => {
    expect(ringGeometry(148, 32, 32)).toMatchObject({ outlined: true })
    expect(ringGeometry(148, 133, 133)).toMatchObject({ outlined: false, gap: 0 })
    expect(ringGeometry(148, 60, 100)).toMatchObject({ outlined: false, gap: 0 })
    expect(ringGeometry(148, 1, 1)).toMatchObject({ outlined: true, gap: 0 })
    const { outer, inner, size } = ringGeometry(148, cellsFor(148), 1_000_000)
    expect(outer).toBeLessThan(size / 2)
    expect(inner).toBeGreaterThan(size / 4)
    // Cells of two pixels at least.
    expect((2 * Math.PI * inner) / cellsFor(148)).toBeGreaterThan(2)
  })
})
