import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/features/room/functions/channel.ts'
import type { ChannelPiece } from '../../../../src/features/room/protocol/messages.ts'

const PIECE = 120_000

/** One end of a channel. The other end is the test. */
function oneEnd() {
  const sent: ChannelPiece[] = []
  const delivered: Uint8Array[] = []
  const channel = createChannel(
    (piece) => sent.push(piece),
    (message) => delivered.push(message),
  )
  const since = (from: number) => sent.slice(from).map(({ number, bytes }) => (bytes === null ? 'confirms' : number))
  const piece = (number: number, more: Partial<ChannelPiece> = {}): ChannelPiece => ({
    number,
    upTo: 0,
    last: true,
    bytes: Uint8Array.of(number),
    ...more,
  })
  const confirm = (upTo: number) => channel.take({ number: 0, upTo, last: false, bytes: null })
  return { channel, sent, delivered, since, piece, confirm }
}

describe('one end of a channel', () => {
  test('sends two pieces, and each further one when one of them is confirmed', () => {
    const { channel, sent, since, confirm } = oneEnd()
    channel.post(new Uint8Array(5 * PIECE))
    expect(since(0)).toEqual([0, 1])
    confirm(1)
    expect(since(2)).toEqual([2])
    confirm(3)
    expect(since(3)).toEqual([3, 4])
    expect(sent.map(({ last, bytes }) => [last, bytes?.length])).toEqual([0, 1, 2, 3, 4].map((k) => [k === 4, PIECE]))
    confirm(5)
    channel.post(new Uint8Array(0))
    expect(sent.at(-1)).toEqual({ number: 5, upTo: 0, last: true, bytes: new Uint8Array(0) })
  })

  test('throws at a confirmation of what it has not sent, also if it is to be sent later', () => {
    const { channel, confirm } = oneEnd()
    expect(() => confirm(1)).toThrow(RangeError)
    channel.post(new Uint8Array(3 * PIECE))
    expect(() => confirm(3)).toThrow(RangeError)
    expect(() => confirm(2)).not.toThrow()
    // One that is late says nothing new.
    expect(() => confirm(1)).not.toThrow()
  })

  test('sends again after half a second, then after twice as long each time, up to four seconds; a confirmation begins that again', () => {
    const { channel, since, sent, confirm } = oneEnd()
    channel.post(new Uint8Array(2 * PIECE))
    const times = (seconds: number) => {
      const at: number[] = []
      for (let time = 0.25; time <= seconds; time += 0.25) {
        const before = sent.length
        channel.tick(250_000)
        if (sent.length > before) at.push(time)
      }
      return at
    }
    expect(times(20)).toEqual([0.5, 1.5, 3.5, 7.5, 11.5, 15.5, 19.5])
    expect(since(2).slice(0, 4)).toEqual([0, 1, 0, 1])
    confirm(1)
    expect(times(4)).toEqual([0.5, 1.5, 3.5])
    expect(since(sent.length - 1)).toEqual([1])
    confirm(2)
    expect(times(20)).toEqual([])
  })

  test('waits from the last confirmation, not from before it', () => {
    const { channel, sent, confirm } = oneEnd()
    channel.post(new Uint8Array(2 * PIECE))
    channel.tick(499_999)
    confirm(1)
    channel.tick(499_999)
    expect(sent).toHaveLength(2)
    channel.tick(1)
    expect(sent).toHaveLength(3)
  })

  test('takes pieces in their order, keeps those that come early up to eight ahead, and no others', () => {
    const { channel, delivered, piece } = oneEnd()
    for (const number of [9, 8, 100, 7, 2, 1]) channel.take(piece(number))
    expect(delivered).toEqual([])
    channel.take(piece(0))
    expect(delivered.map(([number]) => number)).toEqual([0, 1, 2])
    for (const number of [3, 4, 5, 6]) channel.take(piece(number))
    // The eighth was too far ahead.
    expect(delivered.map(([number]) => number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    channel.take(piece(8))
    expect(delivered).toHaveLength(9)
  })

  test('confirms at once a piece that has come before, since the other end does not know', () => {
    const { channel, since, sent, delivered, piece } = oneEnd()
    channel.take(piece(0))
    expect(since(0)).toEqual([])
    channel.take(piece(0))
    expect([since(0), sent.at(-1)?.upTo, delivered.length]).toEqual([['confirms'], 1, 1])
  })

  test('confirms when half of the window has come, and what is less at the next tick, once', () => {
    const { channel, since, sent, piece } = oneEnd()
    channel.take(piece(0, { bytes: new Uint8Array(PIECE - 1), last: false }))
    expect(since(0)).toEqual([])
    channel.take(piece(1, { bytes: new Uint8Array(1), last: false }))
    expect([since(0), sent.at(-1)?.upTo]).toEqual([['confirms'], 2])
    channel.take(piece(2))
    channel.tick(1)
    channel.tick(1)
    expect([since(1), sent.at(-1)?.upTo]).toEqual([['confirms'], 3])
  })

  test('confirms with what it sends, so that no confirmation of its own is needed', () => {
    const { channel, since, sent, piece } = oneEnd()
    channel.take(piece(0))
    channel.post(Uint8Array.of(1))
    channel.tick(1)
    expect([since(0), sent[0].upTo]).toEqual([[0], 1])
  })

  test('puts a message together from its pieces, of which each may be empty, and begins the next one with nothing', () => {
    const { channel, delivered, piece } = oneEnd()
    channel.take(piece(0, { bytes: Uint8Array.of(1, 2), last: false }))
    channel.take(piece(1, { bytes: new Uint8Array(0), last: false }))
    channel.take(piece(2, { bytes: Uint8Array.of(3), last: true }))
    channel.take(piece(3, { bytes: Uint8Array.of(4), last: false }))
    channel.take(piece(4, { bytes: Uint8Array.of(5), last: true }))
    expect(delivered).toEqual([Uint8Array.of(1, 2, 3), Uint8Array.of(4, 5)])
  })

  test('confirms a piece without bytes too', () => {
    const { channel, since, piece } = oneEnd()
    channel.take(piece(0, { bytes: new Uint8Array(0), last: false }))
    channel.tick(1)
    channel.tick(1)
    expect(since(0)).toEqual(['confirms'])
  })

  test('takes the confirmation that a piece of the other end brings, and sends on', () => {
    const { channel, since, piece } = oneEnd()
    channel.post(new Uint8Array(3 * PIECE))
    channel.take(piece(0, { upTo: 1 }))
    expect(since(0)).toEqual([0, 1, 2])
    expect(() => channel.take(piece(1, { upTo: 4 }))).toThrow(RangeError)
  })

  test('sends again after half a second, however long it had nothing to send before', () => {
    const { channel, sent } = oneEnd()
    for (let k = 0; k < 100; k++) channel.tick(250_000)
    channel.post(Uint8Array.of(1))
    channel.tick(499_999)
    expect(sent).toHaveLength(1)
    channel.tick(1)
    expect(sent).toHaveLength(2)
  })

  test('sends again soon once the other end does, since the connection is there again', () => {
    const { channel, since, sent, piece } = oneEnd()
    channel.take(piece(0))
    channel.post(Uint8Array.of(1))
    for (let k = 0; k < 40; k++) channel.tick(250_000)
    // Now it waits four seconds each time.
    const before = sent.length
    channel.tick(1_000_000)
    expect(sent).toHaveLength(before)
    channel.take(piece(0))
    expect(since(before)).toEqual(['confirms'])
    channel.tick(250_000)
    expect(since(before + 1)).toEqual([0])
  })

  test('keeps nothing of what it has delivered', async () => {
    const channel = createChannel(
      () => {},
      () => {},
    )
    const refs: WeakRef<Uint8Array>[] = []
    const pass = (number: number) => {
      const bytes = new Uint8Array(1000)
      refs.push(new WeakRef(bytes))
      channel.take({ number, upTo: 0, last: number % 3 === 2, bytes })
    }
    for (let number = 0; number < 9; number++) pass(number)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    expect(refs.map((ref) => ref.deref())).toEqual(refs.map(() => undefined))
    channel.tick(1)
  })

  test('throws at a message of more than half a gigabyte, and counts each message by itself', () => {
    // Its bytes are the same ones each time, so that they take no memory.
    const part = new Uint8Array(1 << 27)
    const { channel, piece } = oneEnd()
    for (const number of [0, 1, 2]) channel.take(piece(number, { bytes: part, last: false }))
    channel.take(piece(3, { bytes: part, last: false }))
    expect(() => channel.take(piece(4, { bytes: Uint8Array.of(1), last: false }))).toThrow(RangeError)
    const each = oneEnd()
    for (let number = 0; number < 8; number++) each.channel.take(each.piece(number, { bytes: part }))
    expect(each.delivered).toHaveLength(8)
  })
})
