/** Pixels of a page to the metre: 96 to the inch. */
const PAGE_PIXELS = 96 / 0.0254
/** Where the header of a PNG file ends, its first chunk. */
const HEADER_END = 33

/** Returns a PNG with `scale` pixels for each pixel of the page, so that it is as large on paper and in a text as on the page (chunk pHYs). */
export async function withDensity(png: Blob, scale: number): Promise<Blob> {
  const chunk = new DataView(new ArrayBuffer(21))
  const perMetre = Math.round(PAGE_PIXELS * scale)
  chunk.setUint32(0, 9)
  chunk.setUint32(4, 0x70485973)
  chunk.setUint32(8, perMetre)
  chunk.setUint32(12, perMetre)
  chunk.setUint8(16, 1)
  chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)))
  return new Blob([png.slice(0, HEADER_END), chunk, png.slice(HEADER_END)], { type: 'image/png' })
}

/** Returns the CRC-32 of PNG. */
function checksum(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  }
  return ~rest >>> 0
}
