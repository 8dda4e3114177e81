import { EventEmitter } from 'node:events'
import os from 'node:os'
import threads, { type MessagePort } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { wallMicros } from '../../../src/engine/conductor/environment.ts'
import { lendCommand } from '../../../src/features/room/lendCommand.ts'
import { deviceTopic } from '../../../src/features/room/protocol/carrier.ts'
import { type Down, packDown, type Up } from '../../../src/features/room/protocol/messages.ts'
import { readPresence, readUp } from '../../../src/features/room/protocol/readMessages.ts'
import type { RoomAddress } from '../../../src/runs/remote/remoteEngine.ts'
import { MemoryBroker, type MemoryCarrier } from '../../fixtures/memoryBroker.ts'
import { often } from '../../fixtures/often.ts'
import { replaceIn, terminalHere } from './terminalHere.ts'

/** The connections of the command, to a broker in memory; `refusal`: why it gets none. */
const { world } = vi.hoisted(() => {
  vi.resetModules()
  return { world: { open: async (_: unknown, __: unknown): Promise<unknown> => null } }
})
vi.mock('../../../src/features/room/brokerClient/openCarrier.ts', () => ({
  openCarrier: (...how: [unknown, unknown]) => world.open(...how),
}))

// Other files connect to real brokers.
afterAll(() => {
  vi.doUnmock('../../../src/features/room/brokerClient/openCarrier.ts')
  vi.resetModules()
})

const started: MadeUpThread[] = []

/** A thread that the test speaks for. */
class MadeUpThread extends EventEmitter {
  readonly script: URL
  readonly options: { workerData?: { command: string; data: MessagePort }; transferList?: unknown[] } | undefined
  terminated = 0

  constructor(script: URL, options?: MadeUpThread['options']) {
    super()
    this.script = script
    this.options = options
    started.push(this)
  }

  async terminate(): Promise<number> {
    this.terminated++
    return 0
  }
}

const TOKEN = 'abcdefghijklmnop'
const LINK = `http://h:1/join.html#room=R.${TOKEN}`
const HOST = `http://h:1/#host=R.${'h'.repeat(16)}.${TOKEN}`
const script = new URL('file:///bin/lend.mjs')
const cleanups: (() => unknown)[] = []
let terminal: ReturnType<typeof terminalHere>
let broker: MemoryBroker
let opened: { readonly address: RoomAddress; readonly id: string; readonly carrier: MemoryCarrier }[]
let refusal: string | null

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  terminal = terminalHere()
  broker = new MemoryBroker({ later: (_, call) => call(), ways: () => [0] })
  opened = []
  refusal = null
  started.length = 0
  world.open = async (address, id) => {
    if (refusal !== null) throw new Error(refusal)
    const carrier = broker.connect(id as string)
    opened.push({ address: address as RoomAddress, id: id as string, carrier })
    return carrier
  }
  cleanups.push(
    terminal.end,
    replaceIn(threads, { Worker: MadeUpThread as never }),
    replaceIn(os, { hostname: () => 'the lab', availableParallelism: () => 3 }),
  )
})
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
  vi.useRealTimers()
})

const lend = (...words: string[]) => lendCommand.run(words, script)
const lines = () => terminal.printed().split('\n').slice(0, -1)

/** A conductor of the room, and all that the devices say. */
function conductor() {
  const carrier = broker.connect('host1')
  const presences = new Map<string, ReturnType<typeof readPresence>>()
  const said: Up[] = []
  carrier.subscribe(deviceTopic('R', '+', 'is'), (topic, bytes) =>
    presences.set(topic.split('/')[4], readPresence(bytes)),
  )
  carrier.subscribe(deviceTopic('R', '+', 'up'), (_, bytes) => {
    const message = readUp(bytes)
    if (message !== null) said.push(message)
  })
  const send = (message: Down) =>
    carrier.publish(deviceTopic('R', opened[0].id, 'down'), packDown({ ...message, conductor: 'c1' }))
  return { presences, said, send, device: () => [...presences.values()].at(-1) }
}
const hello = (seat: number, worker: number): Down => ({
  kind: 'hello',
  seat,
  worker,
  keep: Array.from({ length: seat + 1 }, (_, k) => k),
  stages: [{ name: 'Pack', colour: 0 }],
})

describe('the words behind the command', () => {
  test.each<[string[], string]>([
    [[], 'one link to join a room is needed\n\nusage: apportion lend JOIN-LINK'],
    [[LINK, LINK], 'one link to join a room is needed'],
    [
      ['http://h:1/join.html'],
      '"http://h:1/join.html" is not a link to join a room. Copy the whole link and try again.',
    ],
    [[HOST], 'is not a link to join a room.'],
    [['ws://mq:1883'], 'is not a link to join a room.'],
    [[`http://h:1/join.html#room=R.short`], 'The token of the room is incomplete.'],
    [[LINK, '--threads', '0'], '--threads: found "0"; allowed: a whole number from 1 to 64'],
    [[LINK, '--threads', '65'], '--threads: found "65"; allowed: a whole number from 1 to 64'],
    [[LINK, '--threads', '100'], '--threads: found "100"'],
    [[LINK, '--threads', '1.5'], '--threads: found "1.5"'],
    [[LINK, '--threads', 'x'], '--threads: found "x"'],
    [[LINK, '--colour', 'red'], '--colour: unknown option'],
  ])('are refused with what is wrong: %j', async (words, message) => {
    await expect(lend(...words)).rejects.toThrow(message)
    expect([opened, started]).toEqual([[], []])
  })

  test.each([
    [[], 3, 'the lab'],
    [['--threads', '1', '--name', 'Ada'], 1, 'Ada'],
    [['--threads=64'], 64, 'the lab'],
  ])('say how many threads are lent, and under which name: %j', async (words, count, name) => {
    const { device } = conductor()
    await lend(LINK, ...words)
    expect(device()).toMatchObject({ threads: count, name, build: 'node', lacks: [] })
  })
})

