import type { RingCell } from '../measure/order.ts'

const TURN = 2 * Math.PI
/** More cells than this have no room for outlines and gaps. */
const MOST_OUTLINED = 72

/** The sizes of the ring. Angles go clockwise from twelve o'clock, as in d3-shape. */
export interface RingGeometry {
  readonly size: number
  readonly outer: number
  readonly inner: number
  /** Whether every cell is one slot and has room for an outline. */
  readonly outlined: boolean
  /** Between cells, in radians. */
  readonly gap: number
}

/** What is drawn in a cell, from angle `start` to `end`. */
export interface RingMark {
  readonly start: number
  readonly end: number
  /** The share of its slots that hold a parked job, 0 to 1. */
  readonly filled: number
  /** The share of its slots that wait for a missing job. */
  readonly open: number
  /** The stages where the parts of the missing job are; -1: before the first stage. Empty: no job is missing. */
  readonly missing: readonly number[]
  /** Whether it holds only trashed tickets. */
  readonly crossed: boolean
}

/** Returns the greatest number of cells that can be told apart in a ring of this size. */
export function cellsFor(size: number): number {
  return Math.max(8, Math.floor(size * 0.9))
}

export function ringGeometry(size: number, cells: number, slots: number): RingGeometry {
  const outer = size / 2 - 9
  const inner = outer * 0.72
  const outlined = cells === slots && cells <= MOST_OUTLINED
  return { size, outer, inner, outlined, gap: outlined && cells > 1 ? Math.min(0.035, 1.4 / cells) : 0 }
}

/** Returns the cells around the circle, as wide as their slots. Slot 0 begins at twelve o'clock. */
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

/** Returns the angle of the middle of the tail's slot. */
export function tailAngle(tail: number, slots: number): number {
  return (((tail % slots) + 0.5) / slots) * TURN
}
