import { expect, test } from 'vitest'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import type { Presence } from '../../../../src/features/room/protocol/messages.ts'
import { readPresence } from '../../../../src/features/room/protocol/readMessages.ts'
import { MadeUpRoom } from './madeUpRoom.ts'

/** A room whose messages take 10 ms each way, and what device a says of itself. */
function listeningRoom() {
  const room = new MadeUpRoom()
  const sent: (Presence | null)[] = []
  room.broker.connect({ clientId: 'host1' }).subscribe(deviceTopic('R', 'a', 'is'), (_, bytes) => sent.push(readPresence(bytes)))
  room.way = 10_000
  return { room, sent }
}

test('a device says how long its messages take to the broker and back, as soon as it has heard one of its own', async () => {
  const { room, sent } = listeningRoom()
  room.join('a')
  await room.pass(4_000_000)
  room.way = 300
  await room.pass(6_000_000)
  expect(sent.map((presence) => presence?.roundTrip)).toEqual([null, 20_000, 20_000, 600])
})

test('what a broker has kept of an earlier life, and of an earlier connection, is no echo', async () => {
  const { room, sent } = listeningRoom()
  const before = room.join('a')
  await room.pass(1_000_000)
  before.carrier.cut()
  room.join('a')
  await room.pass(4_000_000)
  expect(new Set(sent.map((presence) => presence?.roundTrip ?? null))).toEqual(new Set([null, 20_000]))
})
