import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** How many bytes may wait for a client that does not read. Then its connection ends, so that it does not delay the others. */
const MAX_WAITING = 16 * 1024 * 1024
/** And for all of them together: then the connection with the most ends. */
const MAX_WAITING_IN_ALL = 128 * 1024 * 1024
/** A client with fewer bytes waiting reads: the others are not counted. */
const NOTABLE = 64 * 1024

/**
 * A WebSocket as a stream for the broker. All packets of one event-loop turn are sent in one frame, because a frame costs more than a packet. A client
 * that stops reading never slows the broker down.
 */
export class SocketStream extends Duplex {
  readonly #socket: WebSocket
  readonly #all: ReadonlySet<WebSocket>
  readonly #meter: ReturnType<typeof createPacketMeter>
  readonly #frames: ReturnType<typeof createFrameMeter>

  /**
   * `raw` is what the WebSocket reads: it keeps the bytes of a frame until the frame is whole, so the head of the frame is checked before. `all`: the
   * WebSockets of the server.
   */
  constructor(
    socket: WebSocket,
    raw: Pick<Duplex, 'prependListener' | 'destroy'>,
    allowance: Allowance,
    all: ReadonlySet<WebSocket>,
  ) {
    super({ writableHighWaterMark: 2 * MAX_WAITING })
    this.#socket = socket
    this.#all = all
    this.#meter = createPacketMeter(allowance, performance.now())
    this.#frames = createFrameMeter(allowance, performance.now())
    raw.prependListener('data', (piece: Uint8Array) => {
      if (!this.#frames.take(piece, performance.now())) raw.destroy()
    })
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary || !this.#meter.take(data, performance.now())) this.destroy()
      else if (!this.push(data)) socket.pause()
    })
    socket.on('close', () => this.destroy())
    socket.on('error', () => this.destroy())
  }

  allow(allowance: Allowance): void {
    this.#meter.allow(allowance)
    this.#frames.allow(allowance)
  }

  override _read(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send(chunk)
    done()
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#send(chunks.length === 1 ? chunks[0].chunk : Buffer.concat(chunks.map(({ chunk }) => chunk)))
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.terminate()
    done(error)
  }

  #send(bytes: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > MAX_WAITING) return void this.destroy()
    this.#socket.send(bytes, { binary: true })
    if (this.#socket.bufferedAmount > NOTABLE) this.#boundAll()
  }

  #boundAll(): void {
    let sum = 0
    let largest = this.#socket
    for (const each of this.#all) {
      sum += each.bufferedAmount
      if (each.bufferedAmount > largest.bufferedAmount) largest = each
    }
    if (sum > MAX_WAITING_IN_ALL) largest.terminate()
  }
}

/** The limits for a client; `longest`: the longest message, in bytes, with its topic. */
export type Allowance = Readonly<Record<'longest' | 'messagesPerSecond' | 'bytesPerSecond', number>>

const BURST_SECONDS = 2

/** How many bytes longer than its longest message a frame may be: packets are joined in frames. */
const FRAME_MORE = 4096
/** Some clients send the pieces of a message as frames of their own. */
const FRAMES_A_MESSAGE = 10
const CONTROL_FRAME = 8
const LAST_FRAME = 128

/**
 * Returns a meter that reads only the heads of WebSocket frames (RFC 6455, section 5.2), however the stream is cut. Counts the frames, of which
 * a packet meter does not see empty ones and pings. `now` is in milliseconds.
 */
export function createFrameMeter(start: Allowance, now: number) {
  let allowed = start
  let frames = Infinity
  let last = now
  /** The remaining bytes of the present frame, and those of the frames of the present message. */
  let left = 0
  let message = 0
  let head: number[] = []
  return {
    allow(allowance: Allowance): void {
      allowed = allowance
      frames = Infinity
    },
    /** Counts a piece of the stream. Returns false once it exceeds the allowance. */
    take(piece: Uint8Array, at: number): boolean {
      const most = allowed.messagesPerSecond * FRAMES_A_MESSAGE
      // Not `Infinity * 0`.
      frames = Math.min(most * BURST_SECONDS, frames + (at > last ? ((at - last) / 1000) * most : 0))
      last = Math.max(last, at)
      for (let i = 0; i < piece.length; ) {
        const step = Math.min(left, piece.length - i)
        left -= step
        i += step
        if (step > 0) continue
        head.push(piece[i++])
        const [first, second = 0] = head
        const digits = (second & 127) === 127 ? 8 : (second & 127) === 126 ? 2 : 0
        if (head.length < 2 + digits + ((second & 128) === 0 ? 0 : 4)) continue
        left = digits === 0 ? second & 127 : head.slice(2, 2 + digits).reduce((sum, byte) => 256 * sum + byte, 0)
        head = []
        frames--
        if ((first & CONTROL_FRAME) === 0) message += left
        if (message > allowed.longest + FRAME_MORE || left > allowed.longest + FRAME_MORE) return false
        if ((first & CONTROL_FRAME) === 0 && (first & LAST_FRAME) !== 0) message = 0
      }
      return frames >= 0
    },
  }
}

function refilled(left: number, perSecond: number, seconds: number): number {
  // Not `Infinity * 0`: two messages may come within one step of the clock.
  return Math.min(seconds > 0 ? left + seconds * perSecond : left, perSecond * BURST_SECONDS)
}

/**
 * Returns a meter that reads only the lengths of MQTT packets (MQTT 3.1.1, section 2.2), however the stream is cut. A message that is too
 * long is refused at its head, before it is in memory. `now` is in milliseconds.
 */
export function createPacketMeter(start: Allowance, now: number) {
  let allowed = start
  let messages = start.messagesPerSecond * BURST_SECONDS
  let bytes = start.bytesPerSecond * BURST_SECONDS
  let last = now
  /** The remaining bytes of the present packet. */
  let left = 0
  /** How many bytes of a head have arrived: its type, then the digits of its length. */
  let head = 0
  let length = 0
  return {
    allow(allowance: Allowance): void {
      allowed = allowance
      messages = allowance.messagesPerSecond * BURST_SECONDS
      bytes = allowance.bytesPerSecond * BURST_SECONDS
    },
    /** Counts a piece of the stream. Returns false once it exceeds the allowance. */
    take(piece: Uint8Array, at: number): boolean {
      const seconds = Math.max(0, at - last) / 1000
      last = at
      messages = refilled(messages, allowed.messagesPerSecond, seconds)
      bytes = refilled(bytes, allowed.bytesPerSecond, seconds) - piece.length
      for (let i = 0; i < piece.length; ) {
        const step = Math.min(left, piece.length - i)
        left -= step
        i += step
        if (step > 0) continue
        const byte = piece[i++]
        length = head === 0 ? 0 : length + (byte & 127) * 128 ** (head - 1)
        if (head > 0 && byte < 128) {
          messages--
          left = length
          head = 0
          if (length > allowed.longest) return false
        } else if (++head > 4) return false
      }
      return messages >= 0 && bytes >= 0
    },
  }
}
