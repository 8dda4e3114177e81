import { msg } from '../../language/msg.ts'
import type { Tile } from './tile.ts'
import { colourOf } from './tileColours.ts'

// Only + - x / are used, so that a picture has the same bytes in every browser. There are no shortcuts (no symmetry, no
// test for the two large discs), since the uneven cost of the tiles is what the pipeline is to show.

/** A point has escaped when the square of its modulus is above this: far out, so that colours change smoothly between counts. */
const ESCAPED = 65_536

/** Pixels that differ by more than this in a channel are an edge. */
const EDGE = 24
const SAMPLES = 9
/** Added to a sum of samples, so that the division rounds to the nearest. */
const HALF = 4

/**
 * Returns the tile with its counts: how often z -> z^2 + c can be applied from 0 on before z escapes, with c the middle of
 * the pixel. Two numbers per pixel: the count, 0 if z never escaped, and the square of the modulus when it did.
 */
export function mandelbrot(tile: Tile): Tile {
  if (tile.counts !== null || tile.pixels !== null) return tile
  const { width, height, x, y, step, iterations } = tile
  const counts = new Float32Array(2 * width * height)
  for (let row = 0, at = 0; row < height; row++)
    for (let column = 0; column < width; column++, at += 2) iterate(x + column * step, y - row * step, iterations, counts, at)
  return { ...tile, counts }
}

/** Returns the tile with a colour for every pixel. */
export function colour(tile: Tile): Tile {
  const { counts } = tile
  if (tile.pixels !== null) return tile
  if (counts === null) throw new Error(msg('this tile has not been computed yet: a stage that does (mandelbrot) must come before'))
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
        iterate(x + (column + ((k % 3) - 1) / 3) * step, y - (row + (Math.floor(k / 3) - 1) / 3) * step, iterations, count, 0)
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

/** Returns the pixels of a tile. Throws an Error in words if it has no colours yet. */
export function coloured({ pixels }: Tile): Uint8Array {
  if (pixels === null) throw new Error(msg('this tile has no colours yet: a stage that colours it (colour) must come before'))
  return pixels
}

function iterate(cx: number, cy: number, most: number, counts: Float32Array, at: number): void {
  let x = 0
  let y = 0
  let xx = 0
  let yy = 0
  let n = 0
  while (n < most && xx + yy <= ESCAPED) {
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
  return Math.abs(pixels[a] - pixels[b]) > EDGE || Math.abs(pixels[a + 1] - pixels[b + 1]) > EDGE || Math.abs(pixels[a + 2] - pixels[b + 2]) > EDGE
}
