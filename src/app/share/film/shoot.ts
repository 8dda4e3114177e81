import { t } from '../../../language/translate.ts'
import { type CodedFrame, webm } from './webm.ts'

export interface Take {
  readonly width: number
  readonly height: number
  /** The length of the film, in seconds. */
  readonly length: number
}

export const FRAMES_A_SECOND = 30
/** A key frame so often, in frames: a player can seek to it. */
const KEY_EVERY = 60
/** The most pictures that wait for the encoder. */
const BEHIND = 4
/** The first of these that the browser supports is used. VP9 of level 4 holds 1080 lines at 30 frames a second. */
const codecs = [
  { codec: 'vp09.00.40.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
] as const

/** Returns why this browser makes no films; null if it does. */
export function whyNoFilm(): string | null {
  return typeof VideoEncoder === 'function' && typeof VideoFrame === 'function'
    ? null
    : t('This browser has no encoder of video (WebCodecs). Chrome, Edge, Firefox and Safari of today have one, on pages served by https.')
}

/**
 * Makes a WebM file frame by frame: `draw` draws the frame at a share of the film, 0 to 1. A slow machine, or a hidden page, makes the
 * same film. Rejects with an Error in words, or with the reason of the signal.
 */
export async function shoot(
  canvas: HTMLCanvasElement,
  { width, height, length }: Take,
  draw: (share: number) => void,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const frames: CodedFrame[] = []
  let broken: Error | null = null
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      frames.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', bytes })
    },
    error(error) {
      broken = error
    },
  })
  try {
    const settings = { width, height, framerate: FRAMES_A_SECOND, bitrate: width * height * 4 }
    const chosen = await firstSupported(settings)
    encoder.configure({ ...settings, codec: chosen.codec })
    const all = Math.round(length * FRAMES_A_SECOND)
    for (let i = 0; i < all; i++) {
      signal.throwIfAborted()
      if (broken !== null) throw broken
      draw(all === 1 ? 1 : i / (all - 1))
      const frame = new VideoFrame(canvas, { timestamp: Math.round((i * 1_000_000) / FRAMES_A_SECOND), duration: Math.round(1_000_000 / FRAMES_A_SECOND) })
      encoder.encode(frame, { keyFrame: i % KEY_EVERY === 0 })
      frame.close()
      progress(i / all)
      // Lets the page go on meanwhile.
      do await turn()
      while (encoder.encodeQueueSize > BEHIND && broken === null)
    }
    await encoder.flush()
    return webm({ codec: chosen.name, width, height, duration: (all * 1000) / FRAMES_A_SECOND, frames })
  } finally {
    if (encoder.state !== 'closed') encoder.close()
  }
}

async function firstSupported(settings: Omit<VideoEncoderConfig, 'codec'>): Promise<(typeof codecs)[number]> {
  // WebKitGTK crashes on the question below if no media was used before. This uses some.
  document.createElement('video').canPlayType('video/webm')
  for (const each of codecs) if ((await VideoEncoder.isConfigSupported({ ...settings, codec: each.codec })).supported) return each
  throw new Error(t('This browser makes no WebM of {width} × {height} pixels.', { width: settings.width, height: settings.height }))
}

/** Waits for a turn of the event loop. Unlike a timer, it comes at once in a hidden page too. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
