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
  const u = Math.min(1, Math.max(0, t))
  const s = u * u * (3 - 2 * u)
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
  if (bends.length < 2) return { length: Math.hypot(x2 - x1, y2 - y1), at: (along) => ({ x: x1 + (x2 - x1) * along, y: y1 + (y2 - y1) * along }) }
  const lengths = [0]
  for (let i = 1; i < bends.length; i++) lengths.push(lengths[i - 1] + Math.hypot(bends[i].x - bends[i - 1].x, bends[i].y - bends[i - 1].y))
  const length = lengths[lengths.length - 1]
  return {
    length,
    at(along) {
      const goal = along * length
      let i = 1
      while (i < bends.length - 1 && lengths[i] < goal) i++
      const share = lengths[i] > lengths[i - 1] ? (goal - lengths[i - 1]) / (lengths[i] - lengths[i - 1]) : 0
      return { x: bends[i - 1].x + (bends[i].x - bends[i - 1].x) * share, y: bends[i - 1].y + (bends[i].y - bends[i - 1].y) * share }
    },
  }
}
