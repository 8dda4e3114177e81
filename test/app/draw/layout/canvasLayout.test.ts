import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsIn, fitted, spaceIn, zoomOfPart, zoomOfRows } from '../../../../src/app/draw/canvas/useView.ts'
import { arrange, slotAt } from '../../../../src/app/draw/layout/layout.ts'
import { linkEnds } from '../../../../src/app/draw/layout/linkCurve.ts'
import {
  type Arrangement,
  type Box,
  CARD,
  freeAround,
  LOW_CARD,
  overlap,
  type Placed,
  READABLE,
} from '../../../../src/app/draw/layout/places.ts'
import { repeats } from '../../../fixtures/extent.ts'

const desk = { width: 1096, height: 371 }
const phone = { width: 390, height: 620 }
const INSET = { top: 44, bottom: 38 }

function line(count: number, positions: Readonly<Record<number, { x: number; y: number }>> = {}): Placed[] {
  return Array.from({ length: count }, (_, i) => ({ id: `s${i}`, position: positions[i] ?? null }))
}

function overlapping({ boxes }: Arrangement): string[] {
  const all = [...boxes]
  return all.flatMap(([id, box], i) =>
    all.slice(i + 1).flatMap(([other, place]) => (overlap(box, place) ? [`${id} and ${other}`] : [])),
  )
}

/** The rows of a layout as text: their nodes from left to right, stages by number. */
function picture({ boxes }: Arrangement): string[] {
  const middles = [...boxes].map(([id, box]) => ({
    name: id.replace('source', '(').replace('sink', ')').replace('s', ''),
    x: box.x,
    y: box.y + box.height / 2,
  }))
  const rows = [...new Set(middles.map(({ y }) => y))].sort((a, b) => a - b)
  middles.sort((a, b) => a.x - b.x)
  return rows.map((row) => middles.flatMap(({ name, y }) => (y === row ? [name] : [])).join(' '))
}

describe('a line that is laid out automatically', () => {
  test('is one row on a desk, with source and sink at its ends and free space around', () => {
    const arrangement = arrange(line(4), spaceIn(desk, INSET))
    expect(picture(arrangement)).toEqual(['( 0 1 2 3 )'])
    // A card is a third larger than when the half circle of seats stood above: 157 pixels wide.
    expect(fitted(arrangement.bounds, desk, INSET).zoom * CARD.width).toBeGreaterThan(205)
    expect(fitted(arrangement.bounds, { width: 1576, height: 420 }, INSET).zoom).toBe(4 / 3)
    const gaps = arrangement.slots.slice(1).map((slot, i) => slot.x - arrangement.slots[i].x - CARD.width)
    expect(new Set(gaps)).toEqual(new Set([24]))
  })

  test('is visible as a whole wherever it stays readable', () => {
    for (const canvas of [desk, phone, { width: 700, height: 500 }]) {
      for (let count = 1; count <= 40; count++) {
        const { bounds } = arrange(line(count), spaceIn(canvas, INSET))
        const view = fitted(bounds, canvas, INSET)
        expect(view.zoom).toBeGreaterThanOrEqual(READABLE * 0.85)
        if (view.zoom !== READABLE) expect(fitsIn(bounds, canvas, view)).toBe(true)
      }
    }
  })

  test('with too many stages fills the width and continues below, beginning at the top', () => {
    const { bounds } = arrange(line(256), spaceIn(desk, INSET))
    const view = fitted(bounds, desk, INSET)
    expect(view.zoom).toBe(READABLE)
    expect(bounds.width * view.zoom).toBeLessThanOrEqual(desk.width)
    expect(view.y + bounds.y * view.zoom).toBeCloseTo(INSET.top, 0)
  })

  test('never places nodes on top of each other', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 200, max: 2000 }),
        fc.integer({ min: 200, max: 1500 }),
        (count, width, height) => {
          expect(overlapping(arrange(line(count), { width, height }))).toEqual([])
        },
      ),
      { numRuns: repeats(300) },
    )
  })
})

