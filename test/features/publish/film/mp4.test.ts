import { expect, test } from 'vitest'
import { type Mp4Track, mp4 } from '../../../../src/features/publish/film/shoot.ts'

interface Found {
  readonly name: string
  readonly at: number
  readonly bytes: Uint8Array
}

/** The boxes in a stretch of a file, as a player reads them. */
function boxesIn(bytes: Uint8Array): Found[] {
  const found: Found[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = read(bytes, at)
    if (length < 8 || at + length > bytes.length) throw new Error(`a box reaches beyond its end at ${at}`)
    found.push({
      name: new TextDecoder().decode(bytes.subarray(at + 4, at + 8)),
      at,
      bytes: bytes.subarray(at + 8, at + length),
    })
    at += length
  }
  return found
}

const read = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)
const child = (bytes: Uint8Array, ...names: string[]) =>
  names.reduce((inside, name) => boxesIn(inside).find((each) => each.name === name)?.bytes ?? new Uint8Array(), bytes)
/** The numbers of a table behind its version, flags and, if `skip`, other fields. */
const numbers = (bytes: Uint8Array, skip = 0) =>
  Array.from({ length: Math.floor((bytes.length - 4) / 4) - skip }, (_, i) => read(bytes, 4 + 4 * (i + skip)))

const frames = Array.from({ length: 90 }, (_, i) => ({
  time: Math.round((i * 1000) / 30),
  key: i % 60 === 0,
  bytes: Uint8Array.from({ length: 5 + (i % 7) * 50 }, () => i),
}))
const track: Mp4Track = {
  width: 1280,
  height: 720,
  framesASecond: 30,
  description: Uint8Array.of(1, 100, 0, 40, 255),
  frames,
}

async function tablesOf(film: Mp4Track) {
  const file = new Uint8Array(await mp4(film).arrayBuffer())
  return {
    file,
    movie: child(file, 'moov'),
    table: (name: string) => child(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', name),
  }
}

test('an MP4 film knows its length and its size, and has every picture once, where its table says', async () => {
  const { file, movie, table } = await tablesOf(track)
  expect(boxesIn(file).map(({ name }) => name)).toEqual(['ftyp', 'moov', 'mdat'])
  const [, , scale, duration] = numbers(child(movie, 'mvhd'))
  expect(duration / scale).toBe(3)
  expect(numbers(child(movie, 'trak', 'tkhd')).slice(-2)).toEqual([1280 << 16, 720 << 16])
  const [entries, count, each] = numbers(table('stts'))
  expect([entries, count, each / scale]).toEqual([1, 90, 1 / 30])
  expect(numbers(table('stss'), 1)).toEqual([1, 61])
  let at = numbers(table('stco'))[1]
  const sizes = numbers(table('stsz'), 2)
  const pictures = sizes.map((size) => {
    at += size
    return file.slice(at - size, at)
  })
  expect(pictures).toEqual(frames.map(({ bytes }) => bytes))
  expect(at).toBe(file.length)
  // Behind the fields of every picture format.
  expect(
    boxesIn(child(table('stsd').subarray(8), 'avc1').subarray(78)).map(({ name, bytes }) => [name, [...bytes]]),
  ).toEqual([['avcC', [1, 100, 0, 40, 255]]])
  expect(table('ctts')).toHaveLength(0)
})

test('pictures that are decoded in another order are shown at their times', async () => {
  const order = [0, 2, 1, 3]
  const { table } = await tablesOf({ ...track, frames: order.map((k) => ({ ...frames[k], key: k === 0 })) })
  const shifts = numbers(table('ctts'), 1)
    .filter((_, i) => i % 2 === 1)
    .map((units) => (units | 0) / 512)
  expect(shifts.map((by, i) => i + by)).toEqual(order)
})
