/**
 * The Quite OK Image Format (Szablewski, 2021): lossless, in one pass, and the same bytes in every browser. A pixel is 00iiiiii: the one last seen
 * with hash i; 01rrggbb: differs by -2..1; 10gggggg rrrrbbbb: green by -32..31, red and blue by -8..7 more; 11nnnnnn: the one before, n + 1 times
 * more; 11111110 red green blue; or 11111111 red green blue alpha.
 */

const HEADER = 14
const END = [0, 0, 0, 0, 0, 0, 0, 1] as const
const MAGIC = 0x716f6966
const LONGEST_RUN = 62

/** Returns the pixels (RGBA, 4 bytes each) as a QOI file. */
export function encodeQoi(pixels: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + 5 * width * height + END.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC)
  view.setUint32(4, width)
  view.setUint32(8, height)
  bytes[12] = 4
  const seen = new Int32Array(64)
  let at = HEADER
  let [red, green, blue, alpha] = [0, 0, 0, 255]
  let run = 0
  const endRun = () => {
    if (run > 0) bytes[at++] = 0xc0 | (run - 1)
    run = 0
  }
  for (let p = 0; p < pixels.length; p += 4) {
    const [r, g, b, a] = [pixels[p], pixels[p + 1], pixels[p + 2], pixels[p + 3]]
    if (r === red && g === green && b === blue && a === alpha) {
      if (++run === LONGEST_RUN) endRun()
      continue
    }
    endRun()
    const pixel = (r << 24) | (g << 16) | (b << 8) | a
    const hash = hashOf(r, g, b, a)
    const dr = wrapped(r - red)
    const dg = wrapped(g - green)
    const db = wrapped(b - blue)
    if (seen[hash] === pixel) bytes[at++] = hash
    else if (a !== alpha) {
      bytes[at++] = 0xff
      for (let c = 0; c < 4; c++) bytes[at++] = pixels[p + c]
    } else if (dr >= -2 && dr < 2 && dg >= -2 && dg < 2 && db >= -2 && db < 2)
      bytes[at++] = 0x40 | ((dr + 2) << 4) | ((dg + 2) << 2) | (db + 2)
    else if (dg >= -32 && dg < 32 && dr - dg >= -8 && dr - dg < 8 && db - dg >= -8 && db - dg < 8) {
      bytes[at++] = 0x80 | (dg + 32)
      bytes[at++] = ((dr - dg + 8) << 4) | (db - dg + 8)
    } else {
      bytes[at++] = 0xfe
      for (let c = 0; c < 3; c++) bytes[at++] = pixels[p + c]
    }
    seen[hash] = pixel
    ;[red, green, blue, alpha] = [r, g, b, a]
  }
  endRun()
  bytes.set(END, at)
  return bytes.slice(0, at + END.length)
}

/** Returns the pixels of a QOI file (RGBA, 4 bytes each). Throws an Error if the bytes are not a QOI file. */
export function decodeQoi(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER + END.length || view.getUint32(0) !== MAGIC) throw new Error('these bytes are no QOI file')
  const pixels = new Uint8Array(4 * view.getUint32(4) * view.getUint32(8))
  const seen = new Uint8Array(4 * 64)
  const pixel = Uint8Array.of(0, 0, 0, 255)
  const end = bytes.length - END.length
  let at = HEADER
  for (let p = 0; p < pixels.length && at < end; ) {
    const byte = bytes[at++]
    let times = 1
    if (byte === 0xfe || byte === 0xff) {
      const channels = byte === 0xff ? 4 : 3
      pixel.set(bytes.subarray(at, at + channels))
      at += channels
    } else if (byte < 0x40) pixel.set(seen.subarray(4 * byte, 4 * byte + 4))
    else if (byte < 0x80) {
      pixel[0] += ((byte >> 4) & 3) - 2
      pixel[1] += ((byte >> 2) & 3) - 2
      pixel[2] += (byte & 3) - 2
    } else if (byte < 0xc0) {
      const dg = (byte & 63) - 32
      const rest = bytes[at++]
      pixel[0] += dg + (rest >> 4) - 8
      pixel[1] += dg
      pixel[2] += dg + (rest & 15) - 8
    } else times = (byte & 63) + 1
    seen.set(pixel, 4 * hashOf(pixel[0], pixel[1], pixel[2], pixel[3]))
    for (; times > 0 && p < pixels.length; times--, p += 4) pixels.set(pixel, p)
  }
  return pixels
}

function hashOf(r: number, g: number, b: number, a: number): number {
  return (r * 3 + g * 5 + b * 7 + a * 11) % 64
}

/** Returns the difference of two bytes from -128 to 127: from 255 to 0 it is 1. */
function wrapped(difference: number): number {
  return (difference << 24) >> 24
}