describe('many stages', () => {
  const canvas = { width: 1096, height: 320 }
  const roomy = { width: 1096, height: 637 }
  const lineOn = (size: typeof desk, count: number) => arrange(line(count), spaceIn(size, INSET), zoomOfRows(size))

  test('are easy to read up to 12 and visible as a whole up to 20, on low cards where full ones would be small', () => {
    for (let count = 1; count <= 60; count++) {
      const arrangement = lineOn(canvas, count)
      const view = fitted(arrangement.bounds, canvas, INSET, { part: zoomOfPart(arrangement, canvas) })
      const whole = fitsIn(arrangement.bounds, canvas, view)
      if (count <= 12 || !whole) expect(view.zoom * CARD.width, `${count} stages`).toBeGreaterThanOrEqual(140 - 1e-9)
      if (count <= 20) expect(whole, `${count} stages`).toBe(true)
    }
    const heights = [5, 6].map((count) => [canvas, roomy].map((size) => lineOn(size, count).slots[0].height))
    expect(heights).toEqual([
      [CARD.height, CARD.height],
      [LOW_CARD.height, CARD.height],
    ])
  })
})

describe('a line in which stages were placed', () => {
  test('leaves them where they are, and ends with source and sink beside its ends', () => {
    const arrangement = arrange(line(2, { 0: { x: 0, y: 0 }, 1: { x: 400, y: 200 } }), desk)
    expect(arrangement.slots).toEqual([])
    expect(arrangement.boxes.get('s1')).toMatchObject({ x: 400, y: 200 })
    expect(arrangement.boxes.get('source')?.x).toBeLessThan(0)
    expect(arrangement.boxes.get('sink')?.x).toBeGreaterThan(400 + CARD.width)
  })
})

describe('a dropped card', () => {
  const { slots } = arrange(line(4), spaceIn(desk, INSET))
  const middle = (i: number) => ({ x: slots[i].x + CARD.width / 2, y: slots[i].y + CARD.height / 2 })

  test('takes the place in the line that it covers most, and none beside the line', () => {
    expect(slotAt(slots, middle(2))).toBe(2)
    expect(slotAt(slots, { x: middle(2).x + 100, y: middle(2).y + 40 })).toBe(2)
    expect(slotAt(slots, { x: middle(2).x + 120, y: middle(2).y })).toBe(3)
    expect(slotAt(slots, { x: middle(2).x, y: middle(2).y + CARD.height })).toBeNull()
  })
})

describe('a link', () => {
  const at = (x: number, y: number): Box => ({ x, y, width: 100, height: 50 })

  test.each([
    ['to the right', at(200, 0), { x1: 100, y1: 25, x2: 200, y2: 25 }],
    ['to the left', at(-200, 0), { x1: 0, y1: 25, x2: -100, y2: 25 }],
    ['below', at(0, 100), { x1: 50, y1: 50, x2: 50, y2: 100 }],
    ['above', at(0, -100), { x1: 50, y1: 0, x2: 50, y2: -50 }],
    ['far to the right and a little below', at(400, 100), { x1: 100, y1: 25, x2: 400, y2: 125 }],
  ])('leads from the middle of one side to the middle of the side that faces it: %s', (_, to, ends) => {
    expect(linkEnds(at(0, 0), to)).toEqual(ends)
  })
})

const coordinate = fc.integer({ min: -600, max: 600 })
const boxes = fc
  .array(fc.record({ x: coordinate, y: coordinate }), { maxLength: 12 })
  .map((places) => new Map(places.map((place, i): [string, Box] => [`S${i}`, { ...place, ...CARD }])))

test('a dropped card overlaps no other card', () => {
  fc.assert(
    fc.property(coordinate, coordinate, boxes, (x, y, others) => {
      const place = freeAround({ x, y }, others)
      expect([...others.values()].some((other) => overlap(place, other))).toBe(false)
    }),
  )
})
