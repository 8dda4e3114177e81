import { expect, test } from 'vitest'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { lend } from '../../../../src/features/room/protocol/lender.ts'
import { type Presence, packPresence } from '../../../../src/features/room/protocol/messages.ts'
import { readPresence } from '../../../../src/features/room/protocol/readMessages.ts'
import { MadeUpRoom } from './madeUpRoom.ts'

/** A room whose messages take 10 ms each way, and the presence of device a. */
function listeningRoom() {
  const room = new MadeUpRoom()
  const sent: (Presence | null)[] = []
  room.broker
    .connect({ clientId: 'host1' })
    .subscribe(deviceTopic('R', 'a', 'is'), (_, bytes) => sent.push(readPresence(bytes)))
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

/** A device whose broker is the test: it decides which presence comes back, and when. */
function lonelyDevice() {
  let now = 0
  let tick = () => {}
  let state = (_: boolean) => {}
  let hear = (_: Uint8Array) => {}
  const sent: Presence[] = []
  const lender = lend(
    {
      publish(topic, bytes) {
        const presence = topic.endsWith('/is') ? readPresence(bytes) : null
        if (presence !== null) sent.push(presence)
      },
      subscribe(topic, call) {
        if (topic.endsWith('/is')) hear = (bytes) => call(topic, bytes)
      },
      onState: (call) => {
        state = call
        call(true)
      },
      end() {},
    },
    {
      ...{
        room: 'R',
        device: 'd',
        name: '',
        build: '',
        threads: 1,
        lacks: [],
        now: () => now,
        start: () => Promise.reject() as never,
      },
      every: (_, call) => {
        tick = call
        return () => {}
      },
    },
    () => {},
  )
  return {
    lender,
    sent,
    pass: (micros: number) => {
      now += micros
    },
    reconnect: () => [false, true].map((up) => state(up)),
    hear: (presence: Presence | null) => hear(presence === null ? new Uint8Array(0) : packPresence(presence)),
    /** The round trip that the next presence has. */
    told: () => {
      tick()
      return sent.at(-1)?.roundTrip
    },
  }
}

test.each<[string, (device: ReturnType<typeof lonelyDevice>) => unknown, number | null]>([
  ['its own echo', ({ sent, hear }) => hear(sent[0]), 500],
  ['the echo of an earlier connection', ({ sent, hear, reconnect }) => [reconnect(), hear(sent[0])], null],
  [
    'the echo of this connection after the echo of an earlier one',
    ({ sent, hear, reconnect }) => [reconnect(), hear(sent[0]), hear(sent[1])],
    0,
  ],
  ['the message of another device', ({ sent, hear }) => hear({ ...sent[0], life: 'other' }), null],
  ['an empty message', ({ hear }) => hear(null), null],
  ['the same echo a second time', ({ sent, hear, pass }) => [hear(sent[0]), pass(70), hear(sent[0])], 500],
  ['an echo before the clock reaches the time of sending', ({ sent, hear, pass }) => [pass(-900), hear(sent[0])], 0],
])('the round trip is measured by %s as it should be', (_, happens, roundTrip) => {
  const device = lonelyDevice()
  device.pass(500)
  happens(device)
  expect(device.told()).toBe(roundTrip)
})

test('a device repeats its presence when a late will has cleared it, unless it has left', () => {
  const { sent, hear, lender } = lonelyDevice()
  hear(null)
  expect(sent).toHaveLength(2)
  lender.leave()
  hear(null)
  expect(sent).toHaveLength(2)
})
