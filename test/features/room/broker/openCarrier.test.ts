import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCarrier } from '../../../../src/features/room/brokerClient/openCarrier.ts'
import { type Carrier, deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { hostToken, joinToken, type RoomHere, roomHere } from './roomHere.ts'

let room: RoomHere
const opened: Carrier[] = []
beforeEach(async () => {
  room = await roomHere()
})
afterEach(async () => {
  for (const carrier of opened.splice(0)) carrier.end()
  await room.end()
})

const is = deviceTopic('R', 'phone', 'is')

async function carrierOf(role: 'host' | 'join'): Promise<Carrier> {
  const address = { broker: room.broker, room: 'R', role, token: role === 'host' ? hostToken : joinToken }
  const carrier = await openCarrier(address, role === 'host' ? 'host1' : 'phone')
  opened.push(carrier)
  return carrier
}

/** Returns the messages of devices that a host receives, as topic and bytes. */
function messagesTo(host: Carrier): string[] {
  const received: string[] = []
  for (const kind of ['is', 'up'] as const)
    host.subscribe(deviceTopic('R', '+', kind), (topic, bytes) =>
      received.push(`${topic.split('/').pop()} ${bytes.join(' ')} at ${bytes.byteOffset}`),
    )
  return received
}

test('a message arrives whole, at the beginning of its own buffer, and a retained one also later', async () => {
  const device = await carrierOf('join')
  device.publish(is, Uint8Array.of(1, 2), true)
  const received = messagesTo(await carrierOf('host'))
  await expect.poll(() => received).toEqual(['is 1 2 at 0'])
  device.publish(deviceTopic('R', 'phone', 'up'), Uint8Array.of(3))
  await expect.poll(() => received).toEqual(['is 1 2 at 0', 'up 3 at 0'])
})

test('the effects of a message come before the next message, also if many arrive at once', async () => {
  const device = await carrierOf('join')
  const host = await carrierOf('host')
  const order: string[] = []
  host.subscribe(deviceTopic('R', '+', 'up'), (_, [n]) => {
    order.push(`${n}`)
    queueMicrotask(() => order.push(`after ${n}`))
  })
  await expect
    .poll(() => {
      for (let n = 0; n < 20; n++) device.publish(deviceTopic('R', 'phone', 'up'), Uint8Array.of(n))
      return order.length
    })
    .toBeGreaterThan(100)
  expect(order).toEqual(order.flatMap((words, k) => (k % 2 === 0 ? [words, `after ${words}`] : [])))
})

test('a broker that dies and comes back is found again, with all subscriptions; messages in between are dropped', async () => {
  const device = await carrierOf('join')
  const host = await carrierOf('host')
  const received = messagesTo(host)
  const states: boolean[] = []
  host.onState((up) => states.push(up))
  let deviceUp = true
  device.onState((up) => {
    deviceUp = up
  })
  const back = room.restart(600)
  await expect.poll(() => [deviceUp, states.at(-1)]).toEqual([false, false])
  device.publish(deviceTopic('R', 'phone', 'up'), Uint8Array.of(4))
  await back
  await expect.poll(() => [deviceUp, states]).toEqual([true, [true, false, true]])
  device.publish(deviceTopic('R', 'phone', 'up'), Uint8Array.of(5))
  await expect.poll(() => received).toEqual(['up 5 at 0'])
})