describe('a machine in a room', () => {
  test('connects as a device with the token of the link, under a new name', async () => {
    await lend(LINK)
    await lend(LINK)
    expect(opened[0].address).toMatchObject({ broker: 'ws://h:1/mqtt', room: 'R', role: 'join', token: TOKEN })
    const names = opened.map(({ id }) => id)
    for (const name of names) expect(name).toMatch(/^node[0-9a-f]{16}$/)
    expect(names[0]).not.toBe(names[1])
  })

  test('says that it is in the room, and then each second what has changed', async () => {
    const { send } = conductor()
    await lend(LINK, '--threads', '2')
    expect(lines()).toEqual(['In room R with 2 threads. Ctrl-C leaves it.'])
    vi.advanceTimersByTime(999)
    expect(lines()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(lines().slice(1)).toEqual(['In reserve with 2 threads. 0 jobs done.'])
    vi.advanceTimersByTime(5000)
    expect(lines()).toHaveLength(2)
    send(hello(0, 4))
    vi.advanceTimersByTime(1000)
    expect(lines().slice(2)).toEqual(['Worker 5. 0 jobs done.'])
    send(hello(1, 1))
    vi.advanceTimersByTime(1000)
    expect(lines().slice(3)).toEqual(['Workers 2, 5. 0 jobs done.'])
    opened[0].carrier.cut()
    vi.advanceTimersByTime(2000)
    expect(lines().slice(4)).toEqual(['The broker of the room does not answer; trying again.'])
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves at %s: it says so to the room, and ends a fifth of a second later with status 0',
    async (signal) => {
      const { presences } = conductor()
      await lend(LINK)
      expect([presences.size, terminal.listening()]).toEqual([1, [1, 1]])
      terminal.send(signal)
      expect([[...presences.values()], opened[0].carrier.ended, terminal.exits()]).toEqual([[null], true, []])
      vi.advanceTimersByTime(199)
      expect(terminal.exits()).toEqual([])
      vi.advanceTimersByTime(1)
      expect(terminal.exits()).toEqual([0])
    },
  )
})

describe('a thread that a machine lends to a page', () => {
  /** Lends threads, of which the test serves the first one as its process would. */
  async function lentThread() {
    const { send, said } = conductor()
    await lend(LINK, '--threads', '1')
    send(hello(0, 2))
    const thread = started[0]
    const port = thread.options?.workerData?.data as MessagePort
    cleanups.push(() => port.close())
    return {
      send,
      said,
      thread,
      port,
      words: () => said.map((message) => ('words' in message ? `${message.kind} ${message.words}` : message.kind)),
    }
  }

  test('is a thread of this script, and serves what the conductor sends; its jobs are counted', async () => {
    const { send, said, thread, port, words } = await lentThread()
    expect([thread.script, thread.options?.workerData?.command, thread.options?.transferList]).toEqual([
      script,
      'lend',
      [port],
    ])
    expect(words()).toEqual([])
    lendCommand.serve?.(port)
    await expect.poll(words, often).toEqual(['hello'])
    const order = {
      work: 'parseJson',
      stage: 0,
      switchCosts: [0, 0],
      jobs: [3, 7],
      services: [1, 1],
      failing: [],
      payloads: ['[1]', '[2]'],
    } as const
    send({ kind: 'batch', seat: 0, number: 0, batch: order as never })
    await expect.poll(words, often).toEqual(['hello', 'answer'])
    expect(said[1]).toMatchObject({ reply: { payloads: [{ record: [1] }, { record: [2] }], threw: null } })
    send({ kind: 'clock', seat: 0, trip: 5 })
    await expect.poll(words, often).toEqual(['hello', 'answer', 'clock'])
    expect(said[2]).toMatchObject({ reading: expect.closeTo(wallMicros(), -8) })
    vi.advanceTimersByTime(1000)
    expect(lines().at(-1)).toBe('Worker 3, last at Pack. 2 jobs done.')
  })

  test.each<[string, (thread: MadeUpThread) => unknown, string]>([
    ['ends by itself', (thread) => thread.emit('exit', 1), 'gone has ended'],
    [
      'cannot be loaded',
      (thread) => thread.emit('error', new Error('no such file')),
      'gone could not be loaded: no such file',
    ],
    ['throws what is no error', (thread) => thread.emit('error', 'words'), 'gone could not be loaded: words'],
  ])('that %s is given up, with the reason', async (_, happens, reason) => {
    const { thread, words } = await lentThread()
    happens(thread)
    expect(words()).toEqual([reason])
  })
})
