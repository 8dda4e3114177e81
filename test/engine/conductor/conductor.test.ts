import { describe, expect, test } from 'vitest'
import type { BatchAnswer, BatchRequest } from '../../../src/engine/conductor/batchPort.ts'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import type { ThreadEvents, WorkerThread } from '../../../src/engine/conductor/environment.ts'
import { kinds, rowAt } from '../../../src/pipeline/rows.ts'
import { MAX_REAL_WORKERS } from '../../../src/scenario/model/limits.ts'
import type { Micros } from '../../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const waits = (id: string, mean = 1000) => ({ id, work: 'wait', service: { kind: 'constant', mean } })

/** A conductor whose clock and threads are controlled by the test. */
function world(input: object, file: Blob | null = null) {
  let time = 5_000_000
  let timers: { readonly due: Micros; readonly call: () => void }[] = []
  const log: string[] = []
  const journals: number[] = []
  const threads: {
    readonly events: ThreadEvents
    readonly sent: BatchRequest[]
    readonly hangs: Micros[]
    ended: boolean
    answer(data: BatchAnswer): void
  }[] = []
  const start = (worker: number, events: ThreadEvents): WorkerThread => {
    const port = {
      postMessage: (message: BatchRequest) => void thread.sent.push(message),
      onmessage: null as ((event: MessageEvent<BatchAnswer>) => void) | null,
    }
    const thread: (typeof threads)[number] = {
      events,
      sent: [],
      hangs: [],
      ended: false,
      answer: (data) => void port.onmessage?.({ data } as MessageEvent<BatchAnswer>),
    }
    threads[worker] = thread
    return {
      hello: async () => true,
      clock: async () => time,
      hangAt: async (at) => void thread.hangs.push(at - 5_000_000),
      port,
      onEnd() {},
      end() {
        thread.ended = true
      },
    }
  }
  const conductor = createConductor(
    {
      now: () => time,
      after: (milliseconds, call) => {
        const timer = { due: time + 1000 * milliseconds, call }
        timers.push(timer)
        return () => {
          timers = timers.filter((other) => other !== timer)
        }
      },
      every: () => () => {},
      cores: 4,
      start,
    },
    { file },
  )
  const over = conductor
    .start(scenarioWith({ source: { kind: 'batch', jobs: 2 }, stages: [waits('A')], workers: 1, ...input }), {
      ready: (worker) => void log.push(`${worker} ready`),
      journal: ({ rows }) => {
        journals.push(time - 5_000_000)
        for (let i = 0; i < rows.length; i++) {
          const { time: at, kind, worker, job } = rowAt(rows, i)
          log.push(`${at} ${kinds[kind]} ${worker} ${job}`)
        }
      },
      failure: ({ kind, worker, reason }) => void log.push(`failure of ${kind} ${worker ?? ''}: ${reason}`),
      output: ({ records, bytes }) => void log.push(`output of ${records} records, ${bytes} bytes`),
      ended: (ending) => void log.push(ending),
    })
    .catch((error: Error) => void log.push(`rejected: ${error.message}`))
  const turns = async () => {
    for (let k = 0; k < 40; k++) await null
  }
  /** Moves the clock and runs the timers that are due. */
  const pass = async (micros: Micros) => {
    time += micros
    const due = timers.filter((timer) => timer.due <= time)
    timers = timers.filter((timer) => timer.due > time)
    for (const { call } of due) call()
    await turns()
  }
  /** The thread of a worker answers its batch of this number, which took until now. */
  const answer = async (worker: number, number: number, lasted = 100) => {
    const { batch } = threads[worker].sent[number]
    const ended = batch.jobs.map((_, k) => time - batch.jobs.length + 1 + k)
    threads[worker].answer({ number, reply: { began: time - lasted, ended, threw: null, payloads: batch.payloads } })
    await turns()
  }
  return {
    conductor,
    log,
    journals,
    threads,
    timers: () => timers.map(({ due }) => due - 5_000_000),
    turns,
    pass,
    answer,
    over,
  }
}

