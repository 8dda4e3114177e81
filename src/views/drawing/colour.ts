import { color, rgb as rgbOf } from 'd3-color'
import { interpolateRgb } from 'd3-interpolate'

/** A colour as three numbers from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Returns the colour that a text names as style sheets do; null for anything else. */
export function parseColour(text: string): Rgb | null {
  // A style sheet may put spaces between the numbers, d3 reads commas.
  const named = color(text.trim().replace(/(\d)\s+(?=\d)/g, '$1, '))?.rgb()
  return named ? [named.r, named.g, named.b] : null
}

/** Returns the colour a text names. Throws RangeError if it names none. */
export function rgb(text: string): Rgb {
  const colour = parseColour(text)
  if (colour === null) throw new RangeError(`${text} is not a colour`)
  return colour
}

export function hex(colour: Rgb): string {
  return rgbOf(...colour).formatHex()
}

/** Returns a mixture of two colours: `share` 0 is all `a`, 1 is all `b`. */
export function mix(a: string, b: string, share: number): string {
  return rgbOf(interpolateRgb(a, b)(share)).formatHex()
}

/** Returns the first mixture on the way from one colour to another that is good. */
export function towards(from: string, to: string, good: (colour: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.05) {
    const colour = mix(from, to, share)
    if (good(colour)) return colour
  }
  return to
}

/** Returns the contrast of two colours, 1 to 21 (WCAG 2.2); text needs 4.5. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(rgb(a)), luminance(rgb(b))]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Returns the relative luminance of a colour, 0 to 1 (WCAG 2.2). */
export function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((byte) => {
    const c = byte / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
