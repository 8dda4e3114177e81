import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import {
  type Allowance,
  createPacketMeter,
  SocketStream,
} from '../../../../src/features/room/brokerServer/socketStream.ts'

const allowance: Allowance = { longest: 1000, messagesPerSecond: 10, bytesPerSecond: 100_000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A WebSocket that is this test, as a stream. */
function opened(allowed: Allowance = allowance) {
  const sent: Buffer[] = []
  const made = {
    ...{ readyState: 1, OPEN: 1, bufferedAmount: 0, isPaused: false, terminated: 0 },
    send: (bytes: Buffer) => sent.push(bytes),
    pause() {
      made.isPaused = true
    },
    resume() {
      made.isPaused = false
    },
    terminate() {
      made.terminated++
    },
  }
  const socket = Object.assign(new EventEmitter(), made)
  // The state is that of the copy.
  socket.pause = () => {
    socket.isPaused = true
  }
  socket.resume = () => {
    socket.isPaused = false
  }
  socket.terminate = () => {
    socket.terminated++
  }
  let cut = 0
  const raw = Object.assign(new EventEmitter(), { destroy: () => cut++ })
  const stream = new SocketStream(socket as unknown as WebSocket, raw as never, allowed, new Set())
  stream.on('error', () => {})
  return {
    socket,
    raw,
    stream,
    sent,
    cut: () => cut,
    hear: (bytes: readonly number[] | Buffer) => socket.emit('message', Buffer.from(bytes), true),
  }
}

const packet = (length: number) => [
  48,
  ...(length < 128 ? [length] : [(length % 128) + 128, Math.floor(length / 128)]),
  ...Array<number>(length).fill(7),
]
const packets = (count: number) => Array.from({ length: count }, () => packet(1)).flat()
const frame = (length: number, first = 0x82) => [first, 128 + 126, length >> 8, length & 255, 1, 2, 3, 4]

describe('a WebSocket as a stream', () => {
  test('ends with its WebSocket, and ends it', () => {
    for (const event of ['close', 'error']) {
      const { socket, stream } = opened()
      socket.emit(event, new Error('gone'))
      expect([event, stream.destroyed, socket.terminated]).toEqual([event, true, 1])
    }
  })

  test('is not read on while what came has not been taken, and is read on then', () => {
    const { socket, stream, hear } = opened({ longest: 1e6, messagesPerSecond: Infinity, bytesPerSecond: 1e9 })
    hear(Buffer.concat([Buffer.from([48, 128 + 0x20, 128 + 0x0d, 6]), Buffer.alloc(0x20 + 0x0d * 128 + 6 * 16_384)]))
    expect([socket.isPaused, stream.destroyed]).toEqual([true, false])
    stream.resume()
    vi.advanceTimersByTime(1)
    stream.read()
    expect(socket.isPaused).toBe(false)
  })

  test('ends what it reads from at the head of a frame that is too long', () => {
    const { raw, cut } = opened()
    raw.emit('data', Uint8Array.from(frame(5096)))
    expect(cut()).toBe(0)
    const other = opened()
    other.raw.emit('data', Uint8Array.from(frame(5097)))
    expect(other.cut()).toBe(1)
  })
})

describe('the meter of packets', () => {
  test('has no limit where there is none, however many packets come at one time', () => {
    const meter = createPacketMeter({ longest: 1000, messagesPerSecond: Infinity, bytesPerSecond: Infinity }, 5)
    for (const at of [5, 5, 5, 4, 6, 6]) expect(meter.take(Uint8Array.from(packets(1000)), at), String(at)).toBe(true)
    expect(meter.take(Uint8Array.from(packet(1001)), 7)).toBe(false)
    const stranger = createPacketMeter(allowance, 5)
    stranger.allow({ longest: 1000, messagesPerSecond: Infinity, bytesPerSecond: Infinity })
    expect(stranger.take(Uint8Array.from(packets(1000)), 5)).toBe(true)
  })
})
