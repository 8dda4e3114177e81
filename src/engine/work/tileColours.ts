import { log } from '../../workload/elementary.ts'

/** A cycle of colours, interpolated between these: night blue, water, paper, amber, wine, plum. */
const stops: readonly (readonly [at: number, red: number, green: number, blue: number])[] = [
  [0, 13, 27, 54],
  [0.16, 30, 95, 140],
  [0.34, 120, 182, 184],
  [0.46, 246, 238, 214],
  [0.6, 232, 170, 72],
  [0.76, 166, 52, 50],
  [0.9, 62, 22, 58],
  [1, 13, 27, 54],
]
/** The colour of the set itself. */
const INSIDE = [16, 15, 20] as const

const SHADES = 2048
const table = shades()
const PER_LN2 = 1 / log(2)
/** The logarithm of the squared modulus at which a point has escaped. */
const ESCAPED = log(65_536)
/** The part of the cycle per e-fold growth of the count, and where the cycle begins. */
const TURN = 0.36
const BEGIN = 0.62

/**
 * Writes the colour of a point as RGBA. A fractional count (Vepstas, 1997) avoids bands, and its logarithm gives the few
 * counts far from the set as much room as the many near it. `log` is our own: the library's differs in its last bits.
 *
 * @param count 0 if the point never escaped
 * @param square the square of the modulus at which it escaped
 */
export function colourOf(count: number, square: number, pixels: Uint8Array, at: number): void {
  pixels[at + 3] = 255
  if (count === 0) {
    pixels[at] = INSIDE[0]
    pixels[at + 1] = INSIDE[1]
    pixels[at + 2] = INSIDE[2]
    return
  }
  const smooth = Math.max(0, count + 1 - log(log(square) / ESCAPED) * PER_LN2)
  const turns = BEGIN + TURN * log(1 + smooth)
  const shade = 3 * Math.floor((turns - Math.floor(turns)) * SHADES)
  pixels[at] = table[shade]
  pixels[at + 1] = table[shade + 1]
  pixels[at + 2] = table[shade + 2]
}

function shades(): Uint8Array {
  const all = new Uint8Array(3 * SHADES)
  for (let k = 0; k < SHADES; k++) {
    const at = k / SHADES
    const next = stops.findIndex(([end]) => end > at)
    const [from, to] = [stops[next - 1], stops[next]]
    const share = (at - from[0]) / (to[0] - from[0])
    for (let c = 0; c < 3; c++) all[3 * k + c] = Math.floor(from[c + 1] + (to[c + 1] - from[c + 1]) * share + 0.5)
  }
  return all
}
