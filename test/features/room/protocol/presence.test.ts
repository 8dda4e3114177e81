import { expect, test } from 'vitest'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import type { Presence } from '../../../../src/features/room/protocol/messages.ts'
import { readPresence } from '../../../../src/features/room/protocol/readMessages.ts'
import { MadeUpRoom } from './madeUpRoom.ts'

/** A room whose messages take 10 ms each way, and the presence of device a. */
function listeningRoom() {
  const room = new MadeUpRoom()
  const sent: (Presence | null)[] = []
  room.broker.connect({ clientId: 'host1' }).subscribe(deviceTopic('R', 'a', 'is'), (_, bytes) => sent.push(readPresence(bytes)))
  room.way = 10_000
  return { room, sent }
}

test('a device reports the round trip to the broker as soon as it has received its own message', async () => {
  const { room, sent } = listeningRoom()
  room.join('a')
  await room.pass(4_000_000)
  room.way = 300
  await room.pass(6_000_000)
  expect(sent.map((presence) => presence?.roundTrip)).toEqual([null, 20_000, 20_000, 600])
})

test('a message retained from an earlier session or connection is not an echo', async () => {
  const { room, sent } = listeningRoom()
  const before = room.join('a')
  await room.pass(1_000_000)
  before.carrier.cut()
  room.join('a')
  await room.pass(4_000_000)
  expect(new Set(sent.map((presence) => presence?.roundTrip ?? null))).toEqual(new Set([null, 20_000]))
})
