import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Channel, createChannel } from '../../../../src/features/room/functions/channel.ts'
import type { ChannelPiece } from '../../../../src/features/room/protocol/messages.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { inFull } from '../../../fixtures/extent.ts'

const message = (n: number, length: number) => {
  const bytes = new Uint8Array(Math.max(4, length))
  new DataView(bytes.buffer).setUint32(0, n)
  return bytes
}
const numberOf = (bytes: Uint8Array) => [new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length]

test('through a broker that loses, doubles and turns around, each message arrives once and in order, both ways', () => {
  const lengths = fc.array(fc.oneof(fc.nat(50), fc.nat(500_000)), { maxLength: 12 })
  fc.assert(
    fc.property(lengths, lengths, fc.nat(), (there, back, seed) => {
      const chance = createChance(seed)
      const arrived: [number, number][][] = [[], []]
      const under: { readonly to: number; readonly piece: ChannelPiece }[] = []
      const ends: Channel[] = [0, 1].map((end) =>
        createChannel(
          (piece) => {
            for (let copies = chance.below(3); copies > 0; copies--) under.push({ to: 1 - end, piece })
          },
          (bytes) => arrived[end].push(numberOf(bytes) as [number, number]),
        ),
      )
      there.forEach((length, n) => {
        ends[0].post(message(n, length))
      })
      back.forEach((length, n) => {
        ends[1].post(message(n, length))
      })
      for (
        let step = 0;
        step < 100_000 && (arrived[1].length < there.length || arrived[0].length < back.length);
        step++
      ) {
        if (under.length > 0 && chance.percent(80)) {
          const [{ to, piece }] = under.splice(chance.below(under.length), 1)
          ends[to].take(piece)
        } else for (const end of ends) end.tick(250_000)
      }
      const sent = (list: readonly number[]) => list.map((length, n) => [n, Math.max(4, length)])
      expect(arrived).toEqual([sent(back), sent(there)])
    }),
    { numRuns: inFull ? 500 : 40 },
  )
})

test('nothing more is sent after a while when nothing is left to say, and little before the other end has answered', () => {
  const sent: [ChannelPiece[], ChannelPiece[]] = [[], []]
  const [a, b] = [0, 1].map((end) =>
    createChannel(
      (piece) => sent[end].push(piece),
      () => {},
    ),
  )
  a.post(message(0, 2_000_000))
  expect(sent[0].reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)).toBeLessThanOrEqual(250_000)
  const turn = () => {
    for (const piece of sent[0].splice(0)) b.take(piece)
    for (const piece of sent[1].splice(0)) a.take(piece)
  }
  for (let k = 0; k < 40; k++) turn()
  for (const end of [a, b]) end.tick(250_000)
  turn()
  for (let k = 0; k < 40; k++) for (const end of [a, b]) end.tick(250_000)
  expect(sent).toEqual([[], []])
})

test('the confirmation of what was never sent is refused', () => {
  const channel = createChannel(
    () => {},
    () => {},
  )
  expect(() => channel.take({ number: 0, upTo: 1, last: false, bytes: null })).toThrow(RangeError)
})

test('pieces that are far ahead are not kept: a stranger cannot fill the memory with them', () => {
  const arrived: number[] = []
  const channel = createChannel(
    () => {},
    (bytes) => arrived.push(bytes[0]),
  )
  const piece = (number: number): ChannelPiece => ({ number, upTo: 0, last: true, bytes: Uint8Array.of(number) })
  for (const number of [7, 8, 9, 1000]) channel.take(piece(number))
  for (let number = 0; number < 7; number++) channel.take(piece(number))
  expect(arrived).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  channel.take(piece(8))
  expect(arrived).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})
