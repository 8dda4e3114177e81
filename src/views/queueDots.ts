import { count } from './format.ts'
import type { Palette, StageColour } from './palette.ts'
import { element, type Svg, set } from './svg.ts'

/** Whole pixels, so that every dot of a row looks like the next. */
const DOT_PITCH = 8
const ROW_PITCH = 9
const DOT_ROWS = 3
const DOT = 6
const BAR = 15
const RING = 5.5

/** How a queue is shown in a width: as dots that can be counted, or, when they are too many, as a bar with its number. */
export type QueueMarks =
  | { readonly kind: 'dots'; readonly perRow: number; readonly full: number /** Places that are free in a queue with a bound. */; readonly free: number }
  | { readonly kind: 'bar' /** How much of the bar is filled. */; readonly share: number }

/**
 * `most` is what a whole bar stands for: the queue's bound, else the longest it gets. A queue whose bound is small enough
 * shows its free places too.
 */
export function queueMarks(waiting: number, capacity: number | null, most: number, width: number): QueueMarks {
  const perRow = Math.max(1, Math.floor((width - DOT) / DOT_PITCH) + 1)
  const room = perRow * DOT_ROWS
  if (waiting > room) return { kind: 'bar', share: Math.min(1, waiting / Math.max(waiting, capacity ?? most)) }
  return { kind: 'dots', perRow, full: waiting, free: capacity !== null && capacity <= room ? Math.max(0, capacity - waiting) : 0 }
}

/** Where a job stands in its queue: the middle of its dot, or of its share of the bar. */
export function placeInQueue(marks: QueueMarks, place: number, waiting: number, width: number): { readonly x: number; readonly y: number } {
  if (marks.kind === 'bar') return { x: ((place + 0.5) / waiting) * filledOf(marks.share, width), y: 4 + BAR / 2 }
  return { x: DOT / 2 + (place % marks.perRow) * DOT_PITCH, y: DOT / 2 + Math.floor(place / marks.perRow) * ROW_PITCH }
}

function filledOf(share: number, width: number): number {
  return Math.max(8, share * width)
}

/** A path of zero-length lines at the places from `from` to `to`, which round caps make into dots: one element however many. */
export function dotPath(from: number, to: number, perRow: number): string {
  let path = ''
  for (let k = from; k < to; k++) path += `M${DOT / 2 + (k % perRow) * DOT_PITCH} ${DOT / 2 + Math.floor(k / perRow) * ROW_PITCH}h.01`
  return path
}

export interface QueueData {
  readonly palette: Palette
  readonly colour: StageColour
  readonly waiting: number
  readonly capacity: number | null
  readonly most: number
  /** The place in it, from 0, of a job that stands out; -1: none does. */
  readonly followed: number
}

/** Draws a queue into a group of an SVG, `width` wide and three rows high. */
export function queueDots(parent: Svg): (data: QueueData, width: number) => void {
  const free = element(parent, 'path', { fill: 'none', 'stroke-linecap': 'round', 'stroke-width': DOT * 0.6 })
  const full = element(parent, 'path', { fill: 'none', 'stroke-linecap': 'round', 'stroke-width': DOT })
  const bed = element(parent, 'rect', { rx: 4, height: BAR, y: 4 })
  const bar = element(parent, 'rect', { rx: 4, height: BAR, y: 4 })
  const ring = element(parent, 'circle', { r: RING, fill: 'none', 'stroke-width': 2 })
  const label = element(parent, 'text', { y: 4 + BAR / 2, 'dominant-baseline': 'central', 'font-size': 10.5, 'font-weight': 600 })
  return ({ palette, colour, waiting, capacity, most, followed }, width) => {
    const marks = queueMarks(waiting, capacity, most, width)
    const dots = marks.kind === 'dots'
    set(full, { d: dots ? dotPath(0, marks.full, marks.perRow) : '', stroke: colour.fill })
    set(free, { d: dots ? dotPath(marks.full, marks.full + marks.free, marks.perRow) : '', stroke: palette.rule })
    set(bed, { width: dots ? 0 : width, fill: colour.wash })
    const filled = dots ? 0 : filledOf(marks.share, width)
    set(bar, { width: filled, fill: colour.fill })
    const inside = filled > width / 2
    set(label, { x: inside ? filled - 6 : filled + 6, 'text-anchor': inside ? 'end' : 'start', fill: inside ? colour.on : palette.ink })
    label.textContent = dots ? '' : count(waiting)
    const here = followed >= 0 && followed < waiting
    const { x, y } = placeInQueue(marks, here ? followed : 0, Math.max(1, waiting), width)
    set(ring, { cx: x.toFixed(1), cy: y.toFixed(1), stroke: here ? palette.ink : 'none', 'data-followed': here ? '' : null })
  }
}
