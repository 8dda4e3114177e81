import { beforeEach, describe, expect, test } from 'vitest'
import type { BatchAnswer, BatchRequest } from '../../../../src/engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../../../src/engine/conductor/environment.ts'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { type Lender, type LenderState, lend } from '../../../../src/features/room/protocol/lender.ts'
import { type Down, packDown, type Up } from '../../../../src/features/room/protocol/messages.ts'
import { readUp } from '../../../../src/features/room/protocol/readMessages.ts'

/** A thread that the test controls. */
interface Thread {
  readonly worker: number
  readonly events: ThreadEvents
  readonly asked: BatchRequest[]
  readonly hung: number[]
  answer(data: BatchAnswer): void
  tellEnd: () => void
  clock: () => Promise<number>
  ended: boolean
}

const stages = [{ name: 'Read', colour: 3 }]
const batch = {
  work: 'wait',
  stage: 0,
  switchCosts: [0],
  jobs: [7],
  services: [50],
  failing: [],
  payloads: null,
} as const
const reply = { began: 1, ended: [51], threw: null, payloads: null }

let sent: string[]
let threads: Thread[]
let states: LenderState[]
let lender: Lender
let tick: () => void
let hear: (message: Down, conductor?: string) => Promise<void>

const words = (message: Up) =>
  'words' in message
    ? ` ${message.words}`
    : 'number' in message
      ? ` ${message.number}`
      : 'reading' in message
        ? ` ${message.reading}`
        : ''
const hello = (seat: number, keep: readonly number[] = [seat]): Down => ({
  kind: 'hello',
  seat,
  worker: 10 + seat,
  keep,
  stages,
})

beforeEach(() => {
  sent = []
  threads = []
  states = []
  const subscribers = new Map<string, (topic: string, bytes: Uint8Array) => void>()
  lender = lend(
    {
      publish(topic, bytes) {
        const message = topic.endsWith('/up') ? readUp(bytes) : null
        if (message !== null) sent.push(`${message.conductor} ${message.seat} ${message.kind}${words(message)}`)
        else sent.push(bytes.length === 0 ? 'is gone' : 'is there')
      },
      subscribe: (topic, call) => subscribers.set(topic, call),
      onState: (call) => call(true),
      end() {},
    },
    {
      ...{ room: 'R', device: 'd', name: '', build: 'test', threads: 2, lacks: [], now: () => 0 },
      start(worker, events) {
        const thread: Thread = {
          worker,
          events,
          asked: [],
          hung: [],
          answer: () => {},
          tellEnd: () => {},
          clock: async () => 12_345,
          ended: false,
        }
        threads.push(thread)
        const port: WorkerThread['port'] = { postMessage: (request) => thread.asked.push(request), onmessage: null }
        thread.answer = (data) => port.onmessage?.({ data } as MessageEvent<BatchAnswer>)
        return {
          hello: async () => true,
          clock: () => thread.clock(),
          hangAt: async (time) => {
            thread.hung.push(time)
          },
          port,
          onEnd: (call) => {
            thread.tellEnd = call
          },
          end: () => {
            thread.ended = true
          },
        }
      },
      every: (_, call) => {
        tick = call
        return () => {}
      },
    },
    (state) => states.push(state),
  )
  hear = async (message, conductor = 'c1') => {
    subscribers.get(deviceTopic('R', 'd', 'down'))?.('', packDown({ ...message, conductor }))
    for (let i = 0; i < 5; i++) await null
  }
  sent.length = 0
})

