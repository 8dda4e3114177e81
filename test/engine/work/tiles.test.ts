import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kernelFunctions } from '../../../src/engine/work/kernels.ts'
import { mandelbrot, tileOf } from '../../../src/engine/work/mandelbrot.ts'
import { createPicturePayloads } from '../../../src/engine/work/payloads.ts'
import { decodeQoi, encodeQoi } from '../../../src/engine/work/qoi.ts'
import type { Kernel } from '../../../src/scenario/model/scenario.ts'
import { tilePlace } from '../../../src/scenario/model/sourceFigures.ts'
import { countJobs, type Picture } from '../../../src/scenario/model/sources.ts'

const small: Picture = { kind: 'image', width: 60, height: 40, tile: 16, x: -0.6, y: 0, span: 3.2, iterations: 200 }

/** The pixels of a picture after these kernels, and their checksum. */
async function paint(picture: Picture, works: readonly Kernel[]) {
  const runPayloads = createPicturePayloads(picture)
  for (let job = 0; job < countJobs(picture); job++) {
    for (const [stage, work] of works.entries())
      runPayloads.put(job, stage, await kernelFunctions[work](runPayloads.at(job, stage)))
    runPayloads.release(job)
  }
  const { blob, sha256 } = await runPayloads.output()
  return { pixels: new Uint8Array(await blob.arrayBuffer()), sha256 }
}

describe('the tiles of a picture', () => {
  test('cover it, each pixel once, and are cut at the right and the lower edge', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 8, max: 100 }),
        (width, height, tile) => {
          const picture = { ...small, width, height, tile }
          const covered = new Uint8Array(width * height)
          for (let job = 0; job < countJobs(picture); job++) {
            const place = tilePlace(picture, job)
            for (let y = 0; y < place.height; y++)
              for (let x = 0; x < place.width; x++) covered[(place.top + y) * width + place.left + x]++
          }
          expect(covered.every((times) => times === 1)).toBe(true)
        },
      ),
    )
    expect(tilePlace(small, 11)).toEqual({ left: 48, top: 32, width: 12, height: 8 })
  })
})

describe('the kernels of a picture', () => {
  test('compute the same counts as the plain definition', () => {
    const tile = tileOf(small, 5)
    const { counts } = mandelbrot(tile)
    for (let k = 0; k < tile.width * tile.height; k++) {
      const c = { x: tile.x + (k % tile.width) * tile.step, y: tile.y - Math.floor(k / tile.width) * tile.step }
      let z = { x: 0, y: 0 }
      let n = 0
      for (; n < 200 && Math.hypot(z.x, z.y) <= 256; n++) z = { x: z.x * z.x - z.y * z.y + c.x, y: 2 * z.x * z.y + c.y }
      expect(counts?.[2 * k]).toBe(Math.hypot(z.x, z.y) > 256 ? n : 0)
    }
    const middle = mandelbrot({ ...tile, width: 1, height: 1, x: 0, y: 0 })
    expect(middle.counts?.[0]).toBe(0)
  })

  test('give the same bytes everywhere: here is the checksum of a small picture', async () => {
    const { pixels, sha256 } = await paint(small, ['mandelbrot', 'colour', 'antialias', 'qoi'])
    expect(sha256).toBe(createHash('sha256').update(pixels).digest('hex'))
    expect(sha256).toBe('d4ef85029d36f839c3786de7bf66beaa235234e296820a085db5cb27487e9b85')
  })

  test.each<[readonly Kernel[], string]>([
    [['colour'], 'another stage must come before this one: mandelbrot'],
    [['mandelbrot', 'antialias'], 'another stage must come before this one: colour'],
    [['mandelbrot', 'qoi'], 'another stage must come before this one: colour'],
    [['mandelbrot', 'colour', 'qoi', 'antialias'], 'compressed already: put this stage before the one that compresses'],
    [['mandelbrot', 'colour', 'qoi', 'mandelbrot'], 'compressed already'],
    [['gzip'], 'this is a tile of a picture, and the stage works on lines of text'],
    [['mandelbrot', 'validate'], 'this is a tile of a picture'],
  ])('in the order %j say what is wrong with it', async (works, reason) => {
    await expect(paint(small, works)).rejects.toThrow(reason)
  })
})

describe('a packed tile', () => {
  test('unpacks to the same pixels, whatever they are', () => {
    // Few colours and small steps between them, so that every kind of chunk occurs.
    const byte = fc.oneof(fc.constantFrom(0, 1, 2, 254, 255), fc.integer({ min: 100, max: 140 }), fc.nat({ max: 255 }))
    const pixel = fc.tuple(byte, byte, byte, fc.constantFrom(255, 255, 255, 0, 7))
    const runs = fc.array(fc.tuple(pixel, fc.constantFrom(1, 1, 1, 2, 61, 62, 63, 130)), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(runs, (list) => {
        const pixels = Uint8Array.from(
          list.flatMap(([each, times]) => Array.from({ length: times }, () => each).flat()),
        )
        expect(decodeQoi(encodeQoi(pixels, pixels.length / 4, 1))).toEqual(pixels)
      }),
    )
  })

  test('is a QOI file, byte for byte', () => {
    const pixels = Uint8Array.of(
      ...[0, 0, 0, 255],
      ...[0, 0, 0, 255],
      ...[1, 255, 0, 255],
      ...[20, 20, 20, 255],
      ...[0, 0, 0, 255],
      ...[9, 9, 9, 1],
    )
    const header = [...new TextEncoder().encode('qoif'), 0, 0, 0, 6, 0, 0, 0, 1, 4, 0]
    // A run of two; red 1 more and green 1 less; green 21 more, the others 2 and 1 less than that; a repeated colour; all four.
    const chunks = [
      0xc1,
      0x40 | (3 << 4) | (1 << 2) | 2,
      0x80 | (21 + 32),
      ((19 - 21 + 8) << 4) | (20 - 21 + 8),
      0x80 | (-20 + 32),
      0x88,
      0xff,
      9,
      9,
      9,
      1,
    ]
    expect([...encodeQoi(pixels, 6, 1)]).toEqual([...header, ...chunks, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  test('is refused if it is not valid', () => {
    expect(() => decodeQoi(new Uint8Array(40))).toThrow('no QOI file')
    expect(() => decodeQoi(new Uint8Array(3))).toThrow('no QOI file')
  })
})
