import { AsyncResource } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Piscina } from 'piscina'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import workerpool from 'workerpool'
import { spanRunOf } from '../../../src/features/spans/read/spanRun.ts'
import { readSpans } from '../../../src/features/spans/study/importSpans.ts'
import { figuresOf } from '../../../src/measures/figures/metrics.ts'
import { type JobLine, type Recording, record } from '../../../src/recorder.ts'

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apportion-record-'))
  const spin = 'const spin = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); }\n'
  writeFileSync(
    join(folder, 'stages.mjs'),
    `${spin}export function resize({ fail }) { spin(4); if (fail) throw new Error('no picture') }\nexport function upload() { spin(2) }\n`,
  )
  writeFileSync(
    join(folder, 'methods.cjs'),
    `const workerpool = require(${JSON.stringify(createRequire(import.meta.url).resolve('workerpool'))})\n${spin}workerpool.worker({ parse() { spin(3) }, store() { spin(4) } })\n`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Opens a recording as the page does. Returns its figures, and what was said. */
async function opened(recording: Recording) {
  const part = new TextEncoder().encode(recording.text())
  const parts = async function* () {
    yield part
  }
  const { table } = await readSpans(parts())
  const { trace, notes } = spanRunOf(table, { job: null, stage: null, worker: null }, 'recorded')
  return { ...figuresOf(trace).metrics, scenario: trace.scenario, notes }
}

/** A Worker, a Queue or the QueueEvents of BullMQ, as far as they are used. */
function bullmq(name: string, own: object = {}) {
  const toKey = (id: string) => `bull:${name}:${id}`
  return Object.assign(new EventEmitter(), { name, toKey, waitUntilReady: async () => {} }, own)
}

/** Returns the services of each worker that begin before the last one ended. */
function overlaps(lines: readonly JobLine[]): number {
  const workers = new Map(lines.map(({ worker }) => [worker, lines.filter((line) => line.worker === worker)]))
  return [...workers.values()].reduce((sum, own) => {
    const inTurn = [...own].sort((a, b) => a.began - b.began)
    return sum + inTurn.filter(({ began }, k) => k > 0 && began < inTurn[k - 1].ended).length
  }, 0)
}

/** A task and a pool of tinypool 2.2, whose thread is a promise. */
class ThreadTask extends AsyncResource {
  started = 0
  workerInfo: object | null = null
  constructor(
    readonly serve: () => Promise<void>,
    readonly settle: () => void,
  ) {
    super('Tinypool.Task', { requireManualDestroy: true })
  }
  done() {
    this.settle()
  }
}
class Tinypool {
  static readonly queueOptionsSymbol = Symbol.for('Tinypool.queueOptions')
  readonly threads = [{ threadId: 7 }]
  readonly workerInfo = { worker: this.threads[0] }
  readonly waiting: ThreadTask[] = []
  busy = 0
  /** Runs after a task is done and before its promise is settled, as when its thread is replaced. */
  replaced = async () => {}
  constructor(readonly options = { concurrentTasksPerWorker: 1 }) {}
  run(serve: () => Promise<void>) {
    return new Promise<void>((resolve) => {
      this.waiting.push(new ThreadTask(serve, () => void this.replaced().then(resolve)))
      this.next()
    })
  }
  next() {
    for (; this.busy < this.options.concurrentTasksPerWorker && this.waiting.length > 0; this.busy++) {
      const task = this.waiting.shift() as ThreadTask
      task.started = performance.now()
      task.workerInfo = this.workerInfo
      void task.serve().then(() => {
        this.busy--
        this.next()
        task.done()
      })
    }
  }
}

describe('a recording', () => {
  test('of two pools of piscina is the run that the system measured: its jobs, flow times, threads and failures', async () => {
    const pool = (name: string, threads: number) =>
      new Piscina({ filename: join(folder, 'stages.mjs'), name, minThreads: threads, maxThreads: threads })
    const [resize, upload] = [pool('resize', 2), pool('upload', 1)]
    const recording = record(resize, { stage: 'resize', job: ({ id }: { id: number }) => id })
    record(upload, { stage: 'upload', job: ({ id }: { id: number }) => id, into: recording })
    const flows: number[] = []
    await Promise.all(
      Array.from({ length: 60 }, async (_, id) => {
        await sleep(3 * id)
        const came = performance.now()
        const passed = await resize.run({ id, fail: id % 20 === 19 }).then(
          () => true,
          () => false,
        )
        if (passed) await upload.run({ id })
        flows.push(1000 * (performance.now() - came))
      }),
    )
    recording.stop()
    await resize.run({ id: 99 })
    expect([recording.lines.length, overlaps(recording.lines)]).toEqual([60 + 57, 0])
    const { completed, failed, meanFlowTime, scenario } = await opened(recording)
    expect([completed, failed, scenario.workers]).toEqual([57, 3, 3])
    expect(scenario.stages.map(({ name }) => name)).toEqual(['resize', 'upload'])
    // A job is recorded after it came, and its end before the caller learns of it.
    const measured = flows.reduce((sum, flow) => sum + flow, 0) / flows.length
    expect(meanFlowTime).toBeGreaterThan(0)
    expect(meanFlowTime).toBeLessThanOrEqual(measured)
    await Promise.all([resize.destroy(), upload.destroy()])
  })

  test('of a tinypool begins where a task is given to a thread, and ends where it is done', async () => {
    const pool = new Tinypool()
    const recording = record(pool, { stage: 'resize' })
    let replacedAt = 0
    pool.replaced = async () => {
      replacedAt = 1000 * (performance.timeOrigin + performance.now())
      await sleep(5)
    }
    await Promise.all([0, 1, 2].map(() => pool.run(() => sleep(5))))
    const { lines } = recording
    expect([lines.map(({ worker }) => worker), overlaps(lines)]).toEqual([[7, 7, 7], 0])
    expect(lines[2].enqueued_at).toBeLessThan(lines[0].ended)
    expect(lines[2].ended).toBeLessThanOrEqual(replacedAt + 1)
  })

  test('of a thread with several tasks at once lets each last until it is done', async () => {
    const pool = new Tinypool({ concurrentTasksPerWorker: 2 })
    const recording = record(pool)
    let end = () => {}
    const first = pool.run(() => new Promise((resolve) => (end = resolve)))
    const second = pool.run(() => first.then(() => sleep(1)))
    await sleep(2)
    end()
    await second
    const [before, after] = recording.lines
    expect(before.ended).toBeGreaterThan(after.began)
  })

  test('leaves out calls that have no beginning, and says so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const pool = new (class extends Tinypool {
      override async run(serve: () => Promise<void>) {
        await sleep(1)
        await super.run(serve)
      }
    })()
    const recording = record(pool)
    await Promise.all([pool.run(() => sleep(1)), pool.run(() => sleep(1))])
    expect(recording.lines).toEqual([])
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('of a pool of workerpool has a stage for each method, and says on which thread each was', async () => {
    const pool = workerpool.pool(join(folder, 'methods.cjs'), { maxWorkers: 2, workerType: 'thread' })
    const recording = record(pool, { job: (_: string, [id]: number[]) => id })
    const flow = async (id: number) => {
      await pool.exec('parse', [id])
      await pool.exec('store', [id])
    }
    await Promise.all(Array.from({ length: 30 }, (_, id) => flow(id)))
    recording.stop()
    await pool.exec('parse', [99])
    expect([recording.lines.length, overlaps(recording.lines)]).toEqual([60, 0])
    const { completed, scenario } = await opened(recording)
    expect([completed, scenario.workers, scenario.stages.map(({ name }) => name)]).toEqual([30, 2, ['parse', 'store']])
    await pool.terminate()
  })

  test('of what is added to a queue such as p-queue begins where the function is called, and a throw is an error', async () => {
    let running = 0
    const queue = {
      concurrency: 1,
      waiting: [] as (() => void)[],
      async add(task: (of: object) => unknown, _options?: { readonly id: string }) {
        while (running === 1) await new Promise<void>((resolve) => this.waiting.push(resolve))
        running++
        try {
          return await task({ signal: null })
        } finally {
          running--
          this.waiting.shift()?.()
        }
      },
    }
    const own = queue.add
    const recording = record(queue, { stage: 'save', job: (_: unknown, { id }: { id: string }) => id })
    const given: unknown[] = []
    const save = async (of: unknown) => {
      given.push(of)
      await sleep(5)
      return 7
    }
    const results = await Promise.allSettled([
      queue.add(save, { id: 'a' }),
      queue.add(save, { id: 'b' }),
      queue.add(
        () => {
          throw new Error('full')
        },
        { id: 'c' },
      ),
    ])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([
      7,
      7,
      'full',
    ])
    expect(given).toEqual([{ signal: null }, { signal: null }])
    const [a, b, c] = recording.lines
    expect([a.job, b.job, c.job, c.error]).toEqual(['a', 'b', 'c', 'full'])
    expect(b.began).toBeGreaterThanOrEqual(a.ended - 2000)
    expect(b.enqueued_at).toBeLessThan(a.ended)
    recording.stop()
    expect(queue.add).toBe(own)
  })

  test('of a Worker of BullMQ has its times, and that of QueueEvents those of the events', async () => {
    const worker = bullmq('fetch', { getNextJob() {} })
    const events = bullmq('store')
    const recording = record(worker, { job: ({ data }: { data: { order: number } }) => data.order })
    record(events, { into: recording })
    // As BullMQ 6.7 emits them.
    worker.emit(
      'failed',
      { id: '5', data: { order: 8 }, timestamp: 1_795_000_000_000, processedOn: 1_795_000_000_010 },
      new Error('timeout'),
    )
    worker.emit('completed', {
      id: '5',
      data: { order: 8 },
      timestamp: 1_795_000_000_000,
      processedOn: 1_795_000_000_020,
      finishedOn: 1_795_000_000_050,
    })
    worker.emit('failed', undefined, new Error('stalled'))
    events.emit('waiting', { jobId: '8' }, '1795000000060-0')
    events.emit('active', { jobId: '8', prev: 'waiting' }, '1795000000070-0')
    events.emit('completed', { jobId: '8', returnvalue: '{}', prev: 'active' }, '1795000000095-3')
    events.emit('completed', { jobId: '9', returnvalue: '{}', prev: 'active' }, '1795000000096-0')
    const [failed, fetched, stored] = recording.lines
    expect(recording.lines).toHaveLength(3)
    expect(failed).toMatchObject({ job: 8, stage: 'fetch', error: 'timeout', began: 1_795_000_000_010_000 })
    expect(fetched).toEqual({
      job: 8,
      stage: 'fetch',
      enqueued_at: 1_795_000_000_000_000,
      began: 1_795_000_000_020_000,
      ended: 1_795_000_000_050_000,
    })
    expect(stored).toEqual({
      job: 'bull:store:8',
      stage: 'store',
      enqueued_at: 1_795_000_000_060_000,
      began: 1_795_000_000_070_000,
      ended: 1_795_000_000_095_000,
    })
    recording.stop()
    worker.emit('completed', { id: '6', timestamp: 1, processedOn: 2, finishedOn: 3 })
    expect([recording.lines.length, worker.listenerCount('completed')]).toEqual([3, 0])
  })

  test('takes equal ids of two queues for different jobs, and tries of one job for one', () => {
    const [resizer, helper] = [bullmq('resize', { getNextJob() {} }), bullmq('resize', { getNextJob() {} })]
    const events = bullmq('upload')
    const recording = record(resizer)
    for (const source of [helper, events]) record(source, { into: recording })
    const job = { id: '1', timestamp: 1, processedOn: 2, finishedOn: 3 }
    resizer.emit('failed', job, new Error('full'))
    helper.emit('completed', job)
    events.emit('active', { jobId: '1' }, '4-0')
    events.emit('completed', { jobId: '1' }, '5-0')
    const [failed, tried, uploaded] = recording.lines.map(({ job }) => job)
    expect(tried).toBe(failed)
    expect(uploaded).not.toBe(failed)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['an object with run and threads', { run() {}, threads: [] }],
    ['an object with exec and stats', { exec() {}, stats() {} }],
    ['a Queue of bee-queue', Object.assign(new EventEmitter(), { name: 'fetch', toKey: String })],
    ['a Queue of BullMQ', bullmq('fetch', { add() {} })],
  ])('is refused for %s', (_, pool) => {
    expect(() => record(pool as never)).toThrow(TypeError)
    expect(() => record(pool as never)).toThrow(/allowed: a Piscina, .*tinypool.* workerpool/i)
  })

  test('is refused into other recordings', () => {
    expect(() => record({ add() {}, concurrency: 1 }, { into: { lines: [], text: () => '', stop() {} } })).toThrow(
      /what record\(\) returned/,
    )
  })
})
