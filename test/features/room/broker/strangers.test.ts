import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, describe, expect, test } from 'vitest'
import { createLobby } from '../../../../src/features/room/brokerServer/roomServer.ts'
import { repository } from '../../../architecture/sources.ts'
import { inFull } from '../../../fixtures/extent.ts'
import { hostToken, joinToken, type RoomHere, roomHere } from './roomHere.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function openHere(maxDevices?: number): Promise<RoomHere> {
  const room = await roomHere(null, maxDevices === undefined ? {} : { maxDevices })
  cleanups.push(room.end)
  return room
}

/** Opens a WebSocket without any client: what comes after the head is up to the test. */
function openSocket(port: number, origin: string | null = null): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const lines = [
      ...[
        'GET /mqtt HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
      ],
      ...['Sec-WebSocket-Protocol: mqtt', `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`],
      ...(origin === null ? [] : [`Origin: ${origin}`]),
    ]
    const socket = connectSocket(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.on('error', () => {})
    socket.once('data', (bytes) =>
      String(bytes).includes(' 101 ') ? resolve(socket) : reject(new Error(String(bytes))),
    )
    cleanups.push(() => socket.destroy())
  })
}

/** The head of a masked frame with bytes, of this length. */
function frameHead(length: number): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x82
  head[1] = 128 + 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

const client = (room: RoomHere, username: 'host' | 'join', clientId: string): MqttClient =>
  clientAt(room.broker, username, clientId, username === 'host' ? hostToken : joinToken)

function clientAt(broker: string, username: 'host' | 'join', clientId: string, password: string): MqttClient {
  const made = mqtt.connect(broker, {
    protocolVersion: 4,
    username,
    password,
    clientId,
    reconnectPeriod: 0,
    keepalive: 30,
  })
  made.on('error', () => {})
  cleanups.push(() => made.end(true))
  return made
}

/** Resolves with 0 if the client is let in, else with the code of the refusal. */
function codeOf(of: MqttClient): Promise<number> {
  return new Promise((resolve) => {
    of.once('connect', () => resolve(0))
    of.once('error', (error) => resolve('code' in error ? Number(error.code) : -1))
    of.once('close', () => resolve(-2))
  })
}

const portOf = (room: RoomHere) => Number(new URL(room.page).port)
const times = <T>(count: number, of: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => of(k))

describe('the memory of the server', () => {
  async function opened() {
    const page = mkdtempSync(join(tmpdir(), 'apportion-memory-'))
    mkdirSync(page, { recursive: true })
    for (const name of ['index.html', '_headers']) writeFileSync(join(page, name), '')
    const child = spawn(
      process.execPath,
      ['scripts/room.mjs', '--port', '0', '--host', 'localhost', '--page', page, '--json'],
      { cwd: repository },
    )
    cleanups.push(() => {
      child.kill('SIGKILL')
      rmSync(page, { recursive: true })
    })
    let text = ''
    for await (const piece of child.stdout) {
      text += piece
      if (text.includes('\n')) break
    }
    const links: Record<'page' | 'host' | 'join', string> = JSON.parse(text)
    const port = Number(new URL(links.page).port)
    const [, name, joinToken] = /#room=(\w+)\.([\w-]+)/.exec(links.join) ?? []
    const [, hostToken] = /#host=\w+\.([\w-]+)/.exec(links.host) ?? []
    const clientOf = (role: 'host' | 'join', id: string) =>
      clientAt(`ws://localhost:${port}/mqtt`, role, id, role === 'host' ? hostToken : joinToken)
    return { child, port, name, clientOf }
  }

  const megabytesOf = ({ pid }: ChildProcess) => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024

  test('grows by at most 60 MB when strangers send 300 frames that do not end', async () => {
    const { child, port } = await opened()
    await openSocket(port)
    const before = megabytesOf(child)
    const filling = Buffer.alloc(3_900_000, 7)
    let peak = before
    await Promise.all(
      times(300, async (k) => {
        const socket = await openSocket(port)
        // Every other one stays below the limit for strangers, and so is kept.
        socket.write(frameHead(k % 2 === 0 ? 4_000_000 : 4000))
        socket.write(k % 2 === 0 ? filling : filling.subarray(0, 3999))
        await new Promise<void>((resolve) => {
          socket.once('close', () => resolve())
          setTimeout(resolve, 500)
        })
        peak = Math.max(peak, megabytesOf(child))
      }),
    )
    expect(peak - before).toBeLessThan(60)
  }, 60_000)

  test('grows by at most 250 MB when 40 devices do not read their 600 MB of batches, and others are served meanwhile', async () => {
    const { child, name, clientOf } = await opened()
    const conductor = clientOf('host', 'hostOfMany')
    expect(await codeOf(conductor)).toBe(0)
    const topicOf = (k: number) => `apportion/1/${name}/d/n${k}/down`
    const devices: MqttClient[] = []
    for (let k = 0; k <= 40; k++) {
      const device = clientOf('join', `n${k}`)
      expect(await codeOf(device)).toBe(0)
      await device.subscribeAsync(topicOf(k))
      devices.push(device)
    }
    const reader = devices.pop() as MqttClient
    let heard = 0
    reader.on('message', () => heard++)
    for (const { stream } of devices) stream.pause()
    const before = megabytesOf(child)
    let peak = before
    // 15 MB for each: what one alone may have waiting.
    const piece = Buffer.alloc(3_000_000, 7)
    for (let round = 1; round <= 5; round++) {
      for (const k of devices.keys()) {
        await conductor.publishAsync(topicOf(k), piece)
        if (k % 10 === 0) peak = Math.max(peak, megabytesOf(child))
      }
      await conductor.publishAsync(topicOf(devices.length), 'still here')
      await expect.poll(() => heard, { timeout: 20_000 }).toBe(round)
    }
    expect(Math.max(peak, megabytesOf(child)) - before).toBeLessThan(250)
  }, 120_000)
})

