import { bigEndian, type FilmTrack } from './webm.ts'

export interface Mp4Track extends Pick<FilmTrack, 'width' | 'height'> {
  readonly framesASecond: number
  /** The configuration of the decoder, as the encoder returns it (avcC). */
  readonly description: Uint8Array<ArrayBuffer>
  /** H.264 pictures in order of decoding, each NAL unit with its length before it. The first is a key frame. */
  readonly frames: FilmTrack['frames']
}

/** Units of time in a picture, so that a frame lasts a whole number of them. */
const UNITS = 512

/** Returns an MP4 file of one track (ISO/IEC 14496-12 and -15). The head that a player needs comes before the pictures. */
export function mp4(track: Mp4Track): Blob {
  const { frames } = track
  const begin = box('ftyp', [letters('isom'), u32(512), letters('isomiso2avc1mp41')])
  // The length of the head does not depend on where the pictures begin.
  const head = (at: number) => moov(track, at)
  const at = sizeOf([begin, head(0)]) + 8
  const pictures = frames.map(({ bytes }) => bytes as Uint8Array<ArrayBuffer>)
  return new Blob([begin, head(at), u32(8 + sizeOf(pictures)), letters('mdat'), ...pictures], { type: 'video/mp4' })
}

type Bytes = Uint8Array<ArrayBuffer>

function moov(track: Mp4Track, at: number): Bytes {
  const { width, height, framesASecond, frames } = track
  const scale = framesASecond * UNITS
  const duration = frames.length * UNITS
  const movie = full('mvhd', 0, 0, [u32(0, 0, scale, duration, 0x10000), u16(0x100, 0), u32(0, 0, ...IDENTITY, 0, 0, 0, 0, 0, 0, 2)])
  const header = full('tkhd', 0, 3, [u32(0, 0, 1, 0, duration, 0, 0), u16(0, 0, 0, 0), u32(...IDENTITY, width << 16, height << 16)])
  const media = box('mdia', [
    full('mdhd', 0, 0, [u32(0, 0, scale, duration), u16(0x55c4, 0)]),
    full('hdlr', 0, 0, [u32(0), letters('vide'), u32(0, 0, 0), letters('Apportion\0')]),
    box('minf', [
      full('vmhd', 0, 1, [u16(0, 0, 0, 0)]),
      box('dinf', [full('dref', 0, 0, [u32(1), full('url ', 0, 1, [])])]),
      box('stbl', [...samples(track), full('stco', 0, 0, [u32(1, at)])]),
    ]),
  ])
  return box('moov', [movie, box('trak', [header, media])])
}

/** The matrix that leaves the picture as it is. */
const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000] as const

/** Returns the tables of the pictures: coding, times, key frames and lengths. All pictures are in one chunk. */
function samples({ width, height, framesASecond, description, frames }: Mp4Track): Bytes[] {
  const coded = box('avc1', [
    u32(0),
    u16(0, 1, 0, 0),
    u32(0, 0, 0),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    new Uint8Array(32),
    u16(24, 0xffff),
    box('avcC', [description]),
  ])
  // Pictures may be shown in another order than they are decoded in.
  const delays = frames.map(({ time }, i) => Math.round((time * framesASecond) / 1000) - i)
  const keys = frames.flatMap(({ key }, i) => (key ? [i + 1] : []))
  return [
    full('stsd', 0, 0, [u32(1), coded]),
    full('stts', 0, 0, [u32(1, frames.length, UNITS)]),
    ...(delays.some((by) => by !== 0) ? [full('ctts', 1, 0, [u32(frames.length, ...delays.flatMap((by) => [1, by * UNITS]))])] : []),
    full('stss', 0, 0, [u32(keys.length, ...keys)]),
    full('stsc', 0, 0, [u32(1, 1, frames.length, 1)]),
    full('stsz', 0, 0, [u32(0, frames.length, ...frames.map(({ bytes }) => bytes.length))]),
  ]
}

/** Returns a box: its length, its name and its content. */
const box = (name: string, inside: readonly Bytes[]): Bytes => joined([u32(8 + sizeOf(inside)), letters(name), ...inside])

/** A box with a version and flags. */
function full(name: string, version: number, flags: number, inside: readonly Bytes[]): Bytes {
  return box(name, [u32(version * 0x1000000 + flags), ...inside])
}

const u32 = (...values: number[]): Bytes => joined(values.map((value) => bigEndian(value, 4)))

const u16 = (...values: number[]): Bytes => joined(values.map((value) => bigEndian(value, 2)))

const joined = (parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))

const letters = (text: string): Bytes => new TextEncoder().encode(text)

const sizeOf = (parts: readonly Bytes[]): number => parts.reduce((sum, { length }) => sum + length, 0)
