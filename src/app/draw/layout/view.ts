import type { Size } from '../../base/page/useSize.ts'
import { type Box, type Point, READABLE, zoomFor } from './places.ts'

/** Which part of the canvas is seen: a point of it at (x, y) stands at (x * zoom + view.x, y * zoom + view.y) on the screen. */
export interface View {
  readonly x: number
  readonly y: number
  readonly zoom: number
}
const MARGIN = 14
/** Workers on their way from card to card hang below them. */
const FOOT = 24
/** On a narrow canvas the pipeline would come to lie under the buttons in the corner. */
const NARROW = 600
const CORNER = 52
/** How much smaller than readable a pipeline may be shown if it can be seen whole then: better than without its end. */
const A_LITTLE = 0.85

/** What is left of a canvas under `insetTop`. */
export function roomIn({ width, height }: Size, insetTop: number): Size {
  const foot = width < NARROW ? CORNER : FOOT
  return { width: Math.max(120, width - 2 * MARGIN), height: Math.max(120, height - insetTop - MARGIN - foot) }
}

/** Shows `bounds` in the middle of the room, never enlarged nor smaller than `least`: what is too large then shows its beginning, about `begin`. */
export function fitted(bounds: Box, canvas: Size, insetTop: number, least = READABLE, begin: Point = bounds): View {
  const room = roomIn(canvas, insetTop)
  const whole = zoomFor(bounds, room)
  const zoom = whole >= least * A_LITTLE ? whole : least
  const spare = { x: Math.max(0, room.width - bounds.width * zoom), y: Math.max(0, room.height - bounds.height * zoom) }
  const past = Math.max(0, Math.min(bounds.height - room.height / zoom, begin.y - bounds.y - room.height / zoom / 2))
  return { x: Math.round(MARGIN + spare.x / 2 - bounds.x * zoom), y: Math.round(insetTop + MARGIN + spare.y / 2 - (bounds.y + past) * zoom), zoom }
}

/** Whether all of `bounds` is to be seen, so that there is nothing to pan. */
export function fitsIn(bounds: Box, canvas: Size, { x, y, zoom }: View): boolean {
  const [left, top] = [x + bounds.x * zoom, y + bounds.y * zoom]
  return left >= 0 && top >= 0 && left + bounds.width * zoom <= canvas.width && top + bounds.height * zoom <= canvas.height
}
