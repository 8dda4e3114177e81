import { msg } from '../../language/msg.ts'
import type { Kernel } from '../../scenario/model/scenario.ts'
import { tilePlace } from '../../scenario/model/sourceFigures.ts'
import type { Picture } from '../../scenario/model/sources.ts'
import { log } from '../../workload/elementary.ts'

// Only + - x / are used, so that a picture has the same bytes in every browser. There are no shortcuts (no symmetry, no
// test for the two large discs), since the uneven cost of the tiles is what the pipeline is to show.

/** A point has escaped when the square of its modulus is above this: far out, so that colours change smoothly between counts. */
const ESCAPED = 65_536

/** Pixels that differ by more than this in a channel are an edge. */
const EDGE = 24
const SAMPLES = 9
/** Added to a sum of samples, so that the division rounds to the nearest. */
const HALF = 4

/** Returns the tile with two numbers per pixel: how many steps z -> z^2 + c from 0 took to escape (0: never), and the square of the modulus then. */
export function mandelbrot(tile: Tile): Tile {
  if (tile.counts !== null || tile.pixels !== null) return tile
  const { width, height, x, y, step, iterations } = tile
  const counts = new Float32Array(2 * width * height)
  for (let row = 0, at = 0; row < height; row++)
    for (let column = 0; column < width; column++, at += 2)
      iterate(x + column * step, y - row * step, iterations, counts, at)
  return { ...tile, counts }
}

/** Returns the tile with a colour for every pixel. */
export function colour(tile: Tile): Tile {
  const { counts } = tile
  if (tile.pixels !== null) return tile
  if (counts === null) throw new Error(lacking('mandelbrot'))
  const pixels = new Uint8Array(2 * counts.length)
  for (let at = 0; at < counts.length; at += 2) colourOf(counts[at], counts[at + 1], pixels, 2 * at)
  return { ...tile, counts: null, pixels }
}

/** Returns the tile with smooth edges: pixels that differ from a neighbour are computed again as the mean of nine points. */
export function antialias(tile: Tile): Tile {
  const before = coloured(tile)
  const { width, height, x, y, step, iterations } = tile
  const pixels = before.slice()
  const count = new Float32Array(2)
  const sample = new Uint8Array(4)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      if (!isEdge(before, width, height, column, row)) continue
      let [red, green, blue] = [HALF, HALF, HALF]
      for (let k = 0; k < SAMPLES; k++) {
        // The middles of nine parts of the pixel, in three rows of three.
        iterate(
          x + (column + ((k % 3) - 1) / 3) * step,
          y - (row + (Math.floor(k / 3) - 1) / 3) * step,
          iterations,
          count,
          0,
        )
        colourOf(count[0], count[1], sample, 0)
        red += sample[0]
        green += sample[1]
        blue += sample[2]
      }
      const at = 4 * (row * width + column)
      pixels[at] = Math.floor(red / SAMPLES)
      pixels[at + 1] = Math.floor(green / SAMPLES)
      pixels[at + 2] = Math.floor(blue / SAMPLES)
    }
  return { ...tile, pixels }
}

/** Returns the pixels of a tile. Throws an Error for users if it has no colours yet. */
export function coloured({ pixels }: Tile): Uint8Array {
  if (pixels === null) throw new Error(lacking('colour'))
  return pixels
}

/** Returns the reason why a kernel cannot work on what the kernel before it should have made. */
export function lacking(kernel: Kernel): string {
  return `${msg('another stage must come before this one')}: ${kernel}`
}

function iterate(cx: number, cy: number, limit: number, counts: Float32Array, at: number): void {
  let x = 0
  let y = 0
  let xx = 0
  let yy = 0
  let n = 0
  while (n < limit && xx + yy <= ESCAPED) {
    y = 2 * x * y + cy
    x = xx - yy + cx
    xx = x * x
    yy = y * y
    n++
  }
  const square = xx + yy
  counts[at] = square > ESCAPED ? n : 0
  counts[at + 1] = square
}

function isEdge(pixels: Uint8Array, width: number, height: number, column: number, row: number): boolean {
  const at = 4 * (row * width + column)
  return (
    (column > 0 && differ(pixels, at, at - 4)) ||
    (column < width - 1 && differ(pixels, at, at + 4)) ||
    (row > 0 && differ(pixels, at, at - 4 * width)) ||
    (row < height - 1 && differ(pixels, at, at + 4 * width))
  )
}

function differ(pixels: Uint8Array, a: number, b: number): boolean {
  return (
    Math.abs(pixels[a] - pixels[b]) > EDGE ||
    Math.abs(pixels[a + 1] - pixels[b + 1]) > EDGE ||
    Math.abs(pixels[a + 2] - pixels[b + 2]) > EDGE
  )
}

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
const INSIDE = [16, 15, 20] as const

const SHADES = 2048
const table = shades()
const PER_LN2 = 1 / log(2)
/** The logarithm of the squared modulus at which a point has escaped. */
const LOG_ESCAPED = log(65_536)
/** The part of the cycle per e-fold growth of the count, and where the cycle begins. */
const TURN = 0.36
const BEGIN = 0.62

/** Writes a point as RGBA. A fractional count (Vepstas, 1997) avoids bands; its logarithm makes room far from the set. `count` 0: it never escaped. */
export function colourOf(count: number, square: number, pixels: Uint8Array, at: number): void {
  pixels[at + 3] = 255
  if (count === 0) {
    pixels[at] = INSIDE[0]
    pixels[at + 1] = INSIDE[1]
    pixels[at + 2] = INSIDE[2]
    return
  }
  const smooth = Math.max(0, count + 1 - log(log(square) / LOG_ESCAPED) * PER_LN2)
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

/** A tile of a picture on its way through the stages. Rows go from the top, pixels from the left. */
export interface Tile {
  readonly width: number
  readonly height: number
  /** The point of the plane in the middle of the first pixel, and the distance to the middle of the next. */
  readonly x: number
  readonly y: number
  readonly step: number
  readonly iterations: number
  /** Two numbers per pixel (see `mandelbrot`); null until they are computed. */
  readonly counts: Float32Array | null
  /** RGBA, 4 bytes per pixel; null until the tile is coloured. */
  readonly pixels: Uint8Array | null
}

/** A tile that has left the pipeline. RGBA, 4 bytes per pixel. */
export type TilePixels = { readonly job: number; readonly pixels: Uint8Array<ArrayBuffer> }

/** Returns the tile of a job before any work. Pixels are square, so the width of the view determines its height. */
export function tileOf(picture: Picture, job: number): Tile {
  const { width, height, span, iterations } = picture
  const place = tilePlace(picture, job)
  const step = span / width
  return {
    width: place.width,
    height: place.height,
    x: picture.x + (place.left + 0.5 - width / 2) * step,
    y: picture.y - (place.top + 0.5 - height / 2) * step,
    step,
    iterations,
    counts: null,
    pixels: null,
  }
}
