import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultLayout, MARK_RADIUS } from '../../../src/views/timeline/faultMark.ts'

const room = { plot: { x: 100, width: 1000 }, width: 1120 }
const at = (...times: number[]) => times.map((time) => ({ time, labelWidth: 100 }))
const places = (times: number[], rows = 2) => faultLayout(at(...times), room, [0, 1000], rows)

describe('marks below the axis', () => {
  test('are at their times, with their labels next to them', () => {
    expect(places([0, 500])).toEqual([
      { x: 100, aside: 0, row: 0, labelSide: 'right' },
      { x: 600, aside: 0, row: 0, labelSide: 'right' },
    ])
  })

  test('use the second row if labels would be lost, and lose their labels before they move', () => {
    expect(places([500, 540])).toMatchObject([
      { row: 0, labelSide: 'right' },
      { row: 1, labelSide: 'right' },
    ])
    expect(places([500, 540], 1)).toMatchObject([
      { row: 0, labelSide: null, aside: 0 },
      { row: 0, labelSide: 'right', aside: 0 },
    ])
    expect(places([500, 510], 1)).toMatchObject([{ aside: 0 }, { aside: 2 * MARK_RADIUS + 3 - 10 }])
  })

  test('have their labels on the left at the right edge', () => {
    expect(places([990])).toMatchObject([{ labelSide: 'left' }])
  })

  test('outside the plot are not drawn, nor are those without room', () => {
    expect(places([-20, 1020])).toEqual([null, null])
    expect(places(new Array(40).fill(500)).filter((place) => place === null).length).toBeGreaterThan(30)
  })

  test('never cover each other or a label, and stay within the picture', () => {
    const marks = fc.array(
      fc.record({ time: fc.integer({ min: -50, max: 1050 }), labelWidth: fc.integer({ min: 20, max: 250 }) }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(marks, fc.constantFrom(1, 2, 3), fc.constantFrom(0, 100), (drawn, rows, spare) => {
        const sorted = [...drawn].sort((a, b) => a.time - b.time)
        const made = faultLayout(sorted, room, [0, 1000], rows, spare)
        const boxes = made.flatMap((place, i) => {
          if (place === null) return []
          const middle = place.x + place.aside
          const { labelWidth } = sorted[i]
          return [
            {
              row: place.row,
              from: middle - MARK_RADIUS - (place.labelSide === 'left' ? labelWidth : 0),
              to: middle + MARK_RADIUS + (place.labelSide === 'right' ? labelWidth : 0),
            },
          ]
        })
        for (const [i, a] of boxes.entries()) {
          expect(a.to).toBeLessThanOrEqual(room.width - (a.row === rows - 1 ? spare : 0))
          for (const b of boxes.slice(i + 1)) expect(a.row !== b.row || a.to <= b.from || b.to <= a.from).toBe(true)
        }
      }),
    )
  })
})