test('a frame of a stranger is refused by its head; a device may send long ones', async () => {
  const room = await openHere()
  const port = portOf(room)
  const closed = (socket: Socket) =>
    new Promise<string>((resolve) => {
      socket.once('close', () => resolve('closed'))
      // A silent stranger would be closed after five seconds anyway.
      setTimeout(resolve, 3000, 'still open')
    })
  const long = await openSocket(port)
  const gone = closed(long)
  // Not one byte of the message is sent.
  long.write(frameHead(20_000))
  expect(await gone).toBe('closed')
  const parts = await openSocket(port)
  const ended = closed(parts)
  // A message in many frames is no shorter.
  for (let k = 0; k < 6; k++)
    parts.write(Buffer.concat([Buffer.from([k === 0 ? 2 : 0]), frameHead(2000).subarray(1), Buffer.alloc(2000)]))
  expect(await ended).toBe('closed')
  const pings = await openSocket(port)
  const stopped = closed(pings)
  pings.write(Buffer.concat(times(3000, () => Buffer.from([0x89, 128, 0, 0, 0, 0]))))
  expect(await stopped).toBe('closed')
  const device = client(room, 'join', 'long1')
  expect(await codeOf(device)).toBe(0)
  const host = client(room, 'host', 'hostOfLong')
  expect(await codeOf(host)).toBe(0)
  const lengths: number[] = []
  host.on('message', (_, bytes) => lengths.push(bytes.length))
  await host.subscribeAsync('apportion/1/R/d/+/up')
  await device.publishAsync('apportion/1/R/d/long1/up', Buffer.alloc(3_900_000))
  await expect.poll(() => lengths).toEqual([3_900_000])
})

describe('strangers', () => {
  test('are pushed out by later ones, so a class behind their address gets in, and the page is served to all', async () => {
    const room = await openHere()
    const early = client(room, 'join', 'early')
    expect(await codeOf(early)).toBe(0)
    const silent = await Promise.all(times(300, () => openSocket(portOf(room))))
    expect(silent).toHaveLength(300)
    // A device that has shown its token is no stranger.
    expect(early.connected).toBe(true)
    const codes = await Promise.all(times(60, (k) => codeOf(client(room, 'join', `pupil${k}`))))
    expect(codes).toEqual(times(60, () => 0))
    expect(early.connected).toBe(true)
    const pages = await Promise.all(times(100, () => fetch(room.page).then(({ status }) => status)))
    expect(pages).toEqual(times(100, () => 200))
  }, 30_000)

  test('of the address with the most of them go first, the oldest before the others', () => {
    const lobby = createLobby(3)
    const [a, b, c, d, e] = times(5, () => new PassThrough())
    lobby.enter('other', b)
    lobby.enter('flood', a)
    lobby.enter('flood', c)
    lobby.enter('other', d)
    expect([a, b, c, d].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false])
    lobby.leave(b)
    lobby.enter('other', e)
    expect([b, c, d, e].map(({ destroyed }) => destroyed)).toEqual([false, false, false, false])
  })
})

