/** A colour as three numbers from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Returns the colour written as '#rgb', '#rrggbb', 'rgb(r, g, b)' or 'rgb(r g b)'; null for anything else. */
export function parseColour(text: string): Rgb | null {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (hex !== undefined) {
    const six = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
    return [0, 2, 4].map((at) => Number.parseInt(six.slice(at, at + 2), 16)) as unknown as Rgb
  }
  const numbers = /^rgba?\(([^)]*)\)$/.exec(text.trim())?.[1]?.match(/[\d.]+/g)
  return numbers && numbers.length >= 3 ? [Number(numbers[0]), Number(numbers[1]), Number(numbers[2])] : null
}

/** Returns the colour a text names. Throws RangeError if it names none. */
export function rgb(text: string): Rgb {
  const colour = parseColour(text)
  if (colour === null) throw new RangeError(`${text} is not a colour`)
  return colour
}

export function hex([red, green, blue]: Rgb): string {
  return `#${[red, green, blue].map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('')}`
}

/** Returns a mixture of two colours: `share` 0 is all `a`, 1 is all `b`. */
export function mix(a: string, b: string, share: number): string {
  const [from, to] = [rgb(a), rgb(b)]
  return hex([0, 1, 2].map((k) => from[k] + (to[k] - from[k]) * share) as unknown as Rgb)
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
