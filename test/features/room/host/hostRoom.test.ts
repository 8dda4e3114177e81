import { expect, test } from 'vitest'
import { createSession } from '../../../../src/app/session/session.ts'
import { openRoom, roomStore } from '../../../../src/features/room/host/hostRoom.ts'
import { distinctName } from '../../../../src/features/room/host/roomWords.ts'
import { type Carrier, deviceTopic, fullTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { packPresence } from '../../../../src/features/room/protocol/messages.ts'

/** The host's page, and a fake of its broker. */
async function hosted() {
  const session = createSession()
  let onMessage = (_: string, __: Uint8Array) => {}
  let onFull = (_: string, __: Uint8Array) => {}
  const carrier: Carrier = {
    publish() {},
    subscribe(filter, call) {
      if (filter === deviceTopic('R', '+', 'is')) onMessage = call
      if (filter === fullTopic('R')) onFull = call
    },
    onState: (call) => call(true),
    end() {},
  }
  openRoom(session, { broker: '', room: 'R', role: 'host', token: '' }, async () => carrier)
  await Promise.resolve()
  const is = (id: string, name: string, roundTrip: number | null = null) =>
    onMessage(
      deviceTopic('R', id, 'is'),
      packPresence({ life: 'l', connection: 1, name, build: '', threads: 1, lacks: [], roundTrip }),
    )
  const goes = (id: string) => onMessage(deviceTopic('R', id, 'is'), new Uint8Array(0))
  const devices = () => roomStore(session).getState().devices
  const full = (text: string) => {
    onFull(fullTopic('R'), new TextEncoder().encode(text))
    return roomStore(session).getState().refused
  }
  return { is, goes, full, devices, names: () => devices().map(({ name }) => name) }
}

test('devices with the same name can be distinguished, and keep their names while they are there', async () => {
  const { is, goes, names } = await hosted()
  is('a', 'laptop')
  is('b', 'laptop')
  is('c', 'laptop')
  expect(names()).toEqual(['laptop', 'laptop 2', 'laptop 3'])
  goes('a')
  is('b', 'laptop')
  expect(names()).toEqual(['laptop 2', 'laptop 3'])
  is('d', 'laptop')
  expect(names()).toEqual(['laptop 2', 'laptop 3', 'laptop'])
  is('b', 'phone')
  expect(names()).toEqual(['phone', 'laptop 3', 'laptop'])
})

test('a name that looks like a numbered one is numbered too, and an empty name stays empty', () => {
  const there = ['laptop', 'laptop 2', ''].map((name) => ({ name }))
  expect(distinctName('laptop', there)).toBe('laptop 3')
  expect(distinctName('laptop 2', there)).toBe('laptop 2 2')
  expect(distinctName('phone', there)).toBe('phone')
  expect(distinctName('', there)).toBe('')
})

test('the list has the round trip that each device has measured last', async () => {
  const { is, devices } = await hosted()
  is('a', 'laptop')
  is('b', 'phone', 40_000)
  is('a', 'laptop', 1100)
  expect(devices().map(({ roundTrip }) => roundTrip)).toEqual([1100, 40_000])
})

test('the host hears how many devices were refused, and a text of a foreign broker is no number', async () => {
  const { full } = await hosted()
  expect(['3', '', '12', 'many', '-1', '99999999999', '1e3'].map(full)).toEqual([3, 0, 12, 0, 0, 0, 0])
})
