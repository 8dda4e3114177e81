import { describe, expect, test } from 'vitest'
import type { BatchAnswer, BatchRequest } from '../../../../src/engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../../../src/engine/conductor/environment.ts'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { type LenderState, lend } from '../../../../src/features/room/protocol/lender.ts'
import { createLentThread } from '../../../../src/features/room/protocol/lentThread.ts'
import { type Down, packDown } from '../../../../src/features/room/protocol/messages.ts'
import { readUp } from '../../../../src/features/room/protocol/readMessages.ts'

/** A thread that the test controls, and what was asked of it. */
function threadHere(events: ThreadEvents) {
  const asked: BatchRequest[] = []
  const calls: string[] = []
  let tellClock = (_: number) => {}
  let failClock = (_: Error) => {}
  const port: WorkerThread['port'] = { postMessage: (request) => asked.push(request), onmessage: null }
  const thread: WorkerThread = {
    hello: async () => false,
    clock: () =>
      new Promise((resolve, reject) => {
        tellClock = resolve
        failClock = reject
      }),
    // It hangs.
    hangAt: () => new Promise(() => {}),
    port,
    onEnd: () => calls.push('onEnd'),
    end: () => calls.push('end'),
  }
  return {
    ...{ events, thread, asked, calls },
    tellClock: (reading: number) => tellClock(reading),
    failClock: (error: Error) => failClock(error),
    answer: (data: BatchAnswer) => port.onmessage?.({ data } as MessageEvent<BatchAnswer>),
  }
}

const settled = async () => {
  for (let i = 0; i < 6; i++) await null
}

/** A device that lends two threads. Its connection is this test. */
function lending({ fails = (_: number): Error | null => null } = {}) {
  const published: string[] = []
  const states: LenderState[] = []
  const threads: ReturnType<typeof threadHere>[] = []
  let stopped = 0
  let tick = () => {}
  let connect = (_: boolean) => {}
  const subscribers = new Map<string, (topic: string, bytes: Uint8Array) => void>()
  const lender = lend(
    {
      publish(topic, bytes, retain = false) {
        const message = topic.endsWith('/up') ? readUp(bytes) : null
        const words =
          message === null
            ? bytes.length === 0
              ? 'is gone'
              : 'is there'
            : `${message.conductor} ${message.seat} ${message.kind}`
        published.push(
          `${words}${message !== null && 'words' in message ? ` ${message.words}` : ''}${retain ? ', kept' : ''}`,
        )
      },
      subscribe: (topic, call) => subscribers.set(topic, call),
      onState(call) {
        connect = call
        call(true)
      },
      end() {},
    },
    {
      ...{ room: 'R', device: 'd', name: '', build: 'test', threads: 2, lacks: [], now: () => 0 },
      start(_, events) {
        const error = fails(threads.length)
        const made = threadHere(events)
        threads.push(made)
        if (error !== null) throw error
        return made.thread
      },
      every: (_, call) => {
        tick = call
        return () => stopped++
      },
    },
    (state) => states.push(state),
  )
  return {
    ...{ lender, published, states, threads },
    tick: () => tick(),
    connect: (up: boolean) => connect(up),
    stopped: () => stopped,
    async hear(message: Down, conductor = 'c1') {
      subscribers.get(deviceTopic('R', 'd', 'down'))?.('', packDown({ ...message, conductor }))
      await settled()
    },
    since: (from: number) => published.slice(from),
  }
}

const hello = (seat: number, keep: readonly number[] = [seat], worker = 10 + seat): Down => ({
  kind: 'hello',
  seat,
  worker,
  keep,
  stages: [],
})
const isEnded = ({ calls }: { readonly calls: readonly string[] }) => calls.includes('end')

