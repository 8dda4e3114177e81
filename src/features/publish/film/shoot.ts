import { t } from '../../../language/translate.ts'
import { bigEndian, type CodedFrame, type FilmTrack, webm } from './webm.ts'

export type FilmFormat = 'WebM' | 'MP4'

interface Take {
  /** The length of the film, in seconds. */
  readonly length: number
  readonly format: FilmFormat
  /** Draws the frame at a share of the film, 0 to 1. */
  draw(share: number): void
  progress(share: number): void
  readonly signal: AbortSignal
}

const FRAMES_A_SECOND = 30
/** Frames between two key frames, which a player can seek to. */
const KEY_EVERY = 60
/** How many pictures may wait for the encoder. */
const MAX_QUEUED = 4
/** The codecs of a format, best first; the first one that the browser supports is used. Level 4 of VP9 and H.264 holds 1080 lines at 30 frames a second. */
const codecs: Readonly<Record<FilmFormat, readonly string[]>> = {
  WebM: ['vp09.00.40.08', 'vp8'],
  MP4: ['avc1.640028', 'avc1.4d0028', 'avc1.42e028'],
}

/** Returns why this browser cannot make films; null if it can. */
export function whyNoFilm(): string | null {
  return typeof VideoEncoder === 'function' && typeof VideoFrame === 'function'
    ? null
    : t('This browser cannot encode video. Current browsers can, on pages served over https.')
}

/** Returns the error of a browser that cannot make a film of this size. */
export function noFilmOf({ width, height }: HTMLCanvasElement): Error {
  return new Error(t('This browser cannot make a video of {width} × {height} pixels.', { width, height }))
}

/** Returns whether the browser can make films in a format. */
export async function canShoot(format: FilmFormat): Promise<boolean> {
  if (whyNoFilm() !== null) return false
  return (await firstSupported(format, settingsOf(1280, 720))) !== null
}

/**
 * Makes a film frame by frame. A slow machine, or a hidden page, makes the same film. Rejects with an Error for the user, or with the reason of the signal.
 */
export async function shoot(
  canvas: HTMLCanvasElement,
  { length, format, draw, progress, signal }: Take,
): Promise<Blob> {
  const { width, height } = canvas
  const frames: CodedFrame[] = []
  let description = new Uint8Array()
  let broken: Error | null = null
  const encoder = new VideoEncoder({
    output(chunk, { decoderConfig } = {}) {
      if (decoderConfig?.description !== undefined) description = bytesOf(decoderConfig.description)
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      frames.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', bytes })
    },
    error(error) {
      broken = error
    },
  })
  try {
    const settings = settingsOf(width, height)
    const codec = await firstSupported(format, settings)
    if (codec === null) throw noFilmOf(canvas)
    encoder.configure({ ...settings, codec })
    const all = Math.round(length * FRAMES_A_SECOND)
    for (let i = 0; i < all; i++) {
      signal.throwIfAborted()
      if (broken !== null) throw broken
      draw(all === 1 ? 1 : i / (all - 1))
      const frame = new VideoFrame(canvas, {
        timestamp: Math.round((i * 1_000_000) / FRAMES_A_SECOND),
        duration: Math.round(1_000_000 / FRAMES_A_SECOND),
      })
      encoder.encode(frame, { keyFrame: i % KEY_EVERY === 0 })
      frame.close()
      progress(i / all)
      // Lets the page do other work meanwhile.
      do await turn()
      while (encoder.encodeQueueSize > MAX_QUEUED && broken === null)
    }
    await encoder.flush()
    // Without it no player can begin.
    if (format === 'MP4' && description.length === 0) throw noFilmOf(canvas)
    if (format === 'MP4') return mp4({ width, height, framesASecond: FRAMES_A_SECOND, description, frames })
    return webm({
      codec: codec === 'vp8' ? 'V_VP8' : 'V_VP9',
      width,
      height,
      duration: (all * 1000) / FRAMES_A_SECOND,
      frames,
    })
  } finally {
    if (encoder.state !== 'closed') encoder.close()
  }
}

function settingsOf(width: number, height: number): Omit<VideoEncoderConfig, 'codec'> {
  return { width, height, framerate: FRAMES_A_SECOND, bitrate: width * height * 4 }
}

async function firstSupported(format: FilmFormat, settings: Omit<VideoEncoderConfig, 'codec'>): Promise<string | null> {
  // WebKitGTK crashes on `isConfigSupported` if no media was used before. This uses some.
  document.createElement('video').canPlayType('video/webm')
  for (const codec of codecs[format])
    if ((await VideoEncoder.isConfigSupported({ ...settings, codec })).supported) return codec
  return null
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source),
  )
}

/** Waits for a turn of the event loop. Unlike a timer, it is immediate in a hidden page too. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  port2.postMessage(null)
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
  })
}

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
  const movie = full('mvhd', 0, 0, [
    u32(0, 0, scale, duration, 0x10000),
    u16(0x100, 0),
    u32(0, 0, ...IDENTITY, 0, 0, 0, 0, 0, 0, 2),
  ])
  const header = full('tkhd', 0, 3, [
    u32(0, 0, 1, 0, duration, 0, 0),
    u16(0, 0, 0, 0),
    u32(...IDENTITY, width << 16, height << 16),
  ])
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
    ...(delays.some((by) => by !== 0)
      ? [full('ctts', 1, 0, [u32(frames.length, ...delays.flatMap((by) => [1, by * UNITS]))])]
      : []),
    full('stss', 0, 0, [u32(keys.length, ...keys)]),
    full('stsc', 0, 0, [u32(1, 1, frames.length, 1)]),
    full('stsz', 0, 0, [u32(0, frames.length, ...frames.map(({ bytes }) => bytes.length))]),
  ]
}

/** Returns a box: its length, its name and its content. */
const box = (name: string, inside: readonly Bytes[]): Bytes =>
  joined([u32(8 + sizeOf(inside)), letters(name), ...inside])

/** A box with a version and flags. */
function full(name: string, version: number, flags: number, inside: readonly Bytes[]): Bytes {
  return box(name, [u32(version * 0x1000000 + flags), ...inside])
}

const u32 = (...values: number[]): Bytes => joined(values.map((value) => bigEndian(value, 4)))

const u16 = (...values: number[]): Bytes => joined(values.map((value) => bigEndian(value, 2)))

const joined = (parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))

const letters = (text: string): Bytes => new TextEncoder().encode(text)

const sizeOf = (parts: readonly Bytes[]): number => parts.reduce((sum, { length }) => sum + length, 0)
