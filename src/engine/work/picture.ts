import type { Picture } from '../../scenario/model/sources.ts'
import { sha256Hex } from './checksum.ts'
import { isTile, type Payload } from './kernels.ts'
import { colour } from './mandelbrot.ts'
import type { Payloads } from './payloads.ts'
import { decodeQoi } from './qoi.ts'
import { type TilePixels, tileOf, tilePlace } from './tile.ts'

/** The most points that a kernel computes for a pixel (`antialias`), and the iterations per microsecond on a slow and busy machine. */
const MAX_POINTS = 9
const SLOW_STEPS = 50

/** Returns the payloads of a picture, whose tiles are put together as they leave. A failed tile stays transparent. */
export function createPicturePayloads(picture: Picture): Payloads {
  const { width, height } = picture
  const jobRecords = new Map<number, Payload>()
  const all = new Uint8Array(4 * width * height)
  let records = 0
  let left: TilePixels[] = []
  const at = (job: number) => jobRecords.get(job) ?? tileOf(picture, job)
  return {
    at,
    put(job, _, payload) {
      if (payload !== null) jobRecords.set(job, payload)
    },
    release(job) {
      const pixels = pixelsOf(at(job))
      lay(pixels, all, picture, job)
      left.push({ job, pixels })
      records++
      jobRecords.delete(job)
    },
    drop(job) {
      jobRecords.delete(job)
    },
    async output() {
      const sha256 = await sha256Hex(all)
      return { blob: new Blob([all]), sha256, records, bytes: all.length, compressed: false, picture: { width, height } }
    },
    atMost(job) {
      const place = tilePlace(picture, job)
      return (place.width * place.height * picture.iterations * MAX_POINTS) / SLOW_STEPS
    },
    takeTiles() {
      const taken = left
      left = []
      return taken
    },
  }
}

/** Returns the pixels of a tile. A tile that was only computed is coloured here. */
function pixelsOf(payload: Payload): Uint8Array<ArrayBuffer> {
  if (payload instanceof Uint8Array) return decodeQoi(payload)
  if (!isTile(payload)) throw new RangeError('a job of a picture carries a tile')
  // Copied, since the pixels are transferred and several tiles may share one buffer.
  return Uint8Array.from(colour(payload).pixels ?? [])
}

/** Copies the pixels of a tile into the whole picture. */
function lay(pixels: Uint8Array, all: Uint8Array, picture: Picture, job: number): void {
  const place = tilePlace(picture, job)
  for (let row = 0; row < place.height; row++) {
    const from = 4 * row * place.width
    all.set(pixels.subarray(from, from + 4 * place.width), 4 * ((place.top + row) * picture.width + place.left))
  }
}
