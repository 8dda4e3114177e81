import { tileColumns } from '../../scenario/model/sourceFigures.ts'
import type { Picture } from '../../scenario/model/sources.ts'

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

export type TilePlace = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>

/** A tile that has left the pipeline. RGBA, 4 bytes per pixel. */
export type TilePixels = { readonly job: number; readonly pixels: Uint8Array<ArrayBuffer> }

/** Returns the place of a job's tile. Jobs go row by row from the upper left corner. */
export function tilePlace({ width, height, tile }: Pick<Picture, 'width' | 'height' | 'tile'>, job: number): TilePlace {
  const columns = tileColumns({ width, tile })
  const left = (job % columns) * tile
  const top = Math.floor(job / columns) * tile
  return { left, top, width: Math.min(tile, width - left), height: Math.min(tile, height - top) }
}

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
