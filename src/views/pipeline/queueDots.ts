import { type Context, strokeCircle } from '../drawing/canvas.ts'
import { count } from '../drawing/format.ts'
import type { Palette, StageColour } from '../drawing/palette.ts'

/** Whole pixels, so that all dots look alike. */
export const DOT_PITCH = 8
export const ROW_PITCH = 9
const DOT_ROWS = 3
const DOT = 6
const BAR = 15
const RING = 5.5

/** How a queue is drawn: as dots that can be counted, or as a bar when there are too many. */
export type QueueMarks =
  | {
      readonly kind: 'dots'
      readonly perRow: number
      readonly full: number /** Free places of a queue with a bound. */
      readonly free: number
    }
  | { readonly kind: 'bar' /** The filled share of the bar. */; readonly share: number }

/** Returns how a queue is drawn in a width. A full bar stands for the bound, else for `most`. A queue with a small bound shows its free places too. */
export function queueMarks(waiting: number, capacity: number | null, most: number, width: number): QueueMarks {
  const perRow = Math.max(1, Math.floor((width - DOT) / DOT_PITCH) + 1)
  const room = perRow * DOT_ROWS
  if (waiting > room) return { kind: 'bar', share: Math.min(1, waiting / Math.max(waiting, capacity ?? most)) }
  return {
    kind: 'dots',
    perRow,
    full: waiting,
    free: capacity !== null && capacity <= room ? Math.max(0, capacity - waiting) : 0,
  }
}

/** Returns where a job of the queue is drawn: the middle of its dot, or of its share of the bar. */
export function placeInQueue(
  marks: QueueMarks,
  place: number,
  waiting: number,
  width: number,
): { readonly x: number; readonly y: number } {
  if (marks.kind === 'bar') return { x: ((place + 0.5) / waiting) * filledOf(marks.share, width), y: 4 + BAR / 2 }
  return { x: DOT / 2 + (place % marks.perRow) * DOT_PITCH, y: DOT / 2 + Math.floor(place / marks.perRow) * ROW_PITCH }
}

function filledOf(share: number, width: number): number {
  return Math.max(8, share * width)
}

/** Returns an SVG path for the dots of the places `from` to `to`: lines without length, which round caps make into dots. */
export function dotPath(from: number, to: number, perRow: number): string {
  let path = ''
  for (let k = from; k < to; k++)
    path += `M${DOT / 2 + (k % perRow) * DOT_PITCH} ${DOT / 2 + Math.floor(k / perRow) * ROW_PITCH}h.01`
  return path
}

export interface QueueData {
  readonly palette: Palette
  readonly colour: StageColour
  readonly waiting: number
  readonly capacity: number | null
  readonly most: number
  /** The place, from 0, of the followed job; -1: it is not here. */
  readonly followed: number
}

/** Paints a queue from the origin on, `width` wide and three rows high. */
export function paintQueue(
  context: Context,
  { palette, colour, waiting, capacity, most, followed }: QueueData,
  width: number,
): void {
  const marks = queueMarks(waiting, capacity, most, width)
  if (marks.kind === 'dots') {
    context.lineCap = 'round'
    paintDots(context, dotPath(0, marks.full, marks.perRow), colour.fill, DOT)
    paintDots(context, dotPath(marks.full, marks.full + marks.free, marks.perRow), palette.rule, DOT * 0.6)
  } else paintBar(context, filledOf(marks.share, width), count(waiting), palette, colour, width)
  if (followed < 0 || followed >= waiting) return
  const { x, y } = placeInQueue(marks, followed, waiting, width)
  strokeCircle(context, x, y, RING, palette.ink, 2)
}

function paintDots(context: Context, path: string, colour: string, size: number): void {
  if (path === '') return
  context.strokeStyle = colour
  context.lineWidth = size
  context.stroke(new Path2D(path))
}

function paintBar(
  context: Context,
  filled: number,
  label: string,
  palette: Palette,
  colour: StageColour,
  width: number,
): void {
  for (const [length, fill] of [
    [width, colour.wash],
    [filled, colour.fill],
  ] as const) {
    context.fillStyle = fill
    context.beginPath()
    context.roundRect(0, 4, length, BAR, 4)
    context.fill()
  }
  const inside = filled > width / 2
  context.font = `600 10.5px ${palette.font}`
  context.textAlign = inside ? 'right' : 'left'
  context.textBaseline = 'middle'
  context.fillStyle = inside ? colour.on : palette.ink
  context.fillText(label, inside ? filled - 6 : filled + 6, 4 + BAR / 2 + 0.5)
}
