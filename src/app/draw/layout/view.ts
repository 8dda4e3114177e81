import type { Size } from '../../base/page/useSize.ts'
import { type Arrangement, type Box, EASY, type Point, READABLE, WHOLE, zoomFor } from './places.ts'

/** The visible part of the canvas: its point (x, y) is at (x * zoom + view.x, y * zoom + view.y) on the screen. */
export type View = { readonly x: number; readonly y: number; readonly zoom: number }
const MARGIN = 14
/** The room below cards for workers on their way, in pixels. */
const FOOT = 24
/** Below this width the pipeline would lie under the buttons in the corner. */
const NARROW = 600
const CORNER = 52
/** On a canvas of this width rows are easy to read, and smaller on a narrower one. */
const DESK = 1090

type Fit = { readonly least?: number; readonly part?: number; readonly begin?: Point | undefined }

/** What covers the canvas, in pixels from its edges. */
export type Inset = { readonly top: number; readonly right: number }

/** Returns the room of a canvas beside what covers it. */
export function roomIn({ width, height }: Size, { top, right }: Inset): Size {
  const foot = width < NARROW ? CORNER : FOOT
  return { width: Math.max(120, width - 2 * MARGIN - right), height: Math.max(120, height - top - MARGIN - foot) }
}

/** Returns the zoom of rows on a canvas of this width that would not be readable as a whole: a part of them is visible. */
export function zoomOfRows({ width }: Size): number {
  return Math.min(EASY, Math.max(READABLE, (EASY * width) / DESK))
}

/** Returns the zoom of a pipeline that would not be readable as a whole. */
export function zoomOfPart({ slots }: Arrangement, canvas: Size): number {
  return slots.length === 0 ? READABLE : zoomOfRows(canvas)
}

/** Returns the view with `bounds` in the middle, never enlarged; as a whole at `least` or larger. If it is too large, its beginning around `begin` is visible at the zoom `part`. */
export function fitted(bounds: Box, canvas: Size, inset: Inset, { least = WHOLE, part = READABLE, begin = bounds }: Fit = {}): View {
  const room = roomIn(canvas, inset)
  const whole = zoomFor(bounds, room)
  const zoom = whole >= least ? whole : part
  const spare = { x: Math.max(0, room.width - bounds.width * zoom), y: Math.max(0, room.height - bounds.height * zoom) }
  const past = Math.max(0, Math.min(bounds.height - room.height / zoom, begin.y - bounds.y - room.height / zoom / 2))
  return { x: Math.round(MARGIN + spare.x / 2 - bounds.x * zoom), y: Math.round(inset.top + MARGIN + spare.y / 2 - (bounds.y + past) * zoom), zoom }
}

/** Returns whether all of `bounds` is visible, so that there is nothing to pan. */
export function fitsIn(bounds: Box, canvas: Size, { x, y, zoom }: View): boolean {
  const [left, top] = [x + bounds.x * zoom, y + bounds.y * zoom]
  return left >= 0 && top >= 0 && left + bounds.width * zoom <= canvas.width && top + bounds.height * zoom <= canvas.height
}

/** The column at the side for the half circle of seats, in pixels. page.css puts it there. */
const COLUMN: Inset = { top: 0, right: 124 }

export interface Docked {
  readonly arrangement: Arrangement
  /** What covers the canvas: the half circle above, or the column. */
  readonly inset: Inset
  readonly docked: boolean
}

/** Lays out the pipeline below the half circle of seats; beside it if the cards would be hard to read below, and are larger beside. */
export function besideSeats(size: Size, above: Inset, layOut: (room: Size) => Arrangement): Docked {
  const [below, beside] = [above, COLUMN].map((inset) => {
    const room = roomIn(size, inset)
    const arrangement = layOut(room)
    return { arrangement, inset, zoom: zoomFor(arrangement.bounds, room) }
  })
  const docked = below.zoom < EASY && beside.zoom > below.zoom
  const { arrangement, inset } = docked ? beside : below
  return { arrangement, inset, docked }
}
