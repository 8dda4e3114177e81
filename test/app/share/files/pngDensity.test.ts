import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { withDensity } from '../../../../src/app/share/files/exportRun.ts'

/** A picture of one black pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)

test('a PNG gets its pixels per metre, and nothing else changes', async () => {
  const bytes = Buffer.from(await (await withDensity(new Blob([png]), 2)).arrayBuffer())
  const chunks: [string, Buffer][] = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const named = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(named))
    chunks.push([named.toString('latin1', 0, 4), named.subarray(4)])
    at += 12 + length
  }
  expect(chunks.map(([name]) => name)).toEqual(['IHDR', 'pHYs', 'IDAT', 'IEND'])
  // 192 to the inch: two for each pixel of the page.
  expect([chunks[1][1].readUInt32BE(0), chunks[1][1].readUInt32BE(4), chunks[1][1][8]]).toEqual([7559, 7559, 1])
  expect(Buffer.concat([bytes.subarray(0, 33), bytes.subarray(33 + 21)])).toEqual(png)
})
