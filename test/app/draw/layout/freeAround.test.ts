import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, CARD, freeAround, overlap } from '../../../../src/app/draw/layout/places.ts'

const coordinate = fc.integer({ min: -600, max: 600 })
const boxes = fc
  .array(fc.record({ x: coordinate, y: coordinate }), { maxLength: 12 })
  .map((places) => new Map(places.map((place, i): [string, Box] => [`S${i}`, { ...place, ...CARD }])))
const contains = (box: Box, x: number, y: number) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height

test('a dropped card overlaps no other card', () => {
  fc.assert(
    fc.property(coordinate, coordinate, boxes, (x, y, others) => {
      const place = freeAround({ x, y }, others)
      expect([...others.values()].some((other) => overlap(place, other))).toBe(false)
    }),
  )
})

test('a dropped card has the pointer in its middle where there is room', () => {
  const place = freeAround({ x: 500, y: 40 }, new Map([['A', { x: 0, y: 0, ...CARD }]]))
  expect([place.x + place.width / 2, place.y + place.height / 2]).toEqual([500, 40])
})

test('a dropped card gives way to others no further than it must, and stays under the pointer', () => {
  const row = new Map([0, 216, 432].map((x, i): [string, Box] => [`S${i}`, { x, y: 0, ...CARD }]))
  for (let y = CARD.height + 8; y < 600; y += 7)
    for (let x = -50; x < 700; x += 31) {
      const place = freeAround({ x, y }, row)
      expect(contains(place, x, y), `${x}, ${y}`).toBe(true)
    }
})
