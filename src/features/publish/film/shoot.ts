import { t } from '../../../language/translate.ts'
import { mp4 } from './mp4.ts'
import { type CodedFrame, webm } from './webm.ts'

export type FilmFormat = 'WebM' | 'MP4'

interface Take {
  readonly width: number
  readonly height: number
  /** The length of the film, in seconds. */
  readonly length: number
  readonly format: FilmFormat
}

const FRAMES_A_SECOND = 30
/** Frames between two key frames, which a player can seek to. */
const KEY_EVERY = 60
/** How many pictures may wait for the encoder. */
const MAX_QUEUED = 4
/** The codecs of a format, best first; the first one that the browser supports is used. Level 4 of VP9 and H.264 holds 1080 lines at 30 frames a second. */
const codecs: Readonly<Record<FilmFormat, readonly string[]>> = { WebM: ['vp09.00.40.08', 'vp8'], MP4: ['avc1.640028', 'avc1.4d0028', 'avc1.42e028'] }

/** Returns why this browser cannot make films; null if it can. */
export function whyNoFilm(): string | null {
  return typeof VideoEncoder === 'function' && typeof VideoFrame === 'function'
    ? null
    : t('This browser cannot encode video (WebCodecs). Current versions of Chrome, Edge, Firefox and Safari can, on pages served over https.')
}

/** Returns whether the browser can make films in a format. */
export async function canShoot(format: FilmFormat): Promise<boolean> {
  if (whyNoFilm() !== null) return false
  return (await firstSupported(format, settingsOf(1280, 720))) !== null
}

/**
 * Makes a film frame by frame: `draw` draws the frame at a share of the film, 0 to 1. A slow machine, or a hidden page, makes the
 * same film. Rejects with an Error for the user, or with the reason of the signal.
 */
export async function shoot(
  canvas: HTMLCanvasElement,
  { width, height, length, format }: Take,
  draw: (share: number) => void,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
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
    const refused = () => new Error(t('This browser cannot make a {format} video of {width} × {height} pixels.', { format, width, height }))
    if (codec === null) throw refused()
    encoder.configure({ ...settings, codec })
    const all = Math.round(length * FRAMES_A_SECOND)
    for (let i = 0; i < all; i++) {
      signal.throwIfAborted()
      if (broken !== null) throw broken
      draw(all === 1 ? 1 : i / (all - 1))
      const frame = new VideoFrame(canvas, { timestamp: Math.round((i * 1_000_000) / FRAMES_A_SECOND), duration: Math.round(1_000_000 / FRAMES_A_SECOND) })
      encoder.encode(frame, { keyFrame: i % KEY_EVERY === 0 })
      frame.close()
      progress(i / all)
      // Lets the page do other work meanwhile.
      do await turn()
      while (encoder.encodeQueueSize > MAX_QUEUED && broken === null)
    }
    await encoder.flush()
    // Without it no player can begin.
    if (format === 'MP4' && description.length === 0) throw refused()
    if (format === 'MP4') return mp4({ width, height, framesASecond: FRAMES_A_SECOND, description, frames })
    return webm({ codec: codec === 'vp8' ? 'V_VP8' : 'V_VP9', width, height, duration: (all * 1000) / FRAMES_A_SECOND, frames })
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
  for (const codec of codecs[format]) if ((await VideoEncoder.isConfigSupported({ ...settings, codec })).supported) return codec
  return null
}

function bytesOf(source: AllowSharedBufferSource): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source))
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