describe('a device that lends two threads', () => {
  test('refuses a third loan, and one that has ended before', async () => {
    for (const seat of [0, 1, 2]) await hear(hello(seat, [0, 1, 2]))
    expect(sent).toEqual(['c1 0 hello', 'c1 1 hello', 'c1 2 gone lends no more threads'])
    await hear({ kind: 'end', seat: 0 })
    threads[1].tellEnd()
    sent.length = 0
    for (const seat of [0, 1]) await hear(hello(seat, [0, 1]))
    expect([sent, threads.length]).toEqual([['c1 0 gone has ended', 'c1 1 gone has ended'], 2])
  })

  test('takes a loan whose hello comes after that of a later one, if that one kept it', async () => {
    await hear(hello(2, [1, 2]))
    await hear(hello(0, [0]))
    await hear(hello(1, [1]))
    expect(sent).toEqual(['c1 2 hello', 'c1 0 gone has ended', 'c1 1 hello'])
  })

  test('ends the loans that its conductor does not keep', async () => {
    await hear(hello(0))
    await hear(hello(1, [0, 1]))
    await hear({ kind: 'keep', seat: 1, keep: [1] })
    expect(threads.map(({ ended }) => ended)).toEqual([true, false])
    await hear(hello(2, [2]))
    expect(threads.map(({ ended }) => ended)).toEqual([true, true, false])
    expect(sent).toEqual(['c1 0 hello', 'c1 1 hello', 'c1 2 hello'])
  })

  test('serves batches in their order, shows their stage, counts jobs that did not throw, and answers again from memory', async () => {
    await hear(hello(0))
    const ask = (number: number) => hear({ kind: 'batch', seat: 0, number, batch })
    await ask(1)
    expect(threads[0].asked).toEqual([])
    await ask(0)
    expect(threads[0].asked.map(({ number }) => number)).toEqual([0, 1])
    expect(states.at(-1)).toMatchObject({ stage: stages[0], done: 0 })
    threads[0].answer({ number: 0, reply })
    threads[0].answer({ number: 0, reply })
    threads[0].answer({ number: 1, reply: { ...reply, ended: [], threw: { job: 7, reason: 'x' } } })
    await ask(2)
    threads[0].answer({ number: 2, broken: 'out of memory' })
    for (const number of [2, 0]) await ask(number)
    expect(sent.slice(1)).toEqual([
      'c1 0 answer 0',
      'c1 0 answer 1',
      'c1 0 broken out of memory',
      'c1 0 broken out of memory',
      'c1 0 answer 0',
    ])
    expect(states.at(-1)?.done).toBe(1)
  })

  test('keeps its last eight answers, and no earlier one', async () => {
    await hear(hello(0))
    const ask = (number: number) => hear({ kind: 'batch', seat: 0, number, batch })
    for (let number = 0; number < 10; number++) {
      await ask(number)
      threads[0].answer({ number, reply })
    }
    sent.length = 0
    for (let number = 9; number >= 0; number--) await ask(number)
    expect(sent).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((number) => `c1 0 answer ${number}`))
    expect(threads[0].asked).toHaveLength(10)
  })

  test('takes batches only up to eight ahead of the next one', async () => {
    await hear(hello(0))
    const ask = (number: number) => hear({ kind: 'batch', seat: 0, number, batch })
    for (const number of [8, 9, 1000, 7, 6, 5, 4, 3, 2, 1, 0]) await ask(number)
    expect(threads[0].asked.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    await ask(8)
    expect(threads[0].asked).toHaveLength(9)
  })

  test('knows the loans of its last conductors only, however many come', async () => {
    for (let c = 1; c <= 9; c++) {
      await hear(hello(0), `c${c}`)
      await hear({ kind: 'end', seat: 0 }, `c${c}`)
    }
    sent.length = 0
    await hear(hello(0), 'c9')
    await hear(hello(0), 'd1')
    await hear({ kind: 'end', seat: 0 }, 'd1')
    await hear(hello(0), 'c1')
    expect(sent).toEqual(['c9 0 gone has ended', 'd1 0 hello', 'c1 0 hello'])
  })

  test('passes on what a thread reports: errors outside its work, a failed load, and its end', async () => {
    await hear(hello(0))
    threads[0].events.error('odd')
    threads[0].tellEnd()
    threads[0].tellEnd()
    const loading = hear(hello(1))
    threads[1].events.error('no such file')
    await loading
    await hear(hello(2))
    threads[2].events.lost('sent an unreadable message')
    expect(sent.filter((words) => !/hello$/.test(words))).toEqual([
      'c1 0 error odd',
      'c1 0 gone has ended',
      'c1 1 gone could not be loaded: no such file',
      'c1 2 gone sent an unreadable message',
    ])
    await hear({ kind: 'clock', seat: 2, trip: 0 })
    expect(sent.at(-1)).toBe('c1 2 gone has ended')
  })

  test('ends a loan whose thread throws in a call, with the reason', async () => {
    await hear(hello(0))
    threads[0].clock = () => Promise.reject(new Error('has no clock'))
    await hear({ kind: 'clock', seat: 0, trip: 1 })
    expect([sent.at(-1), threads[0].ended]).toEqual(['c1 0 gone has no clock', true])
  })

  test('serves the conductor that began last, tells the earlier one, and takes no orders from it', async () => {
    await hear(hello(0), 'c2')
    await hear({ kind: 'batch', seat: 0, number: 0, batch }, 'c1')
    // Only a hello needs an answer.
    expect(sent).toEqual(['c2 0 hello'])
    await hear(hello(0), 'c1')
    await hear(hello(0), 'c3')
    expect(sent).toEqual([
      'c2 0 hello',
      'c1 0 gone serves another conductor',
      'c2 0 gone serves another conductor',
      'c3 0 hello',
    ])
    expect(threads.map(({ asked, ended }) => [asked.length, ended])).toEqual([
      [0, true],
      [0, false],
    ])
    await hear({ kind: 'end', seat: 0 }, 'c3')
    await hear(hello(1), 'c2')
    expect(sent.at(-1)).toBe('c2 1 hello')
  })

  test('repeats its presence, and ends the loans of a conductor that is silent for twenty repetitions', async () => {
    await hear(hello(0))
    for (let i = 0; i < 19; i++) tick()
    expect(sent.slice(1)).toEqual(Array.from({ length: 19 }, () => 'is there'))
    await hear({ kind: 'clock', seat: 0, trip: 0 })
    for (let i = 0; i < 20; i++) tick()
    expect(sent.at(-1)).toBe('c1 0 gone has not heard from the conductor')
    for (let i = 0; i < 30; i++) tick()
    await hear(hello(1))
    tick()
    expect(sent.slice(-2)).toEqual(['c1 1 hello', 'is there'])
  })

  test('says goodbye once when it leaves, and ignores later messages', async () => {
    await hear(hello(0))
    lender.leave()
    lender.leave()
    await hear(hello(1))
    expect(sent).toEqual(['c1 0 hello', 'c1 0 gone has left the room', 'is gone'])
    expect(threads).toHaveLength(1)
  })

  test('ends loans up to the number of the last one that a list counts, and no later one', async () => {
    await hear(hello(0))
    await hear(hello(1, [0, 1]))
    // The list was written before the loan of number 1 began.
    await hear({ kind: 'keep', seat: 0, keep: [] })
    expect(threads.map(({ ended }) => ended)).toEqual([true, false])
    await hear({ kind: 'keep', seat: 1, keep: [0] })
    expect(threads.map(({ ended }) => ended)).toEqual([true, true])
  })

  test.each<[string, Down]>([
    ['by its number', { kind: 'end', seat: 1 }],
    ['by a list without it', { kind: 'keep', seat: 2, keep: [2] }],
    ['by the hello of a later loan', hello(3, [2, 3])],
  ])('does not begin a loan that was ended %s before its hello came', async (_, end) => {
    await hear(hello(2, [1, 2]))
    await hear(end)
    const begun = threads.length
    await hear(hello(1, [1, 2]))
    expect([sent.at(-1), threads.length]).toEqual(['c1 1 gone has ended', begun])
  })

  test('says nothing more of a loan that has ended, and nothing of an earlier conductor to a later one', async () => {
    await hear(hello(0), 'c1')
    await hear({ kind: 'batch', seat: 0, number: 0, batch }, 'c1')
    await hear(hello(0), 'c2')
    sent.length = 0
    threads[0].answer({ number: 0, reply })
    threads[0].events.error('of the first')
    threads[0].events.lost('crashed')
    threads[1].events.error('of the second')
    expect([sent, states.at(-1)?.done]).toEqual([['c2 0 error of the second'], 0])
  })

  test('confirms at once that a thread is to hang, since a hanging thread would not', async () => {
    await hear(hello(0))
    await hear({ kind: 'hang', seat: 0, at: 5 })
    expect([sent.at(-1), threads[0].hung]).toEqual(['c1 0 hang', [5]])
  })
})
