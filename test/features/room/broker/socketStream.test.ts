import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import {
  createFrameMeter,
  createPacketMeter,
  SocketStream,
} from '../../../../src/features/room/brokerServer/socketStream.ts'

const allowance = { longest: 1000, messagesPerSecond: 10, bytesPerSecond: 100_000 }

/** A packet of MQTT: a type, the length in digits of seven bits, and this many bytes. */
function packet(length: number): number[] {
  const digits: number[] = []
  let rest = length
  do {
    digits.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return [48, ...digits, ...Array.from({ length }, () => 255)]
}

test('packets are counted alike however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 24 }), fc.integer({ min: 1, max: 700 }), (lengths, piece) => {
      const meter = createPacketMeter(allowance, 0)
      const stream = Uint8Array.from(lengths.flatMap(packet))
      let fine = true
      for (let at = 0; at < stream.length; at += piece) fine = meter.take(stream.subarray(at, at + piece), 0) && fine
      // Two seconds' worth may come at once.
      expect(fine).toBe(lengths.length <= 20)
    }),
  )
})

test('a packet that is too long is refused at its head, and so is a length that never ends', () => {
  expect(createPacketMeter(allowance, 0).take(Uint8Array.from(packet(1001).slice(0, 3)), 0)).toBe(false)
  expect(createPacketMeter(allowance, 0).take(Uint8Array.of(48, 255, 255, 255, 255, 1), 0)).toBe(false)
})

test('time brings new allowance, and a client that is let in gets another', () => {
  const meter = createPacketMeter(allowance, 0)
  const many = Uint8Array.from(Array.from({ length: 20 }, () => packet(1)).flat())
  expect(meter.take(many, 0)).toBe(true)
  expect(meter.take(many, 2000)).toBe(true)
  expect(meter.take(many, 2100)).toBe(false)
  meter.allow({ ...allowance, messagesPerSecond: 1000 })
  expect(meter.take(many, 2100)).toBe(true)
})

test('a silent connection saves up no flood: two seconds of allowance, however long it was silent', () => {
  for (const silent of [2000, 60_000, 86_400_000]) {
    const most = createPacketMeter(allowance, 0)
    expect(most.take(Uint8Array.from(Array.from({ length: 20 }, () => packet(1)).flat()), silent)).toBe(true)
    expect(most.take(Uint8Array.from(packet(1)), silent)).toBe(false)
    const bytes = createPacketMeter({ ...allowance, longest: 1_000_000, messagesPerSecond: 1e9 }, 0)
    expect(bytes.take(new Uint8Array(200_001), silent)).toBe(false)
    const frames = createFrameMeter(allowance, 0)
    expect(frames.take(Uint8Array.from(Array.from({ length: 200 }, () => [0x82, 0]).flat()), silent)).toBe(true)
    expect(frames.take(Uint8Array.of(0x82, 0), silent)).toBe(false)
  }
})

test.each([
  ['of four digits is the longest', [48, 255, 255, 255, 127], 268_435_455, true],
  ['that is longer is refused', [48, 255, 255, 255, 127], 268_435_454, false],
  ['of five digits is refused, however small', [48, 128, 128, 128, 128, 0], Infinity, false],
  ['of five digits is refused before the last of them', [48, 129, 128, 128, 128], Infinity, false],
  ['of four digits may be small', [48, 129, 128, 128, 0, 7], 1000, true],
])('a length %s', (_, bytes, longest, fine) => {
  expect(createPacketMeter({ ...allowance, longest }, 0).take(Uint8Array.from(bytes), 0)).toBe(fine)
  const meter = createPacketMeter({ ...allowance, longest }, 0)
  expect(bytes.map((byte) => meter.take(Uint8Array.of(byte), 0)).every(Boolean)).toBe(fine)
})

/** A frame of a WebSocket with these bytes. */
function frame(
  length: number,
  { first = 0x82, masked = true, digits = length < 126 ? 0 : length < 65_536 ? 2 : 8 } = {},
): number[] {
  const size = digits === 0 ? length : digits === 2 ? 126 : 127
  const places = Array.from({ length: digits }, (_, k) => Math.floor(length / 256 ** (digits - 1 - k)) % 256)
  return [
    first,
    size + (masked ? 128 : 0),
    ...places,
    ...(masked ? [1, 2, 3, 4] : []),
    ...Array.from({ length: Math.min(length, 100_000) }, () => 0xff),
  ]
}

const frames = { longest: 1000, messagesPerSecond: 1000, bytesPerSecond: 100_000 }
const takes = (bytes: number[], piece = bytes.length) => {
  const meter = createFrameMeter(frames, 0)
  let fine = true
  for (let at = 0; at < bytes.length; at += piece)
    fine = meter.take(Uint8Array.from(bytes.slice(at, at + piece)), 0) && fine
  return fine
}

test('frames are read alike however the stream is cut, with every form of a head', () => {
  const any = fc.record({
    length: fc.integer({ min: 0, max: 6000 }),
    masked: fc.boolean(),
    wide: fc.constantFrom(undefined, 2, 8),
  })
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), fc.integer({ min: 1, max: 9000 }), (list, piece) => {
      const bytes = list.flatMap(({ length, masked, wide }) =>
        frame(length, { masked, ...(wide !== undefined && { digits: wide }) }),
      )
      expect(takes(bytes, piece)).toBe(list.every(({ length }) => length <= 1000 + 4096))
    }),
  )
})

