import { expect, test } from 'vitest'
import { type CodedFrame, webm } from '../../../../src/features/publish/film/webm.ts'

interface Found {
  readonly id: number
  /** Where it begins in the file, and what stands in it. */
  readonly at: number
  readonly bytes: Uint8Array
}

/** The elements in a stretch of a file, read as a player reads them: ids and lengths of variable width. */
function elementsIn(bytes: Uint8Array, offset = 0): Found[] {
  const found: Found[] = []
  for (let i = 0; i < bytes.length; ) {
    const at = i
    const idWidth = Math.clz32(bytes[i]) - 23
    const id = read(bytes.subarray(i, i + idWidth))
    i += idWidth
    const width = Math.clz32(bytes[i]) - 23
    // The first bit set says how wide it is; without that one it is the length.
    const length = (bytes[i] ^ (0x80 >> (width - 1))) * 256 ** (width - 1) + read(bytes.subarray(i + 1, i + width))
    if (!(length <= bytes.length - i - width)) throw new Error(`an element reaches beyond its end at ${offset + at}`)
    i += width
    found.push({ id, at: offset + at, bytes: bytes.subarray(i, i + length) })
    i += length
  }
  return found
}

const read = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
const inside = (found: Found) => elementsIn(found.bytes)
const child = (found: Found, id: number) => inside(found).find((each) => each.id === id) as Found

const frames: CodedFrame[] = Array.from({ length: 150 }, (_, i) => ({
  time: Math.round((i * 1000) / 30),
  key: i % 60 === 0,
  bytes: Uint8Array.from({ length: 5 + (i % 7) * 50 }, () => i),
}))

test('a film knows its length and its size, and has every picture once, at its time', async () => {
  const file = new Uint8Array(
    await webm({ codec: 'V_VP9', width: 1280, height: 720, duration: 5000, frames }).arrayBuffer(),
  )
  const [header, segment, ...more] = elementsIn(file)
  expect([header.id, segment.id, more.length]).toEqual([0x1a45dfa3, 0x18538067, 0])
  expect(new TextDecoder().decode(child(header, 0x4282).bytes)).toBe('webm')
  const [info, tracks, cues, ...clusters] = inside(segment)
  expect([info.id, tracks.id, cues.id]).toEqual([0x1549a966, 0x1654ae6b, 0x1c53bb6b])
  const length = child(info, 0x4489).bytes
  expect(new DataView(length.buffer, length.byteOffset).getFloat64(0)).toBe(5000)
  const track = child(tracks, 0xae)
  expect(new TextDecoder().decode(child(track, 0x86).bytes)).toBe('V_VP9')
  expect([0xb0, 0xba].map((id) => read(child(child(track, 0xe0), id).bytes))).toEqual([1280, 720])
  const blocks = clusters.flatMap((cluster) => {
    const since = read(child(cluster, 0xe7).bytes)
    return inside(cluster)
      .filter(({ id }) => id === 0xa3)
      .map(({ bytes }) => ({ time: since + read(bytes.subarray(1, 3)), key: bytes[3] === 0x80, bytes: bytes.slice(4) }))
  })
  expect(blocks).toEqual(frames)
})

test('the cues of a film lead to its clusters, each of which begins with a picture that stands by itself', async () => {
  const file = new Uint8Array(
    await webm({ codec: 'V_VP8', width: 854, height: 480, duration: 5000, frames }).arrayBuffer(),
  )
  const [, segment] = elementsIn(file)
  const [, , cues, ...clusters] = inside(segment)
  const places = inside(cues).map((cue) => [read(child(cue, 0xb3).bytes), read(child(child(cue, 0xb7), 0xf1).bytes)])
  expect(places).toEqual(clusters.map((cluster) => [read(child(cluster, 0xe7).bytes), cluster.at]))
  expect(places.map(([time]) => time)).toEqual([0, 2000, 4000])
  for (const cluster of clusters) expect(child(cluster, 0xa3).bytes[3]).toBe(0x80)
})
