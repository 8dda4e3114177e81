import { isolated } from '../../language/isolated.ts'

/** A text where nothing clips it: of the marks that pile up on a letter two are kept, so that no line is painted over by the next. */
export function paintedText(text: string): string {
  return isolated(text.normalize('NFC').replace(/(\p{M}{2})\p{M}+/gu, '$1'))
}

/** The same, cut with an ellipsis to what fits in so many pixels in the letters of the context. */
export function drawnWithin(context: CanvasRenderingContext2D, text: string, room: number): string {
  const fits = (words: string) => context.measureText(words).width <= room
  const whole = paintedText(text)
  if (fits(whole)) return whole
  const points = [...text]
  const cut = (length: number) => paintedText(`${points.slice(0, length).join('').trimEnd()}…`)
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (fits(cut(middle))) low = middle
    else high = middle - 1
  }
  return cut(low)
}
