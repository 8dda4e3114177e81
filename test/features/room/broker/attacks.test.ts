import { connect as connectSocket } from 'node:net'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostToken, joinToken, type RoomHere, roomHere } from './roomHere.ts'

let room: RoomHere
const opened: MqttClient[] = []
beforeAll(async () => {
  room = await roomHere()
})
afterAll(async () => {
  for (const client of opened) client.end(true)
  await room.end()
})

/** A client of an attacker, which may send anything. */
function client(username: string, password: string, clientId: string, more: IClientOptions = {}): MqttClient {
  const made = mqtt.connect(room.broker, {
    protocolVersion: 4,
    username,
    password,
    clientId,
    reconnectPeriod: 0,
    keepalive: 30,
    ...more,
  })
  made.on('error', () => {})
  opened.push(made)
  return made
}

const device = (id: string, more: IClientOptions = {}) => client('join', joinToken, id, more)
const host = (id = 'hostOfTest') => client('host', hostToken, id)
const connected = (of: MqttClient) => new Promise<void>((resolve) => of.once('connect', () => resolve()))
const ended = (of: MqttClient) => new Promise<void>((resolve) => of.once('close', () => resolve()))

/** Resolves with the code of the refusal; with 0 if the client is let in; with null if the connection closes without a code. */
function codeOf(of: MqttClient): Promise<number | null> {
  return new Promise((resolve) => {
    of.once('connect', () => resolve(0))
    of.once('error', (error) => resolve('code' in error ? Number(error.code) : null))
    of.once('close', () => resolve(null))
  })
}

/** Resolves with what a subscription is granted: 128 if it is refused. */
function granted(of: MqttClient, filter: string): Promise<number> {
  return new Promise((resolve) =>
    of.subscribe(filter, { qos: 0 }, (error, _, packet) =>
      resolve(packet === undefined ? (error ? 128 : -1) : Number(packet.granted[0])),
    ),
  )
}

describe('a connection is refused', () => {
  test('with the will of another device', async () => {
    expect(
      await codeOf(
        device('b1', { will: { topic: 'apportion/1/R/d/b2/is', payload: Buffer.alloc(0), qos: 0, retain: true } }),
      ),
    ).toBe(5)
  })

  test('with a request for a persistent session: it is closed without a code, long before a client gives up', async () => {
    expect(await codeOf(device('b3', { clean: false, connectTimeout: 60_000 }))).toBe(null)
  })
})

describe('a device that is let in', () => {
  test.each(['#', 'apportion/1/R/d/+/is', 'apportion/1/R/d/c2/down'])('may not subscribe to %s', async (filter) => {
    const one = device('c1')
    await connected(one)
    expect(await granted(one, filter)).toBe(128)
    expect(await granted(one, 'apportion/1/R/d/c1/down')).toBe(0)
    one.end(true)
  })

  test.each([
    ['in the name of another', 'apportion/1/R/d/d2/up', 10, false],
    ['to all', 'apportion/1/R/all', 10, true],
    ['of 5 MB', 'apportion/1/R/d/d1/up', 5_000_000, false],
  ])('is cut off when it publishes a message %s, which nobody receives', async (_, topic, length, retain) => {
    const conductor = host()
    await connected(conductor)
    const received: string[] = []
    conductor.on('message', (topic, bytes) => received.push(`${topic} ${bytes.length}`))
    for (const filter of ['apportion/1/R/d/+/up', 'apportion/1/R/all']) await granted(conductor, filter)
    const good = device('d3')
    await connected(good)
    const one = device('d1')
    await connected(one)
    const gone = ended(one)
    one.publish(topic, Buffer.alloc(length, 7), { qos: 0, retain })
    await gone
    good.publish('apportion/1/R/d/d3/up', 'still here')
    await expect.poll(() => received).toEqual(['apportion/1/R/d/d3/up 10'])
    for (const each of [conductor, good]) each.end(true)
  })

  test('leaves nothing behind, however it disconnects', async () => {
    const one = device('f1')
    await connected(one)
    one.publish(`apportion/1/R/d/f1/is`, '{}', { qos: 0, retain: true })
    const conductor = host('hostOfLeaving')
    await connected(conductor)
    const received: string[] = []
    conductor.on('message', (topic, bytes) => received.push(`${topic} ${bytes.length}`))
    await granted(conductor, `apportion/1/R/d/+/is`)
    await expect.poll(() => received).toEqual([`apportion/1/R/d/f1/is 2`])
    one.end()
    await expect.poll(() => received).toEqual([`apportion/1/R/d/f1/is 2`, `apportion/1/R/d/f1/is 0`])
    conductor.end(true)
    const later = host('hostOfLater')
    await connected(later)
    later.on('message', (topic) => received.push(`later ${topic}`))
    await granted(later, `apportion/1/R/d/+/is`)
    later.end(true)
    expect(received).toHaveLength(2)
  })
})

describe('the server serves only the page', () => {
  test.each([
    ['/', 200],
    ['/assets/conductor-1.js?v=1', 200],
    ['/_headers', 404],
    ['/assets', 404],
    ['/secret.txt', 404],
    ['/%2e%2e/secret.txt', 404],
    ['/assets/..%5c..%5csecret.txt', 404],
    ['/%', 404],
  ])('GET %s: %i', async (path, status) => {
    const answer = await asked(`GET ${path} HTTP/1.1`)
    expect(answer.split(' ')[1]).toBe(String(status))
    expect(answer).not.toContain('not of the page')
  })

  test('by GET and HEAD only, with the headers of a host', async () => {
    expect(await asked('POST / HTTP/1.1')).toMatch(/^HTTP\/1.1 405 /)
    expect(await asked('HEAD / HTTP/1.1')).not.toContain('<title>')
    const answer = await asked('GET / HTTP/1.1')
    expect(answer).toContain("Content-Security-Policy: default-src 'none'; script-src 'self';")
    expect(answer).toContain("connect-src 'self';")
    expect(answer).toContain('Cross-Origin-Embedder-Policy: require-corp')
    expect(await asked('GET /assets/conductor-1.js HTTP/1.1')).toMatch(/'wasm-unsafe-eval'[\s\S]*immutable/)
  })
})

/** Sends a request with the path exactly as written, unlike browsers. */
function asked(line: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectSocket(Number(new URL(room.page).port), 'localhost', () =>
      socket.write(`${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.on('close', () => resolve(text))
  })
}
