import { tileColumns } from '../../scenario/model/limits.ts'
import type { Picture } from '../../scenario/model/scenario.ts'

/** A tile of a picture on its way through the stages. Rows from above, pixels from the left. */
export interface Tile {
  readonly width: number
  readonly height: number
  /** The point of the plane in the middle of its first pixel, and from there to the middle of the next one. */
  readonly x: number
  readonly y: number
  readonly step: number
  readonly iterations: number
  /** Two numbers a pixel, once it is computed: see `mandelbrot`. */
  readonly counts: Float32Array | null
  /** Red, green, blue and alpha, a byte each, once it is coloured. */
  readonly pixels: Uint8Array | null
}

/** Where a tile lies in its picture, in pixels. */
export interface TilePlace {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A tile that has left the pipeline: red, green, blue and alpha of its pixels, a byte each. */
export interface TilePixels {
  readonly job: number
  readonly pixels: Uint8Array<ArrayBuffer>
}

/** Where the tile of a job lies: row by row from the upper left corner. */
export function tilePlace({ width, height, tile }: Pick<Picture, 'width' | 'height' | 'tile'>, job: number): TilePlace {
  const columns = tileColumns({ width, tile })
  const left = (job % columns) * tile
  const top = Math.floor(job / columns) * tile
  return { left, top, width: Math.min(tile, width - left), height: Math.min(tile, height - top) }
}

/** The tile of a job, with nothing done to it. Pixels are square: what is seen of the plane from above to below follows. */
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
