import { describe, expect, test } from 'vitest'
import type { BatchAnswer, BatchOrder, BatchRequest, Reply } from '../../../src/engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../../src/engine/conductor/environment.ts'
import { createPool } from '../../../src/engine/conductor/pool.ts'
import type { Micros } from '../../../src/scenario/model/scenario.ts'

const order = (job: number): BatchOrder => ({
  work: 'wait',
  stage: 0,
  switchCosts: [0],
  jobs: [job],
  services: [1],
  failing: [],
  payloads: null,
})
const replyAt = (began: number): Reply => ({ began, ended: [began + 10, began + 30], threw: null, payloads: null })

/** A promise that the test settles. */
function asked<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((...settlers) => {
    ;[resolve, reject] = settlers
  })
  return { promise, resolve, reject }
}

/** A thread as the test controls it: the messages it received, and its pending promises. */
interface MadeUp {
  readonly events: ThreadEvents
  readonly hello: ReturnType<typeof asked<boolean>>
  readonly clock: ReturnType<typeof asked<Micros>>
  cutOff: boolean
  ended: number
  readonly endCalls: (() => void)[]
  readonly hangs: Micros[]
  readonly sent: BatchRequest[]
  answer(data: BatchAnswer): void
}

/** A pool whose threads the test controls. Each of its reports is a line in `log`. */
function world(more: { readonly unnoticed?: Micros; readonly refuses?: string } = {}) {
  let time = 1000
  let tick = () => {}
  const ticking: string[] = []
  const later = new Set<() => void>()
  const log: string[] = []
  const threads: MadeUp[] = []
  const say = (what: string) => (worker: number, reason?: string) =>
    void log.push(`${worker} ${what}${reason === undefined ? '' : `: ${reason}`}`)
  function threadOf(events: ThreadEvents): WorkerThread {
    const port = {
      postMessage: (message: BatchRequest) => void thread.sent.push(message),
      onmessage: null as ((event: MessageEvent<BatchAnswer>) => void) | null,
    }
    const thread: MadeUp = {
      events,
      hello: asked<boolean>(),
      clock: asked<Micros>(),
      cutOff: false,
      ended: 0,
      endCalls: [],
      hangs: [],
      sent: [],
      answer: (data: BatchAnswer) => void port.onmessage?.({ data } as MessageEvent<BatchAnswer>),
    }
    const made: WorkerThread = {
      hello: () => thread.hello.promise,
      clock: () => thread.clock.promise,
      hangAt: async (at) => void thread.hangs.push(at),
      port,
      isCutOff: () => thread.cutOff,
      onEnd: (call) => void thread.endCalls.push(call),
      end: () => void thread.ended++,
    }
    threads.push(thread)
    return made
  }
  const pool = createPool(
    {
      ready: say('ready'),
      reported: ({ worker, lease, reply, reason, silence }) =>
        void log.push(
          `${worker} lease ${lease}: ${reply === null ? reason : [reply.began, ...reply.ended].join(' ')}, silent ${silence}`,
        ),
      lost: say('lost'),
      errorOutsideWork: say('error'),
    },
    {
      now: () => time,
      after: (_, call) => {
        later.add(call)
        return () => later.delete(call)
      },
      every: (milliseconds, call) => {
        ticking.push(`every ${milliseconds} ms`)
        tick = call
        return () => void ticking.push('stopped')
      },
      cores: 2,
      ...(more.unnoticed === undefined ? {} : { unnoticed: more.unnoticed }),
      start: (_, events) => {
        if (more.refuses !== undefined) throw new Error(more.refuses)
        return threadOf(events)
      },
    },
  )
  const turns = async () => {
    for (let k = 0; k < 12; k++) await null
  }
  /** Advances time in ticks of 100 ms. */
  const pass = async (seconds: number) => {
    for (let k = 0; k < Math.round(seconds * 10); k++) {
      time += 100_000
      tick()
      await turns()
    }
  }
  /** Starts a worker whose clock is ahead of ours by `ahead`. */
  const started = async (worker: number, ahead = 0, noticesEnd = false) => {
    pool.hire(worker)
    const thread = threads[threads.length - 1]
    thread.hello.resolve(noticesEnd)
    await turns()
    thread.clock.resolve(time + ahead)
    await turns()
    return thread
  }
  return { pool, log, threads, ticking, later, pass, turns, started }
}

