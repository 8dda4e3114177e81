import type { Box, Point } from './places.ts'

/** The space between cards that would overlap, in pixels. */
const APART = 30

/** Returns cards in a row or column in their order: at their mean height, evenly spaced, never overlapping. */
export function aligned(boxes: ReadonlyMap<string, Box>, ids: readonly string[], as: 'row' | 'column'): Map<string, Point> {
  const [start, length, other] = as === 'row' ? (['x', 'width', 'y'] as const) : (['y', 'height', 'x'] as const)
  const cards = ids
    .flatMap((id) => {
      const box = boxes.get(id)
      return box === undefined ? [] : [{ id, box }]
    })
    .sort((a, b) => a.box[start] - b.box[start])
  const places = new Map<string, Point>()
  if (cards.length === 0) return places
  const [first, last] = [cards[0].box, cards[cards.length - 1].box]
  const mean = cards.reduce((sum, { box }) => sum + box[other], 0) / cards.length
  const step = Math.max(first[length] + APART, cards.length < 2 ? 0 : (last[start] - first[start]) / (cards.length - 1))
  for (const [i, { id }] of cards.entries()) {
    const along = Math.round(first[start] + i * step)
    places.set(id, as === 'row' ? { x: along, y: Math.round(mean) } : { x: Math.round(mean), y: along })
  }
  return places
}