describe('a full room', () => {
  test.each([4, ...(inFull ? [1000] : [])])(
    'of %i devices lets the host in and tells it how many were refused, until one leaves',
    async (most) => {
      const room = await openHere(most)
      const devices: MqttClient[] = []
      for (let from = 0; from < most; from += 100) {
        const some = times(Math.min(100, most - from), (k) => client(room, 'join', `d${from + k}`))
        expect(new Set(await Promise.all(some.map(codeOf)))).toEqual(new Set([0]))
        devices.push(...some)
      }
      const late = ['late1', 'late2', 'late1']
      for (const id of late) expect(await codeOf(client(room, 'join', id))).toBe(3)
      const host = client(room, 'host', 'hostOfFull')
      expect(await codeOf(host)).toBe(0)
      const told: string[] = []
      host.on('message', (topic, bytes) => told.push(`${topic} ${bytes}`))
      await host.subscribeAsync('apportion/1/R/full')
      await expect.poll(() => told, { timeout: 5000 }).toEqual(['apportion/1/R/full 2'])
      // One that comes back takes its own place.
      const again = client(room, 'join', 'd0')
      expect(await codeOf(again)).toBe(0)
      devices[1].end(true)
      await expect.poll(() => told, { timeout: 5000 }).toEqual(['apportion/1/R/full 2', 'apportion/1/R/full '])
      expect(await codeOf(client(room, 'join', 'late1'))).toBe(0)
      expect(await codeOf(client(room, 'join', 'late2'))).toBe(3)
    },
    120_000,
  )
})

describe('the names of the machine', () => {
  /** Returns the status of the page and that of a WebSocket of a page of that name. */
  async function statusesAs(room: RoomHere, host: string, origin = `http://${host}`) {
    const ask = (path: string, headers: Record<string, string>) =>
      new Promise<number>((resolve) => {
        const asked = request(
          { port: portOf(room), host: 'localhost', path, headers: { host, ...headers } },
          ({ statusCode }) => resolve(statusCode ?? 0),
        )
        asked.on('upgrade', (_, socket) => {
          socket.destroy()
          resolve(101)
        })
        asked.end()
      })
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    }
    return [
      await ask('/', {}),
      await ask('/mqtt', { ...upgrade, 'sec-websocket-protocol': 'mqtt', ...(origin === '' ? {} : { origin }) }),
    ]
  }

  test('are localhost, its addresses and those of --host; another name that leads here is refused', async () => {
    const room = await roomHere(null, { names: ['Lab.example', '192.0.2.7'] })
    cleanups.push(room.end)
    const port = portOf(room)
    for (const name of ['localhost', '127.0.0.1', 'lab.example', 'LAB.example', '192.0.2.7'])
      expect(await statusesAs(room, `${name}:${port}`)).toEqual([200, 101])
    for (const name of [
      'evil.example',
      'localhost.evil.example',
      'localhost.',
      '192.0.2.8',
      'lab.example.evil',
      '',
      '[::7]',
      'a b',
    ])
      expect(await statusesAs(room, `${name}:${port}`), name).toEqual([421, 403])
    // The page of another server of this machine.
    for (const origin of [`http://localhost:${port + 1}`, 'http://localhost', 'null', 'file://'])
      expect(await statusesAs(room, `localhost:${port}`, origin), origin).toEqual([200, 403])
    // No browser.
    expect(await statusesAs(room, `localhost:${port}`, '')).toEqual([200, 101])
  })

  test('what the server refuses has a policy that allows nothing', async () => {
    const room = await openHere()
    for (const path of ['missing.html', 'assets/'])
      expect((await fetch(room.page + path)).headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      )
  })
})
