import { afterEach, describe, expect, test, vi } from 'vitest'
import { openCarrier } from '../../../../src/features/room/brokerClient/openCarrier.ts'
import type { Carrier } from '../../../../src/features/room/protocol/carrier.ts'
import { often } from '../../../fixtures/often.ts'
import { type BrokerAnswer, madeUpBroker, readConnect } from './madeUpBroker.ts'

const cleanups: (() => unknown)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const clean of cleanups.splice(0).reverse()) clean()
})

async function brokerOf(...answers: readonly BrokerAnswer[]) {
  const broker = await madeUpBroker(...answers)
  cleanups.push(broker.end)
  return broker
}

async function open(broker: string, role: 'host' | 'join' = 'join'): Promise<Carrier> {
  const carrier = await openCarrier({ broker, room: 'R', role, token: 'secretOfThe' }, 'phone')
  cleanups.push(carrier.end)
  return carrier
}

/** Time passes when the test says so. What is sent takes none of it. */
const clockOfTest = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })

/** Lets this time pass in steps, between which what was sent arrives. */
async function pass(milliseconds: number): Promise<void> {
  for (let rest = milliseconds; rest > 0; rest -= 250) {
    vi.advanceTimersByTime(Math.min(rest, 250))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Lets time pass until this holds. */
const until = (holds: () => boolean) =>
  expect
    .poll(() => {
      if (!holds()) vi.advanceTimersByTime(50)
      return holds()
    }, often)
    .toBe(true)

describe('a client', () => {
  test.each([
    ['join', 'with its departure as a retained will', '11100110', ['apportion/1/R/d/phone/is', '']],
    ['host', 'without a will', '11000010', []],
  ] as const)(
    '%s asks by MQTT 3.1.1 for a clean session and two seconds of keepalive, %s',
    async (role, _, flags, will) => {
      const broker = await brokerOf(0)
      await open(broker.address, role)
      const texts = ['phone', ...will, role, 'secretOfThe']
      expect(readConnect(broker.connections[0].packets()[0])).toEqual({
        protocol: 'MQTT',
        version: 4,
        flags,
        keepalive: 2,
        texts,
      })
    },
  )

  test.each([
    [1, 'refuses the connection (code 1).'],
    [2, 'refuses the connection (code 2).'],
    [3, 'The room is full.'],
    [4, 'The room does not accept this link. It is damaged, or the room was opened again. Ask for the current link.'],
    [5, 'The room does not accept this link. It is damaged, or the room was opened again. Ask for the current link.'],
  ])('that is refused with code %i says why, and does not try again', async (code, words) => {
    const broker = await brokerOf(code)
    clockOfTest()
    await expect(open(broker.address)).rejects.toThrow(words)
    await pass(3000)
    expect([broker.tried(), broker.connections[0].closed()]).toEqual([1, true])
  })

  test('tries for ten seconds, half of them for one silent connection, and then says that the broker does not answer', async () => {
    const broker = await brokerOf('silent')
    clockOfTest()
    let outcome = ''
    void open(broker.address).catch((error: Error) => {
      outcome = error.message
    })
    await expect.poll(() => broker.connections.length, often).toBe(1)
    await pass(4750)
    expect([broker.tried(), broker.connections[0].closed()]).toEqual([1, false])
    await pass(1500)
    expect(broker.tried()).toBe(2)
    await pass(3500)
    expect(outcome).toBe('')
    await pass(500)
    expect(outcome).toBe(`The broker "${broker.address}" does not answer.`)
    await pass(20_000)
    expect([broker.tried() <= 3, broker.connections.map(({ closed }) => closed())]).toEqual([
      true,
      broker.connections.map(() => true),
    ])
  })

  test('notices within three seconds that the broker has gone silent', async () => {
    const broker = await brokerOf(0)
    clockOfTest()
    const carrier = await open(broker.address)
    const states: boolean[] = []
    carrier.onState((up) => states.push(up))
    // It reads nothing more, and so answers no ping.
    broker.connections[0].socket.pause()
    await pass(3500)
    expect(states[1]).toBe(false)
  })
})

describe('a client whose connection is lost', () => {
  test('tries again also after it was refused, and tells each change once', async () => {
    const broker = await brokerOf(0, 5, 3, 'reset', 0)
    clockOfTest()
    const carrier = await open(broker.address)
    const states: boolean[] = []
    carrier.onState((up) => states.push(up))
    expect(states).toEqual([true])
    broker.connections[0].socket.terminate()
    await until(() => states.length > 2)
    expect([states, broker.tried()]).toEqual([[true, false, true], 5])
    const late: boolean[] = []
    carrier.onState((up) => late.push(up))
    expect(late).toEqual([true])
  })

  test('asks for its topics again, and again sends all messages of one turn in one frame', async () => {
    const broker = await brokerOf(0)
    clockOfTest()
    const carrier = await open(broker.address)
    carrier.subscribe('a/+', () => {})
    broker.connections[0].socket.terminate()
    const subscribes = () => broker.connections[1]?.frames.filter((frame) => frame.includes('a/+')).length
    await until(() => subscribes() === 1)
    const { frames } = broker.connections[1]
    const before = frames.length
    for (const byte of [1, 2, 3]) carrier.publish('t', Uint8Array.of(byte))
    await expect.poll(() => frames.length, often).toBe(before + 1)
    expect([...frames[before]]).toEqual([1, 2, 3].flatMap((byte) => [0x30, 4, 0, 1, 't'.charCodeAt(0), byte]))
  })
})

describe('a message', () => {
  test('goes to each subscription whose levels it has, where "+" is any one level', async () => {
    const broker = await brokerOf(0)
    const carrier = await open(broker.address)
    const heard: string[] = []
    const filters = ['a/b/c', 'a/+/c', '+/b/+', 'a/b', 'a/+', '+', 'a/x/c', 'b/b/c']
    for (const filter of filters)
      carrier.subscribe(filter, (topic, bytes) => heard.push(`${filter} < ${topic} ${bytes.join()}`))
    const [connection] = broker.connections
    for (const filter of filters)
      await expect.poll(() => connection.frames.some((frame) => frame.includes(`${filter}\0`)), often).toBe(true)
    for (const [k, topic] of ['a/b/c', 'a/y/c', 'a/b', 'a', 'c/b/c', 'a/b/c/d', 'a//c', 'a/bb/cc', 'aa/b/c/'].entries())
      connection.publish(topic, k)
    connection.publish('+', 7)
    const fitting = [
      ...[
        'a/b/c < a/b/c 0',
        'a/+/c < a/b/c 0',
        '+/b/+ < a/b/c 0',
        'a/+/c < a/y/c 1',
        'a/b < a/b 2',
        'a/+ < a/b 2',
        '+ < a 3',
      ],
      ...['+/b/+ < c/b/c 4', 'a/+/c < a//c 6', '+ < + 7'],
    ]
    await expect.poll(() => heard.length, often).toBeGreaterThanOrEqual(fitting.length)
    expect(heard).toEqual(fitting)
  })
})
