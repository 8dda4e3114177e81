import type { Box, Point } from './places.ts'

export interface LinkEnds {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** Returns the ends of a straight link between two boxes: the middles of the sides that face each other. */
export function linkEnds(from: Box, to: Box): LinkEnds {
  const aside = Math.max(to.x - (from.x + from.width), from.x - (to.x + to.width))
  const apart = Math.max(to.y - (from.y + from.height), from.y - (to.y + to.height))
  const [a, b] = [middleOf(from), middleOf(to)]
  if (aside >= apart) {
    const right = b.x >= a.x
    return { x1: right ? from.x + from.width : from.x, y1: a.y, x2: right ? to.x : to.x + to.width, y2: b.y }
  }
  const down = b.y >= a.y
  return { x1: a.x, y1: down ? from.y + from.height : from.y, x2: b.x, y2: down ? to.y : to.y + to.height }
}

function middleOf(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
