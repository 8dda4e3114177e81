import { bisectLeft, cumsum, pairs } from 'd3-array'
import { easeSinInOut } from 'd3-ease'

/** A cubic Bézier curve from 1 to 2. */
export interface Arc {
  readonly x1: number
  readonly y1: number
  readonly cx1: number
  readonly cy1: number
  readonly cx2: number
  readonly cy2: number
  readonly x2: number
  readonly y2: number
}

/** Returns the path of a worker from one post to another. It hangs below both, clear of the cards' text; a longer one hangs deeper, up to `40 * scale`. */
export function arcThrough(x1: number, y1: number, x2: number, y2: number, scale = 1): Arc {
  const depth = Math.min(40, 22 + Math.hypot(x2 - x1, y2 - y1) / scale / 16) * scale
  const low = Math.max(y1, y2) + depth
  const inset = (x2 - x1) * 0.22
  return { x1, y1, cx1: x1 + inset, cy1: low, cx2: x2 - inset, cy2: low, x2, y2 }
}

/** Returns the point at `t`, 0 to 1, with a slow start and end. */
export function pointOn({ x1, y1, cx1, cy1, cx2, cy2, x2, y2 }: Arc, t: number): { readonly x: number; readonly y: number } {
  const s = easeSinInOut(Math.min(1, Math.max(0, t)))
  const r = 1 - s
  const blend = (a: number, b: number, c: number, d: number) => r * r * r * a + 3 * r * r * s * b + 3 * r * s * s * c + s * s * s * d
  return { x: blend(x1, cx1, cx2, x2), y: blend(y1, cy1, cy2, y2) }
}

type Point = { readonly x: number; readonly y: number }

/** Returns the length of a link, and a function for the point at a share of that length. */
export function linkRoute({ x1, y1, x2, y2, bends = [] }: { x1: number; y1: number; x2: number; y2: number; bends?: readonly Point[] }): {
  readonly length: number
  readonly at: (along: number) => Point
} {
  const points =
    bends.length < 2
      ? [
          { x: x1, y: y1 },
          { x: x2, y: y2 },
        ]
      : bends
  const ends = cumsum(pairs(points, (a, b) => Math.hypot(b.x - a.x, b.y - a.y)))
  const length = ends[ends.length - 1]
  return {
    length,
    at(along) {
      const i = bisectLeft(ends, along * length, 0, ends.length - 1)
      const begun = i === 0 ? 0 : ends[i - 1]
      const share = ends[i] > begun ? (along * length - begun) / (ends[i] - begun) : 0
      const [a, b] = [points[i], points[i + 1]]
      return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
    },
  }
}