describe('the loans of a device', () => {
  test('end up to the number of the last loan that the list counts, and no later one', async () => {
    const { hear, threads } = lending()
    await hear(hello(0))
    await hear(hello(1, [0, 1]))
    await hear({ kind: 'keep', seat: 0, keep: [0] })
    expect(threads.map(isEnded)).toEqual([false, false])
    // The list was written before the loan of number 1 began.
    await hear({ kind: 'keep', seat: 0, keep: [] })
    expect(threads.map(isEnded)).toEqual([true, false])
    await hear({ kind: 'keep', seat: 1, keep: [0] })
    expect(threads.map(isEnded)).toEqual([true, true])
  })

  test.each<[string, Down]>([
    ['by its number', { kind: 'end', seat: 1 }],
    ['by a list without it', { kind: 'keep', seat: 2, keep: [2] }],
    ['by the hello of a later loan', hello(3, [2, 3])],
  ])('that were ended %s before their hello came do not begin', async (_, end) => {
    const { hear, published, threads } = lending()
    await hear(hello(2, [1, 2]))
    await hear(end)
    const from = [published.length, threads.length]
    await hear(hello(1, [1, 2]))
    expect([published.slice(from[0]), threads.length]).toEqual([['c1 1 gone has ended'], from[1]])
  })

  test('that ended say nothing more, whatever their thread reports', async () => {
    const { hear, threads, published, states } = lending()
    await hear(hello(0))
    await hear({ kind: 'clock', seat: 0, trip: 1 })
    await hear({ kind: 'end', seat: 0 })
    const from = [published.length, states.length]
    const [{ events, tellClock, answer }] = threads
    tellClock(5)
    events.error('odd')
    events.lost('crashed')
    answer({ number: 0, broken: 'no memory' })
    await settled()
    expect([published.slice(from[0]), states.length]).toEqual([[], from[1]])
  })

  test('of another conductor with the same number do not speak for it', async () => {
    const { hear, threads, since, published } = lending()
    await hear(hello(0), 'c1')
    await hear(hello(0), 'c2')
    const from = published.length
    threads[0].events.error('of the first')
    threads[1].events.error('of the second')
    expect(since(from)).toEqual(['c2 0 error of the second'])
  })

  test('whose thread cannot start are refused with the reason, and the place stays free', async () => {
    const { hear, published, states } = lending({ fails: (k) => (k === 0 ? new Error('no more threads here') : null) })
    await hear(hello(0))
    expect([published.at(-1), states.at(-1)?.workers]).toEqual(['c1 0 gone no more threads here', []])
    await hear(hello(1))
    await hear(hello(2, [1, 2]))
    expect(published.slice(-2)).toEqual(['c1 1 hello', 'c1 2 hello'])
  })
})

describe('the presence of a device', () => {
  test('is kept by the broker, and so is its end; answers are not', async () => {
    const { hear, lender, published, tick } = lending()
    await hear(hello(0))
    tick()
    lender.leave()
    expect(published).toEqual([
      'is there, kept',
      'c1 0 hello',
      'is there, kept',
      'c1 0 gone has left the room',
      'is gone, kept',
    ])
  })

  test('is not repeated while there is no connection, and that silence is not the silence of the conductor', async () => {
    const { hear, published, tick, connect, states, since } = lending()
    await hear(hello(0))
    for (let k = 0; k < 19; k++) tick()
    connect(false)
    const from = published.length
    for (let k = 0; k < 100; k++) tick()
    expect([since(from), states.at(-1)]).toEqual([[], expect.objectContaining({ up: false, workers: [10] })])
    connect(true)
    expect([since(from), states.at(-1)?.up]).toEqual([['is there, kept'], true])
    tick()
    expect(published.at(-1)).toBe('c1 0 gone has not heard from the conductor')
  })
})

describe('a lent thread', () => {
  function lent() {
    const told: string[] = []
    let made: ReturnType<typeof threadHere> | null = null
    const thread = createLentThread(
      6,
      (_, events) => {
        made = threadHere(events)
        return made.thread
      },
      {
        send: (message) => told.push(message.kind),
        working: (stage) => told.push(`working ${stage}`),
        served: (jobs) => told.push(`served ${jobs}`),
        gone: (words) => told.push(`gone ${words}`),
      },
    )
    return { thread, told, made: made as unknown as ReturnType<typeof threadHere> }
  }

  test('confirms at once that it is to hang, since a hanging thread would not', () => {
    const { thread, told } = lent()
    thread.take({ kind: 'hang', seat: 0, at: 5 })
    expect(told).toEqual(['hang'])
  })
})