test('a frame that is too long is refused by its head, and so is a message of many frames', () => {
  expect(takes(frame(5097).slice(0, 8))).toBe(false)
  expect(takes(frame(5097).slice(0, 7))).toBe(true)
  expect(takes([0x82, 255, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])).toBe(false)
  const parts = (count: number) => [
    ...frame(2000, { first: 2 }),
    ...Array.from({ length: count - 1 }, () => frame(2000, { first: 0 })).flat(),
  ]
  expect([takes(parts(2)), takes(parts(3))]).toEqual([true, false])
  // The last part ends a message, and a ping between its parts does not.
  expect(takes([...parts(1), ...frame(2000, { first: 0x80 }), ...parts(2)])).toBe(true)
  expect(takes([...parts(2), ...frame(5, { first: 0x89 }), ...frame(2000, { first: 0 })])).toBe(false)
})

test('a client without limits may send any number of packets at once, but none that is too long', () => {
  const free = { longest: 1000, messagesPerSecond: Infinity, bytesPerSecond: Infinity }
  const packets = Uint8Array.from(Array.from({ length: 1000 }, () => packet(1)).flat())
  const meter = createPacketMeter(free, 5)
  for (const at of [5, 5, 5, 4, 6, 6]) expect(meter.take(packets, at), String(at)).toBe(true)
  expect(meter.take(Uint8Array.from(packet(1001)), 7)).toBe(false)
  const stranger = createPacketMeter(allowance, 5)
  stranger.allow(free)
  expect(stranger.take(packets, 5)).toBe(true)
})

/** A WebSocket that is this test. */
class MadeUpSocket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  bufferedAmount: number
  isPaused = false
  sent = 0
  terminated = 0
  constructor(waiting: number) {
    super()
    this.bufferedAmount = waiting
  }
  send() {
    this.sent++
  }
  pause() {
    this.isPaused = true
  }
  resume() {
    this.isPaused = false
  }
  terminate() {
    this.terminated++
    this.bufferedAmount = 0
  }
}

/** A WebSocket as a stream, among all of the server. */
function opened({ allowed = allowance, waiting = 0, all = new Set<WebSocket>() } = {}) {
  const socket = new MadeUpSocket(waiting)
  all.add(socket as unknown as WebSocket)
  let cut = 0
  const raw = Object.assign(new EventEmitter(), { destroy: () => cut++ })
  const stream = new SocketStream(socket as unknown as WebSocket, raw as never, allowed, all)
  stream.on('error', () => {})
  return { socket, raw, stream, cut: () => cut, send: () => stream.write(Buffer.alloc(10)) }
}

test.each(['close', 'error'])('a stream ends with the %s of its WebSocket, and ends it', (event) => {
  const { socket, stream } = opened()
  socket.emit(event, new Error('gone'))
  expect([stream.destroyed, socket.terminated]).toEqual([true, 1])
})

test('a WebSocket is not read on while its message has not been taken, and is read on then', () => {
  const { socket, stream } = opened({ allowed: { longest: 1e6, messagesPerSecond: Infinity, bytesPerSecond: 1e9 } })
  socket.emit('message', Buffer.from(packet(100_000)), true)
  expect([socket.isPaused, stream.destroyed]).toEqual([true, false])
  stream.read()
  stream.read()
  expect(socket.isPaused).toBe(false)
})

test('what a WebSocket reads from ends at the head of a frame that is too long', () => {
  const cutAfter = (length: number) => {
    const { raw, cut } = opened()
    raw.emit('data', Uint8Array.from(frame(length).slice(0, 8)))
    return cut()
  }
  expect([cutAfter(5096), cutAfter(5097)]).toEqual([0, 1])
})

test('a client with more than 16 MB waiting ends at its next message; of all with more than 128 MB together, the one with the most', () => {
  const MB = 1024 * 1024
  const all = new Set<WebSocket>()
  const join = (waiting: number) => opened({ waiting: waiting * MB, all })
  const stateOf = (of: readonly ReturnType<typeof join>[]) =>
    of.map(({ socket }) => [socket.sent, socket.terminated > 0])
  const [full, over] = [join(16), join(16.1)]
  for (const each of [full, over]) each.send()
  expect(stateOf([full, over])).toEqual([
    [1, false],
    [0, true],
  ])
  // With the 16 MB above that is exactly 128 MB.
  const many = Array.from({ length: 10 }, (_, k) => join(k === 3 ? 15 : k === 4 ? 1 : 12))
  many[0].send()
  expect(stateOf([full, ...many]).filter(([, ended]) => ended)).toEqual([])
  const reader = join(0.01)
  reader.send()
  const last = join(0.5)
  // One that reads does not look at others.
  reader.send()
  expect(full.socket.terminated).toBe(0)
  last.send()
  const ended = [full, ...many, reader, last].map(({ socket }) => socket.terminated > 0)
  expect(ended).toEqual([true, ...Array(12).fill(false)])
})
