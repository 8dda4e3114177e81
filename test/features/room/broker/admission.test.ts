import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLobby, openRoomBroker } from '../../../../src/features/room/brokerServer/roomServer.ts'
import { often } from '../../../fixtures/often.ts'
import {
  asDevice,
  asHost,
  type ConnectFields,
  disconnectPacket,
  enterAs,
  frameOf,
  openRawSocket,
  publishPacket,
  subscribePacket,
} from './rawClients.ts'
import { hostToken, joinToken } from './roomHere.ts'

const times = <T>(count: number, of: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => of(k))
const cleanups: (() => unknown)[] = []
beforeEach(() => {
  // What the broker tells hosts a second later, it tells when the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Opens the broker of a room in this process. `x-address` in the head of a request stands for the address that it came from. */
async function brokerHere(maxDevices?: number) {
  const broker = await openRoomBroker({
    room: 'R',
    host: hostToken,
    join: joinToken,
    ...(maxDevices !== undefined && { maxDevices }),
  })
  const server: Server = createServer()
  server.on('upgrade', (request, socket, head) => {
    const { 'x-address': address } = request.headers
    if (address !== undefined) Object.defineProperty(request.socket, 'remoteAddress', { value: address })
    broker.accept(request, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', () => resolve()))
  const { port } = server.address() as AddressInfo
  const sockets = new Set<Socket>()
  let open = true
  const close = async () => {
    if (open) await broker.close()
    open = false
  }
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy()
    await close()
    server.close()
    server.closeAllConnections()
  })
  const enter = async (id: string, fields: ConnectFields) => {
    const { socket, code } = await enterAs(port, id, fields)
    sockets.add(socket)
    return { socket, code }
  }
  const codeOf = async (id: string, fields: ConnectFields) => (await enter(id, fields)).code
  const silent = async (address?: string) => {
    const { socket } = await openRawSocket(port, { headers: address === undefined ? [] : [`X-Address: ${address}`] })
    sockets.add(socket)
    return socket
  }
  /** A host that hears these topics. */
  const listen = async (id: string, ...filters: string[]) => {
    const client: MqttClient = mqtt.connect(`ws://localhost:${port}/mqtt`, {
      ...{ protocolVersion: 4, username: 'host', password: hostToken, clientId: id, reconnectPeriod: 0 },
    })
    client.on('error', () => {})
    cleanups.push(() => client.end(true))
    const heard: string[] = []
    client.on('message', (topic, bytes, { retain }) =>
      heard.push(`${retain ? 'kept ' : ''}${topic} ${bytes.length > 20 ? bytes.length : bytes}`),
    )
    for (const filter of filters) await client.subscribeAsync(filter)
    return { client, heard }
  }
  return { port, enter, codeOf, silent, listen, close }
}

const poll = <T>(of: () => T) => expect.poll(of, often)
const closing = (socket: Socket) => poll(() => socket.destroyed).toBe(true)
describe('a client is let in', () => {
  test.each<[string, string, ConnectFields, number]>([
    ['a device with the token of devices', 'phone', asDevice, 0],
    ['a host with the token of hosts', 'hostA', asHost, 0],
    ['another role with the token of devices', 'phone', { ...asDevice, username: 'guest' }, 4],
    ['another role with the token of hosts', 'phone', { ...asHost, username: 'Host' }, 4],
    ['no role', 'phone', {}, 4],
    ['a device without a token', 'phone', { username: 'join' }, 4],
    ['a host without a token', 'hostA', { username: 'host' }, 4],
    ['a device with an empty token', 'phone', { username: 'join', password: '' }, 4],
    ['a host with the token of devices', 'hostA', { ...asHost, password: joinToken }, 4],
    ['a device with the token of hosts', 'phone', { ...asDevice, password: hostToken }, 4],
    ['a host with the id of a device', 'phone', asHost, 2],
    ['a device with its departure as its will', 'phone', { ...asDevice, will: 'apportion/1/R/d/phone/is' }, 0],
    ['a device with the will of another', 'phone', { ...asDevice, will: 'apportion/1/R/d/other/is' }, 5],
    ['a client that asks for a persistent session', 'phone', { ...asDevice, clean: false }, -1],
    ['a client that is silent for up to a minute', 'phone', { ...asDevice, keepalive: 60 }, 0],
    ['a client that would be silent for longer', 'phone', { ...asDevice, keepalive: 61 }, 6],
    ['a client that would be silent for ever', 'phone', { ...asDevice, keepalive: 0 }, 6],
  ])('or refused with its code: %s', async (_, id, fields, code) => {
    const { codeOf } = await brokerHere()
    expect(await codeOf(id, fields)).toBe(code)
  })
})

describe('hosts learn that the room is full', () => {
  const FULL = 'apportion/1/R/full'

  test('a second later, once for all that were refused in that second', async () => {
    const { codeOf, listen } = await brokerHere(1)
    const { heard } = await listen('hostA', FULL)
    await codeOf('d0', asDevice)
    for (const id of ['d1', 'd2', 'd3', 'd1']) expect(await codeOf(id, asDevice)).toBe(3)
    vi.advanceTimersByTime(999)
    const later = await listen('hostB', FULL)
    expect(later.heard).toEqual([])
    vi.advanceTimersByTime(1)
    await poll(() => heard).toEqual([`${FULL} 3`])
    vi.advanceTimersByTime(3000)
    expect(await codeOf('d4', asDevice)).toBe(3)
    vi.advanceTimersByTime(1000)
    await poll(() => heard).toEqual([`${FULL} 3`, `${FULL} 4`])
    // And a host that comes later is told at once.
    const latest = await listen('hostC', FULL)
    await poll(() => latest.heard).toEqual([`kept ${FULL} 4`])
  })

  test('of at most ten times as many devices as it holds, so that names take no memory without end', async () => {
    const { codeOf, listen } = await brokerHere(1)
    const { heard } = await listen('hostA', FULL)
    await codeOf('d0', asDevice)
    for (const codes of await Promise.all(times(12, (k) => codeOf(`late${k}`, asDevice)))) expect(codes).toBe(3)
    vi.advanceTimersByTime(1000)
    await poll(() => heard).toEqual([`${FULL} 10`])
  })
})

describe('strangers', () => {
  test('are 250 at most: a new one takes the place of the oldest', async () => {
    const { silent } = await brokerHere()
    const sockets: Socket[] = []
    for (let k = 0; k < 250; k++) sockets.push(await silent())
    await silent()
    await closing(sockets[0])
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1)
  })

  test('take the place of one of the address with the most of them, not of one that came alone before', async () => {
    const { silent } = await brokerHere()
    const alone = await silent('192.0.2.1')
    const flood: Socket[] = []
    for (let k = 0; k < 249; k++) flood.push(await silent('192.0.2.2'))
    await silent('192.0.2.3')
    await closing(flood[0])
    expect([alone.destroyed, flood.filter(({ destroyed }) => destroyed).length]).toEqual([false, 1])
  })

  test('leave their place when they go, and when they are let in', async () => {
    const lobby = createLobby(2)
    const [stays, gone, late, later] = times(4, () => new PassThrough())
    lobby.enter('a', stays)
    lobby.enter('a', gone)
    gone.destroy()
    await new Promise((resolve) => gone.once('close', resolve))
    lobby.enter('a', late)
    expect(stays.destroyed).toBe(false)
    lobby.leave(stays)
    lobby.enter('a', later)
    expect([stays, late, later].map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  })

  test('who send nothing for five seconds are cut off, and those that were let in are not', async () => {
    const { silent, enter } = await brokerHere()
    const stranger = await silent()
    const { socket: device } = await enter('phone', asDevice)
    vi.advanceTimersByTime(4900)
    expect((await enter('other', asDevice)).code).toBe(0)
    expect(stranger.destroyed).toBe(false)
    vi.advanceTimersByTime(100)
    await closing(stranger)
    expect(device.destroyed).toBe(false)
  })
})

describe('what a device hears and leaves behind', () => {
  test.each([
    ['apportion/1/R/d/phone/down', 0],
    ['apportion/1/R/d/other/down', 128],
    ['#', 128],
  ])('a subscription to %s is answered with %i', async (filter, granted) => {
    const { enter } = await brokerHere()
    const { socket } = await enter('phone', asDevice)
    const answer = new Promise<Buffer>((resolve) => socket.once('data', resolve))
    socket.write(frameOf(subscribePacket(filter)))
    expect((await answer).at(-1)).toBe(granted)
  })

  test('its presence is cleared when it says goodbye, and no later host hears of it', async () => {
    const { enter, listen } = await brokerHere()
    const is = 'apportion/1/R/d/phone/is'
    const { heard } = await listen('hostA', is)
    const { socket } = await enter('phone', asDevice)
    socket.write(frameOf(publishPacket(is, Buffer.from('{}'), 1)))
    await poll(() => heard).toEqual([`${is} {}`])
    socket.write(frameOf(disconnectPacket))
    await poll(() => heard).toEqual([`${is} {}`, `${is} `])
    // Retained messages come before the answer to the subscription.
    expect((await listen('hostB', is)).heard).toEqual([])
  })
})

describe('what a client may send', () => {
  const MEGABYTES = 4 * 1024 * 1024

  /** Publishes as a device, and resolves with what hosts hear: nothing if it is cut off. */
  async function published(topic: string, length: number, flags = 0): Promise<string[]> {
    const { enter, listen } = await brokerHere()
    const filters = ['d/+/up', 'd/+/says', 'd/+/is', 'all']
    const { heard } = await listen('hostA', ...filters.map((filter) => `apportion/1/R/${filter}`))
    const { socket } = await enter('phone', asDevice)
    socket.write(frameOf(publishPacket(topic, Buffer.alloc(length), flags)))
    await poll(() => socket.destroyed || heard.length > 0).toBe(true)
    // The device is gone, as the broker tells for it.
    return heard.filter((words) => !/is $/.test(words))
  }

  test.each<[string, string, number, number, boolean]>([
    ['an answer', 'd/phone/says', 16_384, 0, true],
    ['a longer answer', 'd/phone/says', 16_385, 0, false],
    ['an answer that is kept', 'd/phone/says', 10, 1, false],
    ['an answer that is to be confirmed', 'd/phone/says', 10, 2, false],
    ['a result', 'd/phone/up', 30_000, 0, true],
    ['a result that is kept', 'd/phone/up', 10, 1, false],
    ['a result that is to be confirmed', 'd/phone/up', 10, 2, false],
    ['a presence', 'd/phone/is', 16_384, 1, true],
    ['a longer presence', 'd/phone/is', 16_385, 1, false],
    ['a result of another', 'd/other/up', 10, 0, false],
    ['a question', 'all', 10, 1, false],
  ])('%s: apportion/1/R/%s of %i bytes with flags %i: %s', async (_, topic, length, flags, arrives) => {
    expect(await published(`apportion/1/R/${topic}`, length, flags)).toEqual(
      arrives ? [`apportion/1/R/${topic} ${length}`] : [],
    )
  })

  test('is a message of four megabytes with its topic, and not one byte more', async () => {
    const { port, listen } = await brokerHere()
    const { heard } = await listen('hostA', 'apportion/1/R/d/+/up')
    const topic = 'apportion/1/R/d/phone/up'
    const { socket } = await enterAs(port, 'phone', asDevice)
    const length = MEGABYTES - topic.length - 2
    socket.write(frameOf(publishPacket(topic, Buffer.alloc(length))))
    await poll(() => heard).toEqual([`${topic} ${length}`])
    socket.write(frameOf(publishPacket(topic, Buffer.alloc(length + 1))))
    await closing(socket)
    expect(heard).toHaveLength(1)
  })

  test('is as much as it likes from a host', async () => {
    const { enter, listen } = await brokerHere()
    // In one piece: in many, a busy machine takes so long to read them that they are no longer too many.
    const flood = (topic: string) => {
      const packet = publishPacket(topic)
      return frameOf(Buffer.concat(times(12_500, () => packet)))
    }
    const { socket: device } = await enter('phone', asDevice)
    device.write(flood('apportion/1/R/d/phone/up'))
    await closing(device)
    const { socket: host } = await enter('hostC', asHost)
    host.write(flood('apportion/1/R/d/none/down'))
    const { heard: told } = await listen('hostD', 'apportion/1/R/all')
    host.write(frameOf(publishPacket('apportion/1/R/all', Buffer.of(67))))
    await poll(() => told).toEqual(['apportion/1/R/all C'])
    expect(host.destroyed).toBe(false)
  })

  test('does not end the broker: thousands of messages without a receiver, behind hundreds with one', async () => {
    const { enter, listen } = await brokerHere()
    const { heard } = await listen('hostA', 'apportion/1/R/d/+/up')
    const { socket } = await enter('phone', asDevice)
    const thrown: unknown[] = []
    const note = (error: unknown) => thrown.push(error)
    process.on('uncaughtException', note)
    cleanups.push(() => process.off('uncaughtException', note))
    const up = publishPacket('apportion/1/R/d/phone/up', Buffer.of(65))
    const none = publishPacket('apportion/1/R/d/phone/says')
    socket.write(frameOf(Buffer.concat([...times(300, () => up), ...times(9000, () => none)])))
    await poll(() => heard.length).toBe(300)
    socket.write(frameOf(up))
    await poll(() => thrown.length > 0 || heard.length === 301).toBe(true)
    expect(thrown).toEqual([])
  })
})