describe('a run on threads', () => {
  test('begins when all threads have answered, and hands over rows at most every 16 ms and once at its end', async () => {
    const { log, journals, threads, pass, answer, turns, over } = world({
      workers: 2,
      source: { kind: 'batch', jobs: 3 },
    })
    await turns()
    expect(log.slice(0, 2)).toEqual(['0 ready', '1 ready'])
    expect(journals).toEqual([0])
    await pass(4000)
    await answer(0, 0)
    await pass(9000)
    await answer(1, 0)
    expect(journals).toEqual([0])
    await pass(3000)
    expect(journals).toEqual([0, 16_000])
    expect(log.slice(2)).toEqual([
      '0 arrived -1 0',
      '0 arrived -1 1',
      '0 arrived -1 2',
      '0 exhausted -1 -1',
      '0 started 0 0',
      '0 started 1 1',
      '4000 finished 0 0',
      '4000 released -1 0',
      '4000 started 0 2',
      '13000 finished 1 1',
      '13000 released -1 1',
    ])
    await pass(1000)
    await answer(0, 1)
    await over
    expect(log.slice(13)).toEqual(['17000 finished 0 2', '17000 released -1 2', 'drained'])
    expect([journals, threads.map(({ ended }) => ended)]).toEqual([
      [0, 16_000, 17_000],
      [true, true],
    ])
  })

  test('that is stopped before it begins has no output, and ends its threads', async () => {
    const { log, threads, conductor, over } = world({ stages: [{ id: 'A', work: 'parseJson' }] })
    conductor.stop()
    await over
    expect([log.at(-1), log.some((line) => line.startsWith('output')), threads[0].ended]).toEqual([
      'stopped',
      false,
      true,
    ])
  })

  test('over records gives its output before it ends', async () => {
    const reads = { source: { kind: 'lines', jobs: 2, digest: '' }, stages: [{ id: 'A', work: 'parseJson' }] }
    const { log, answer, pass, turns, over, threads } = world(reads, new Blob(['one\ntwo\n']))
    await expect.poll(() => threads[0]?.sent.length).toBe(1)
    expect(threads[0].sent[0].batch).toMatchObject({ work: 'parseJson', jobs: [0], payloads: ['one'] })
    await pass(1000)
    await answer(0, 0)
    await pass(1000)
    await answer(0, 1)
    await turns()
    await over
    expect(log.slice(-3)).toEqual(['2000 released -1 1', 'output of 2 records, 8 bytes', 'drained'])
  })

  test('with a missing file is rejected with a reason, after no row, and its threads end', async () => {
    const { log, threads, over } = world({ source: { kind: 'lines', jobs: 2, digest: '' } })
    await over
    expect(log.filter((line) => !line.endsWith('ready'))).toEqual([
      expect.stringMatching(/^rejected: This pipeline reads the lines of a file/),
    ])
    expect(threads[0].ended).toBe(true)
  })

  test('is stuck when its last worker is lost and no worker will join, and says why it was lost', async () => {
    const { log, threads, pass, turns, over } = world({})
    await turns()
    await pass(700)
    threads[0].events.lost('gone')
    await over
    expect(log.slice(-3)).toEqual(['0 started 0 0', '700 lost 0 -1', 'stuck'])
    expect(log).toContain('failure of worker 0: gone')
  })

  test('continues without a worker while another will join', async () => {
    const { log, threads, pass, answer, turns, over } = world({
      workerEvents: [{ at: 5000, kind: 'join', worker: 1 }],
      source: { kind: 'batch', jobs: 1 },
    })
    await turns()
    threads[0].events.lost('gone')
    await turns()
    expect(log.includes('stuck')).toBe(false)
    await pass(5000)
    await pass(100)
    await answer(1, 0)
    await over
    expect(log.slice(-5)).toEqual([
      '5000 joined 1 -1',
      '5000 started 1 0',
      '5100 finished 1 0',
      '5100 released -1 0',
      'drained',
    ])
  })
})

const refuses = () => {
  throw new Error('a thread was started')
}
const listener = { journal: refuses, failure: refuses, ended: refuses }
const environment = { now: () => 0, after: refuses, every: refuses, cores: 2, start: refuses }

test.each([
  ['from the start', { workers: MAX_REAL_WORKERS + 1 }, '257'],
  [
    'with those who join',
    { workers: MAX_REAL_WORKERS, workerEvents: [{ at: 5, kind: 'join', worker: MAX_REAL_WORKERS }] },
    '257',
  ],
])(
  'more real workers than allowed are refused with a reason before a thread is started: %s',
  async (_, change, workers) => {
    const service = { kind: 'constant', mean: 1000 }
    const parsed = scenarioWith({
      source: { kind: 'regular', rate: 10, jobs: 5 },
      stages: [{ id: 'A', service }],
      ...change,
    })
    await expect(createConductor(environment).start(parsed, listener)).rejects.toThrow(
      `Web Workers and rooms have at most 256 workers, not ${workers}. Use fewer, or the simulation.`,
    )
  },
)
