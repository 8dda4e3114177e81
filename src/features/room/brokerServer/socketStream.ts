import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type Allowance, createPacketMeter, type PacketMeter } from './packetMeter.ts'

/** So much may wait for somebody who does not read. Then the connection ends: what waits for one must not hold up all others. */
const MAX_WAITING = 16 * 1024 * 1024

/**
 * A WebSocket as a stream for the broker. All packets of one turn leave in one frame, because a frame costs more than a packet. A reader
 * that stands still never slows the broker down.
 */
export class SocketStream extends Duplex {
  readonly #socket: WebSocket
  readonly #meter: PacketMeter

  constructor(socket: WebSocket, allowance: Allowance) {
    super({ writableHighWaterMark: 2 * MAX_WAITING })
    this.#socket = socket
    this.#meter = createPacketMeter(allowance, performance.now())
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary || !this.#meter.take(data, performance.now())) this.destroy()
      else if (!this.push(data)) socket.pause()
    })
    socket.on('close', () => this.destroy())
    socket.on('error', () => this.destroy())
  }

  /** Says what it may send from now on. */
  allow(allowance: Allowance): void {
    this.#meter.allow(allowance)
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
    if (this.#socket.bufferedAmount > MAX_WAITING) this.destroy()
    else this.#socket.send(bytes, { binary: true })
  }
}
