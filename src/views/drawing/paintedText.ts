import { isolated } from '../../language/translate.ts'
import { firstWhole } from '../../scenario/model/halving.ts'
import type { Context } from './canvas.ts'

/** Returns a person's text as it is painted where nothing clips it: a letter keeps two of its accents, or they would reach into the next line. */
export function paintedText(text: string): string {
  return isolated(text.normalize('NFC').replace(/(\p{M}{2})\p{M}+/gu, '$1'))
}

/** Returns the same text, cut with an ellipsis to `room` pixels in the font of the context. */
export function fittedText(context: Context, text: string, room: number): string {
  return cutText(text, room, (part) => context.measureText(part).width)
}

/** The same, measured by a function that returns the width of a text in pixels. */
export function cutText(text: string, room: number, widthOf: (part: string) => number): string {
  const fits = (part: string) => widthOf(part) <= room
  const whole = paintedText(text)
  if (fits(whole)) return whole
  const points = [...text]
  const cut = (length: number) => paintedText(`${points.slice(0, length).join('').trimEnd()}…`)
  return cut(firstWhole(0, points.length, (length) => !fits(cut(length + 1))))
}
