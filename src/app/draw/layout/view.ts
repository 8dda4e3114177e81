import type { Size } from '../../base/page/useSize.ts'
import { type Box, type Point, READABLE, zoomFor } from './places.ts'

/** The visible part of the canvas: its point (x, y) is at (x * zoom + view.x, y * zoom + view.y) on the screen. */
export interface View {
  readonly x: number
  readonly y: number
  readonly zoom: number
}
const MARGIN = 14
/** The room below cards for workers on their way, in pixels. */
const FOOT = 24
/** Below this width the pipeline would lie under the buttons in the corner. */
const NARROW = 600
const CORNER = 52
/** How much smaller than readable a pipeline may be if it is visible as a whole then. */
const A_LITTLE = 0.85

/** Returns the room of a canvas below `insetTop`. */
export function roomIn({ width, height }: Size, insetTop: number): Size {
  const foot = width < NARROW ? CORNER : FOOT
  return { width: Math.max(120, width - 2 * MARGIN), height: Math.max(120, height - insetTop - MARGIN - foot) }
}

/** Returns the view with `bounds` in the middle, never enlarged nor smaller than `least`. If it is too large, its beginning around `begin` is visible. */
export function fitted(bounds: Box, canvas: Size, insetTop: number, least = READABLE, begin: Point = bounds): View {
  const room = roomIn(canvas, insetTop)
  const whole = zoomFor(bounds, room)
  const zoom = whole >= least * A_LITTLE ? whole : least
  const spare = { x: Math.max(0, room.width - bounds.width * zoom), y: Math.max(0, room.height - bounds.height * zoom) }
  const past = Math.max(0, Math.min(bounds.height - room.height / zoom, begin.y - bounds.y - room.height / zoom / 2))
  return { x: Math.round(MARGIN + spare.x / 2 - bounds.x * zoom), y: Math.round(insetTop + MARGIN + spare.y / 2 - (bounds.y + past) * zoom), zoom }
}

/** Returns whether all of `bounds` is visible, so that there is nothing to pan. */
export function fitsIn(bounds: Box, canvas: Size, { x, y, zoom }: View): boolean {
  const [left, top] = [x + bounds.x * zoom, y + bounds.y * zoom]
  return left >= 0 && top >= 0 && left + bounds.width * zoom <= canvas.width && top + bounds.height * zoom <= canvas.height
}
