import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, describe, expect, test } from 'vitest'
import { repository } from '../../../architecture/sources.ts'
import { openRawSocket } from './rawClients.ts'
import { type RoomHere, roomHere } from './roomHere.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function openSocket(port: number): Promise<Socket> {
  const { socket } = await openRawSocket(port)
  cleanups.push(() => socket.destroy())
  return socket
}

/** The head of a masked frame with bytes, of this length. */
function frameHead(length: number): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x82
  head[1] = 128 + 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

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
          setTimeout(resolve, 200)
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
    const join = async (k: number) => {
      const device = clientOf('join', `n${k}`)
      expect(await codeOf(device)).toBe(0)
      await device.subscribeAsync(topicOf(k))
      return device
    }
    devices.push(...(await Promise.all(times(41, join))))
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
})
