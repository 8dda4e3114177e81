import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, describe, expect, test } from 'vitest'
import { repository } from '../../../architecture/sources.ts'
import { frameOf, openRawSocket } from './rawClients.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function openSocket(port: number): Promise<Socket> {
  const { socket } = await openRawSocket(port)
  cleanups.push(() => socket.destroy())
  return socket
}

function clientAt(broker: string, username: 'host' | 'join', clientId: string, password: string): MqttClient {
  const made = mqtt.connect(broker, {
    protocolVersion: 4,
    username,
    password,
    clientId,
    reconnectPeriod: 0,
    keepalive: 60,
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
    const refused = frameOf(Buffer.alloc(4_000_000, 7)).subarray(0, 3_900_000)
    // Below the limit for strangers, so it is kept.
    const unfinished = frameOf(Buffer.alloc(4000, 7)).subarray(0, 4000)
    let peak = before
    await Promise.all(
      times(300, async (k) => {
        const socket = await openSocket(port)
        if (k % 2 === 0) {
          socket.write(refused)
          await new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once('close', resolve)))
        } else await new Promise((resolve) => socket.write(unfinished, resolve))
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
      await expect.poll(() => heard, { timeout: 100_000 }).toBe(round)
    }
    expect(Math.max(peak, megabytesOf(child)) - before).toBeLessThan(250)
  }, 240_000)
})
