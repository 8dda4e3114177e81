import type { TilePixels } from '../../../engine/work/mandelbrot.ts'
import { t } from '../../../language/translate.ts'
import { tilePlace } from '../../../scenario/model/sourceFigures.ts'
import type { Picture } from '../../../scenario/model/sources.ts'

/** The pictures that runs have painted, each for as long as its run is kept. */
const canvases = new WeakMap<object, HTMLCanvasElement>()

/** Returns the picture of a run with the tiles so far; null while there are none. */
export const paintedBy = (run: object): HTMLCanvasElement | null => canvases.get(run) ?? null

export function takeTiles(run: object, picture: Picture, tiles: readonly TilePixels[]): void {
  const canvas = canvases.get(run) ?? emptyCanvas(picture.width, picture.height)
  canvases.set(run, canvas)
  const context = canvas.getContext('2d')
  for (const { job, pixels } of tiles) {
    const { left, top, width, height } = tilePlace(picture, job)
    context?.putImageData(
      new ImageData(new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length), width, height),
      left,
      top,
    )
  }
}

/** Returns a picture as a PNG file. Rejects with an Error if the browser makes none of this size. */
export async function pngOf(pixels: Blob, width: number, height: number): Promise<Blob> {
  const canvas = emptyCanvas(width, height)
  canvas
    .getContext('2d')
    ?.putImageData(new ImageData(new Uint8ClampedArray(await pixels.arrayBuffer()), width, height), 0, 0)
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (png === null) throw new Error(t('no PNG of this size'))
  return png
}

function emptyCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}
