import { t } from '../../language/translate.ts'
import type { Context } from '../drawing/canvas.ts'
import { count } from '../drawing/format.ts'
import type { Palette, StageColour } from '../drawing/palette.ts'

/** The workers of a stage where they are too many for a disc each. */
export interface StageCrowd {
  readonly posted: number
  readonly busy: number
  /** Whether one of them has the job that is followed. */
  readonly followed: boolean
  /** Whether this worker is one of them. */
  has(worker: number): boolean
}

/** With more workers in a run the cards show numbers instead of discs, all cards alike. */
const MOST_DISCS = 256

const BASELINE = 10
const BAR = { y: 17, height: 8 }

/** Whether a run has too many workers for a disc each. */
export function isCrowd(workers: number): boolean {
  return workers > MOST_DISCS
}

/** Paints how many workers are at a stage and how many are busy, and the same as a bar: busy, idle, and seats that wait for a worker. */
export function paintCrowd(
  context: Context,
  { posted, busy, followed }: StageCrowd,
  openSeats: number,
  { ink, soft, rule, font }: Palette,
  { fill, wash }: StageColour,
  width: number,
): void {
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  context.fillStyle = ink
  context.font = `600 12px ${font}`
  context.fillText(t('{n, plural, one {# worker} other {# workers}}', { n: posted }), 0, BASELINE)
  context.textAlign = 'right'
  context.fillStyle = soft
  context.font = `400 11px ${font}`
  context.fillText(t('{busy} busy', { busy: count(busy) }), width, BASELINE)
  const all = Math.max(1, posted + openSeats)
  const part = (from: number, n: number, colour: string) => {
    context.fillStyle = colour
    context.fillRect((from / all) * width, BAR.y, (n / all) * width, BAR.height)
  }
  part(0, busy, fill)
  part(busy, posted - busy, wash)
  context.strokeStyle = followed ? ink : rule
  context.lineWidth = followed ? 2 : 1
  context.strokeRect(0.5, BAR.y + 0.5, width - 1, BAR.height - 1)
}

/** Returns the middle of the bar, in the place of `paintCrowd`. */
export function middleOfCrowd(width: number): { readonly x: number; readonly y: number } {
  return { x: width / 2, y: BAR.y + BAR.height / 2 }
}
