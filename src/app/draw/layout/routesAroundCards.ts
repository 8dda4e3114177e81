import type { Link } from '../../../scenario/model/scenario.ts'
import { flattened, linkCurve } from './linkCurve.ts'
import { type Box, type Flow, type Point, turned, turnedBoxes } from './places.ts'

/** The distance of a link from a card that it goes around, in pixels. */
const CLEAR = 18

/**
 * Returns the ways of links around cards between their ends, where a person has placed cards: on the nearer free side of all cards in the
 * way; straight through if neither side is free.
 */
export function routesAroundCards(boxes: ReadonlyMap<string, Box>, links: readonly Link[], flow: Flow): ReadonlyMap<string, readonly Point[]> {
  if (flow === 'down') return new Map([...routesAroundCards(turnedBoxes(boxes), links, 'right')].map(([link, way]) => [link, way.map(turned)]))
  const cards = [...boxes]
  const via = new Map<string, readonly Point[]>()
  for (const [from, to] of links) {
    const [a, b] = [boxes.get(from), boxes.get(to)]
    if (a === undefined || b === undefined) continue
    const others = cards.filter(([id]) => id !== from && id !== to).map(([, box]) => box)
    const inTheWay = (way: readonly Point[]) => {
      const points = flattened(linkCurve(a, b, flow, way))
      return others.filter((box) => points.some(({ x, y }) => x > box.x - 4 && x < box.x + box.width + 4 && y > box.y - 4 && y < box.y + box.height + 4))
    }
    const blocking = inTheWay([])
    if (blocking.length === 0) continue
    const middle = (a.y + b.y + (a.height + b.height) / 2) / 2
    const free = aroundBoxes(blocking)
      .sort(([p], [q]) => Math.abs(p.y - middle) - Math.abs(q.y - middle))
      .find((way) => inTheWay(way).length === 0)
    if (free !== undefined) via.set(`${from} ${to}`, free)
  }
  return via
}

/** Returns the ways above and below all of these boxes. */
function aroundBoxes(boxes: readonly Box[]): (readonly Point[])[] {
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))]
  const [right, bottom] = [Math.max(...boxes.map(({ x, width }) => x + width)), Math.max(...boxes.map(({ y, height }) => y + height))]
  return [top - CLEAR, bottom + CLEAR].map((y) => [
    { x: left, y },
    { x: right, y },
  ])
}