describe('a worker of the pool', () => {
  test('is ready when its thread has answered and reported its clock, and then gets the messages sent before', async () => {
    const { pool, log, threads, turns } = world()
    pool.hire(4)
    pool.send(4, 70, order(5), 1e6, false)
    pool.send(4, 71, order(6), 1e6, true)
    await turns()
    threads[0].hello.resolve(true)
    await turns()
    expect([log, threads[0].sent]).toEqual([[], []])
    threads[0].clock.resolve(1000)
    await turns()
    expect(log).toEqual(['4 ready'])
    expect(threads[0].sent.map(({ batch }) => batch.jobs[0])).toEqual([5, 6])
    pool.send(4, 72, order(7), 1e6, false)
    expect(threads[0].sent.length).toBe(3)
    pool.send(5, 73, order(8), 1e6, false)
    expect(threads[0].sent.length).toBe(3)
  })

  test('reports times on our clock, however far its own is ahead or behind, and hangs on its own', async () => {
    for (const [ahead, offset] of [
      [0, 0],
      [500, -500],
      [-300, 300],
    ]) {
      const { pool, log, started, turns } = world()
      const thread = await started(0, ahead)
      pool.send(0, 9, order(5), 1e6, false)
      thread.answer({ number: 0, reply: replyAt(2000 - offset) })
      pool.hangAt(0, 8000)
      pool.hangAt(1, 8000)
      await turns()
      expect([log, thread.hangs]).toEqual([['0 ready', '0 lease 9: 2000 2010 2030, silent 0'], [8000 - offset]])
    }
  })

  test('is given up when it is silent for too long over a batch, and its later answer is ignored', async () => {
    const { pool, log, started, pass, turns } = world()
    const thread = await started(0)
    await pass(5)
    pool.send(0, 9, order(5), 2_000_000, false)
    await pass(2)
    expect(log).toEqual(['0 ready'])
    await pass(0.1)
    expect(log).toEqual(['0 ready', '0 lost: has not answered and is given up'])
    thread.answer({ number: 0, reply: replyAt(0) })
    await turns()
    expect([log.length, thread.ended]).toEqual([2, 1])
  })

  test('may be silent for longer where a lost connection is noticed late, and while it is known to be disconnected', async () => {
    const { pool, log, started, pass } = world({ unnoticed: 700_000 })
    const thread = await started(0)
    await pass(1)
    pool.send(0, 9, order(5), 2_000_000, false)
    await pass(2.7)
    thread.cutOff = true
    await pass(60)
    expect(log).toEqual(['0 ready'])
    thread.cutOff = false
    await pass(0.1)
    expect(log).toEqual(['0 ready', '0 lost: has not answered and is given up'])
  })
})

describe('a thread that does not start', () => {
  test('is reported with the reason of the system, of its script or of its first answer', async () => {
    const refused = world({ refuses: 'too many' })
    for (const worker of [3, 4]) refused.pool.hire(worker)
    refused.pool.dismiss(4)
    await refused.turns()
    // Timers go on in between, though the worker may be asked for again at once.
    expect(refused.log).toEqual([])
    for (const call of refused.later) call()
    expect(refused.log).toEqual(['3 lost: could not be started: too many'])

    for (const [message, words] of [
      ['', 'could not be loaded'],
      ['no network', 'could not be loaded: no network'],
    ]) {
      const { pool, log, threads, turns } = world()
      pool.hire(3)
      threads[0].events.error(message)
      await turns()
      expect([log, threads[0].ended]).toEqual([[`3 lost: ${words}`], 1])
    }

    const { pool, log, threads, turns } = world()
    pool.hire(3)
    threads[0].hello.reject(new Error('no wasm'))
    await turns()
    expect([log, threads[0].ended]).toEqual([['3 lost: could not be started: no wasm'], 1])
  })
})

test('a thread is given up three seconds after its first answer, if it does not report its clock', async () => {
  const { pool, log, threads, pass } = world()
  pool.hire(3)
  threads[0].hello.resolve(false)
  await pass(3)
  expect(log).toEqual([])
  await pass(0.3)
  expect(log).toEqual(['3 lost: has not answered and is given up'])
})

describe('an error outside the work', () => {
  test('is reported with its message, and the worker continues', async () => {
    const { pool, log, started, turns } = world()
    const thread = await started(0)
    thread.events.error('')
    thread.events.error('odd')
    pool.send(0, 9, order(5), 1e6, false)
    thread.answer({ number: 0, reply: replyAt(0) })
    await turns()
    const words = 'reported an error outside its work and continues'
    expect(log).toEqual(['0 ready', `0 error: ${words}`, `0 error: ${words}: odd`, '0 lease 9: 0 10 30, silent 0'])
  })
})

describe('a thread that ends', () => {
  test('by itself is reported once, where that can be noticed', async () => {
    const { log, started } = world()
    const [noticed, unnoticed] = [await started(0, 0, true), await started(1, 0, false)]
    expect([noticed.endCalls.length, unnoticed.endCalls.length]).toEqual([1, 0])
    noticed.endCalls[0]()
    noticed.endCalls[0]()
    noticed.events.lost('gone')
    unnoticed.events.lost('gone')
    expect(log.slice(2)).toEqual(['0 lost: has ended', '1 lost: gone'])
  })

  test('after its dismissal reports nothing more, and a new worker may have its number', async () => {
    const { pool, log, started, turns } = world()
    const first = await started(0, 0, true)
    pool.send(0, 9, order(5), 1e6, false)
    pool.dismiss(0)
    pool.dismiss(0)
    const second = await started(0)
    first.answer({ number: 0, reply: replyAt(0) })
    first.endCalls[0]()
    first.events.lost('gone')
    await turns()
    expect([log, first.ended, second.ended]).toEqual([['0 ready', '0 ready'], 1, 0])
  })
})
