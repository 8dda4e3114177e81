import type { RingCell } from '../../measures/order/order.ts'

const TURN = 2 * Math.PI
/** More cells than this have no room for rims and a gap between them. */
const APART = 72

/** The measures of the ring; angles as d3-shape has them: clockwise from twelve o'clock. */
export interface RingGeometry {
  readonly size: number
  readonly outer: number
  readonly inner: number
  /** Every cell is one slot and has room for a rim of its own. */
  readonly rims: boolean
  /** From cell to cell, in radians. */
  readonly gap: number
}

/** What is drawn in one cell, from `start` to `end`. */
export interface RingMark {
  readonly start: number
  readonly end: number
  /** How much of the cell's slots hold a parked job, 0 to 1. */
  readonly filled: number
  /** How much of them waits for a job that is missing. */
  readonly open: number
  /** The stages of the missing job, in so many parts; -1 outside the first; none: nobody is missing here. */
  readonly missing: readonly number[]
  /** Only trashed tickets are here. */
  readonly crossed: boolean
}

/** The greatest number of cells that a ring of this size can show apart. */
export function cellsFor(size: number): number {
  return Math.max(8, Math.floor(size * 0.9))
}

export function ringGeometry(size: number, cells: number, slots: number): RingGeometry {
  const outer = size / 2 - 9
  const inner = outer * 0.72
  const rims = cells === slots && cells <= APART
  return { size, outer, inner, rims, gap: rims && cells > 1 ? Math.min(0.035, 1.4 / cells) : 0 }
}

/** The cells round the circle, each as wide as its slots; slot 0 begins at twelve o'clock. */
export function ringMarks(cells: readonly RingCell[]): RingMark[] {
  const all = cells.reduce((sum, { slots }) => sum + slots, 0)
  let at = 0
  return cells.map(({ slots, parked, missing, trashed, stages }) => {
    const start = (at / all) * TURN
    at += slots
    return {
      start,
      end: (at / all) * TURN,
      filled: parked / slots,
      open: missing / slots,
      missing: missing === 0 ? [] : stages.length === 0 ? [-1] : stages,
      crossed: trashed > 0 && parked + missing === 0,
    }
  })
}

/** The middle of the tail's slot, as an angle. */
export function tailAngle(tail: number, slots: number): number {
  return (((tail % slots) + 0.5) / slots) * TURN
}

/** A point at an angle and a distance from the middle. */
export function ringPoint(angle: number, radius: number): readonly [x: number, y: number] {
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius]
}
