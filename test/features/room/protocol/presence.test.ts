import { expect, test } from 'vitest'
import { lend } from '../../../../src/features/room/protocol/lender.ts'
import { type Presence, packPresence } from '../../../../src/features/room/protocol/messages.ts'
import { readPresence } from '../../../../src/features/room/protocol/readMessages.ts'

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
