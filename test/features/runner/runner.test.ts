import { rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Pipeline } from '../../../src/features/runner/pipeline.ts'
import { transfer } from '../../../src/features/runner/protocol.ts'
import { PipelineError } from '../../../src/features/runner/run.ts'
import type { PipelineOptions } from '../../../src/features/runner/settings.ts'
import { figuresOf } from '../../../src/measures/figures/metrics.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { threadsOfNode } from './threadsOfNode.ts'

let threads: Awaited<ReturnType<typeof threadsOfNode>>
beforeAll(async () => {
  threads = await threadsOfNode()
})
afterAll(() => rmSync(threads.folder, { recursive: true, force: true }))

let open: Pipeline | null = null
function pipelineOf(options: Omit<PipelineOptions, 'worker'>): Pipeline {
  open = new Pipeline({ worker: threads.worker, workers: 2, ...options })
  return open
}
afterEach(async () => {
  await open?.close()
  open = null
  expect(threads.living.size).toBe(0)
})

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

async function all(results: AsyncIterable<unknown>): Promise<unknown[]> {
  const list: unknown[] = []
  for await (const result of results) list.push(result)
  return list
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test.each([
  ['leastScore', 6000, [1234, 5234]],
  ['perJob', 2000, [1234]],
  ['workStealing', 2000, [1234]],
] as const)(
  'under %s %i inputs come out in order but for some that throw, though one thread exits and one hangs; the record tells it',
  async (policy, many, bad) => {
    const pipeline = pipelineOf({
      stages: ['parse', 'fussy', 'mortal', { id: 'sleepy', timeout: 300 }, 'text'],
      policy,
      onError: 'skip',
      record: true,
    })
    const skipped: string[] = []
    const ends: unknown[] = []
    pipeline.addEventListener('skip', ({ detail }) => skipped.push(detail.message))
    pipeline.addEventListener('threadEnd', ({ detail }) => ends.push(detail))
    const results = await all(pipeline.run(numbers(many).map((n) => JSON.stringify({ n }))))
    expect(results).toEqual(numbers(many).flatMap((n) => (n % 4000 === 1234 ? [] : [`#${n}`])))
    expect(skipped).toEqual(bad.map((n) => `Stage "fussy" failed at input ${n}: cannot bear ${n}`))
    expect(ends, JSON.stringify(ends)).toHaveLength(2)
    const read = readTraceJson(await (await pipeline.trace()).text())
    if ('problems' in read) expect.fail(JSON.stringify(read.problems))
    expect(read.trace).toMatchObject({ engine: 'functions', ending: 'drained' })
    const { metrics } = figuresOf(read.trace)
    expect(metrics).toMatchObject({ jobs: many, completed: many - bad.length, failed: bad.length })
    const { stages, released, failed } = pipeline.stats()
    expect({ released, failed }).toEqual({ released: many - bad.length, failed: bad.length })
    expect(stages.map(({ done }) => done)).toEqual([many, ...numbers(4).map(() => many - bad.length)])
    for (const [s, { service }] of stages.entries())
      expect(service.mean * 1000).toBeCloseTo(metrics.stages[s].meanService, 3)
  },
)

test('no more inputs than highWaterMark are inside while the consumer sleeps', async () => {
  const pipeline = pipelineOf({ stages: ['same'], highWaterMark: 10 })
  let taken = 0
  async function* source() {
    for (; taken < 60; ) yield taken++
  }
  const results = pipeline.run(source())
  await pause(20)
  expect(taken).toBe(0)
  for (let read = 1; read <= 60; read++) {
    expect((await results.next()).value).toBe(read - 1)
    if (read % 20 === 0) await pause(30)
    expect(taken).toBeLessThanOrEqual(read + 10)
    if (read % 20 === 0) expect(taken).toBe(Math.min(60, read + 10))
  }
  expect(await results.next()).toEqual({ value: undefined, done: true })
})

describe('threads end at once, also in the middle of a function', () => {
  const ended = async (stop: () => Promise<unknown>) => {
    await stop()
    await pause(0)
    expect(threads.living.size).toBe(0)
  }

  test('when the loop is left, and the source is told', async () => {
    const pipeline = pipelineOf({
      stages: ['same', 'forever'],
      order: 'any',
      links: [
        ['source', 'same'],
        ['same', 'sink'],
        ['source', 'forever'],
        ['forever', 'sink'],
      ],
    })
    let closed = false
    function* source() {
      try {
        yield* numbers(1000)
      } finally {
        closed = true
      }
    }
    const results = pipeline.run(source())
    void results.next()
    await pause(150)
    expect(threads.living.size).toBe(2)
    await ended(() => results.return())
    expect(closed).toBe(true)
    expect(await results.next()).toEqual({ value: undefined, done: true })
  })

  test('when the signal is aborted, when the source throws, when a function does', async () => {
    const abort = new AbortController()
    const results = pipelineOf({ stages: ['forever'] }).run(numbers(9), { signal: abort.signal })
    const next = results.next()
    await pause(150)
    await ended(async () => {
      abort.abort(new Error('enough'))
      await expect(next).rejects.toThrow('enough')
      await results.return()
    })
    function* broken() {
      yield 1
      throw new Error('no more milk')
    }
    await expect(all(pipelineOf({ stages: ['forever'] }).run(broken()))).rejects.toThrow('no more milk')
    const error = await all(
      pipelineOf({ stages: ['parse', 'fussy'] }).run(numbers(2000).map((n) => `{"n":${n}}`)),
    ).catch((thrown: unknown) => thrown)
    if (!(error instanceof PipelineError)) throw error
    expect(error).toMatchObject({
      stage: 'fussy',
      job: 1234,
      cause: { name: 'RangeError', message: 'cannot bear 1234' },
    })
  })

  test('after a while without a run; before that the next run uses them again', async () => {
    const pipeline = pipelineOf({ stages: ['same'], idle: 200 })
    const before = threads.started
    expect(await all(pipeline.run([1, 2]))).toEqual([1, 2])
    expect(await all(pipeline.run([3]))).toEqual([3])
    expect(threads.started - before).toBe(2)
    expect(threads.living.size).toBe(2)
    // Later on a busy machine.
    await expect.poll(() => threads.living.size).toBe(0)
    expect(await all(pipeline.run([4]))).toEqual([4])
  })
})

describe('what cannot be is said at once', () => {
  test.each<[string, PipelineOptions['stages'], unknown, RegExp]>([
    [
      'an input that cannot be cloned',
      ['same'],
      () => {},
      /Stage "same" failed at input 1: The input cannot be sent to a thread/,
    ],
    [
      'an output that cannot be cloned',
      ['aFunction'],
      1,
      /Stage "aFunction" failed at input [012]: The result cannot be sent/,
    ],
    [
      'an output that is undefined',
      ['nothing', 'same'],
      1,
      /Stage "nothing" failed at input [012]: .*returned undefined/,
    ],
    [
      'a function that is not served',
      ['same', 'juggle'],
      1,
      /Stage "juggle" needs the function "juggle"; the threads serve "parse", /,
    ],
  ])('%s', async (_, stages, input, message) => {
    await expect(all(pipelineOf({ stages }).run([1, input, 2]))).rejects.toThrow(message)
  })

  test('the last stage may return nothing', async () => {
    expect(await all(pipelineOf({ stages: ['nothing'] }).run([1, 2]))).toEqual([undefined, undefined])
  })

  let again: Worker | null = null
  test.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no thread today')
      },
      /no thread today/,
    ],
    ['returns nothing', () => {}, /worker\(\) gave nothing/],
    ['returns a promise', async () => 1, /worker\(\) gave/],
    ['returns one Worker again', () => (again ??= threads.worker()), /the same Worker/],
    ['names a file without its folder', () => new Worker('stages.js'), /stages\.js/],
    ['names a file that is not there', () => new Worker('./nowhere/stages.js'), /nowhere.stages\.js/],
    ['starts a module that throws', () => new Worker("throw new Error('bad module')", { eval: true }), /bad module/],
    ['starts a module without serve()', () => new Worker('', { eval: true }), /serve\(\)/],
  ])('a `worker` that %s', async (_, worker, message) => {
    const pipeline = new Pipeline({ worker: worker as () => Worker, workers: 2, stages: ['slow'] })
    await expect(all(pipeline.run(numbers(500)))).rejects.toThrow(message)
    await pipeline.close()
  })

  test('wrong options, with their places', () => {
    expect(() => pipelineOf({ stages: ['a', 'a'] })).toThrow(/stages\[1\]/)
    expect(() => pipelineOf({ stages: ['a'], highWaterMark: 0 })).toThrow(/highWaterMark/)
    expect(() => pipelineOf({ stages: ['a'], policy: 'nonsense' as 'single' })).toThrow(/policy/)
  })

  test('a second run at the same time', async () => {
    const pipeline = pipelineOf({ stages: ['same'] })
    const results = pipeline.run([1])
    expect(() => pipeline.run([2])).toThrow(/open already/)
    await results.return()
  })
})

test('an input at which three threads ended has failed, and takes no other with it', async () => {
  const pipeline = pipelineOf({ stages: ['exits'], onError: 'skip' })
  let ends = 0
  pipeline.addEventListener('threadEnd', () => ends++)
  expect(await all(pipeline.run([1]))).toEqual([])
  expect(ends).toBe(3)
})

test('where a stage allows one thread for an input, only the input at which it hangs is lost, and the words say why', async () => {
  const pipeline = pipelineOf({ stages: ['same', { id: 'hangs', timeout: 100, threads: 1 }], onError: 'skip' })
  const words: string[] = []
  pipeline.addEventListener('skip', ({ detail }) => words.push(detail.message))
  pipeline.addEventListener('threadEnd', ({ detail }) => words.push(detail.reason))
  expect(await all(pipeline.run(numbers(200)))).toEqual(numbers(200).filter((n) => n !== 77))
  expect(words).toContainEqual(expect.stringMatching(/^Stage "hangs" failed at input 77: its thread .*100 ms$/))
  for (const one of words) expect(one).toMatch(/timeout of 100 ms/)
})

test('of two inputs that move one buffer the first succeeds, whether they are read or pushed', async () => {
  const twice = (bytes: Uint8Array) => [bytes, bytes].map(() => transfer(bytes, [bytes.buffer as ArrayBuffer]))
  const pipeline = pipelineOf({ stages: ['sum'], onError: 'skip' })
  expect(await all(pipeline.run(twice(new Uint8Array([1, 2]))))).toEqual([3])
  const pushed = await Promise.allSettled(twice(new Uint8Array([3, 4])).map((bytes) => pipeline.push(bytes)))
  expect(pushed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('of a view of a large buffer only what it shows is copied', async () => {
  const large = new Uint8Array(1000).fill(1)
  const lengths = pipelineOf({ stages: ['bufferLength'] })
  expect(await all(lengths.run([large.subarray(10, 15), Buffer.from('abc'), new Float64Array(2)]))).toEqual([5, 3, 16])
})

test('after end() and after close() nothing can be pushed, and what is inside then is settled', async () => {
  const ended = pipelineOf({ stages: ['same'] })
  await ended.push(1)
  await ended.end()
  await expect(ended.push(2)).rejects.toThrow(/end\(\)/)
  await ended.close()
  const closed = pipelineOf({ stages: ['forever'] })
  const pushed = expect(closed.push(1)).rejects.toThrow(/ended before/)
  await pause(20)
  await closed.close()
  await pushed
  await expect(closed.push(2)).rejects.toThrow(/close\(\)/)
})

test('a source that gives no result ends the run in words', async () => {
  const source = { [Symbol.asyncIterator]: () => ({ next: async () => undefined }) }
  await expect(all(pipelineOf({ stages: ['same'] }).run(source as never))).rejects.toThrow(/inputs: next\(\) gave/)
})

test('end() leaves the inputs of an open run alone, and a push after the last of them is refused', async () => {
  const pipeline = pipelineOf({ stages: ['slow'], highWaterMark: 4 })
  const run = pipeline.run(numbers(40))
  const results = all(run)
  await pause(20)
  const ended = pipeline.end()
  expect(await results).toEqual(numbers(40))
  await ended
  await pipeline.close()
  const late = pipelineOf({ stages: ['slow'] })
  const last = late.run([1])
  void last.next()
  await pause(1)
  await expect(late.push(2)).rejects.toThrow(/have ended/)
})

test('a stage that changes its input finds it unchanged when it is tried again, where values stay in the thread too', async () => {
  for (const policy of ['leastScore', 'perJob'] as const) {
    const pipeline = pipelineOf({ stages: ['row', { id: 'changes', tries: 2 }], policy })
    expect(await all(pipeline.run(numbers(50)))).toEqual(numbers(50).map((n) => n + 1))
    await pipeline.close()
  }
})

test('a function that throws is tried again where the stage says so', async () => {
  expect(await all(pipelineOf({ stages: [{ id: 'flaky', tries: 3 }] }).run([1, 2, 3]))).toEqual([
    '1 after 3',
    '2 after 3',
    '3 after 3',
  ])
})

test('under perJob values stay in their thread: only inputs and results must be clonable', async () => {
  const policy = 'perJob'
  const first = pipelineOf({ stages: ['aFunction', 'same', 'text'], policy })
  expect(await all(first.run([1, 2]))).toEqual(['#() => {}', '#() => {}'])
  await first.close()
  const pipeline = pipelineOf({ stages: ['aFunction', { id: 'same', tries: 2 }], policy })
  await expect(all(pipeline.run([1]))).rejects.toThrow(/"same" failed at input 0: The result cannot be sent/)
})

test('pushed inputs get their own results, also while the pipeline is full', async () => {
  const pipeline = pipelineOf({ stages: ['parse', 'fussy'], highWaterMark: 4, onError: 'skip' })
  const pushed = [1233, 1234, 1235, 1, 2, 3, 4, 5].map((n) => pipeline.push(JSON.stringify({ n })))
  const settled = Promise.allSettled(pushed)
  await pipeline.end()
  expect(
    (await settled).map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
  ).toEqual([1233, 'Stage "fussy" failed at input 1: cannot bear 1234', 1235, ...[1, 2, 3, 4, 5]])
})

test('a pair of streams for pipeThrough', async () => {
  const source = new ReadableStream({
    start(controller) {
      for (const n of numbers(50)) controller.enqueue(n)
      controller.close()
    },
  })
  const pipeline = pipelineOf({ stages: ['text'], highWaterMark: 8 })
  expect(await all(source.pipeThrough(pipeline.stream()) as unknown as AsyncIterable<unknown>)).toEqual(
    numbers(50).map((n) => `#${n}`),
  )
})

test('a graph copies inputs and joins their parts by the stages that they left', async () => {
  const pipeline = pipelineOf({
    stages: ['same', 'left', 'right', { id: 'both', join: 'all' }],
    links: [
      ['source', 'same'],
      ['same', 'left'],
      ['same', 'right'],
      ['left', 'both'],
      ['right', 'both'],
      ['both', 'sink'],
    ],
  })
  expect(await all(pipeline.run(numbers(40)))).toEqual(numbers(40).map((n) => [n + 1, 10 * n]))
})

test('a worker is set up when it comes to a stage', async () => {
  const pipeline = pipelineOf({ stages: [{ id: 'loaded', setUp: 'load' }], workers: 1 })
  expect(await all(pipeline.run([5, 6, 7]))).toEqual([
    [5, 1],
    [6, 1],
    [7, 1],
  ])
})

test('a set-up is measured as the cost of a change of stage: the scheduler hears of it, in the same run and before the next', async () => {
  const slow = { setUp: 'slowLoad' }
  const pipeline = pipelineOf({
    stages: [
      { id: 'same', ...slow },
      { id: 'fussy', call: 'same', ...slow },
    ],
    record: true,
  })
  const costs: number[][] = []
  for (let run = 0; run < 2; run++) {
    expect(await all(pipeline.run(numbers(200)))).toEqual(numbers(200))
    const read = readTraceJson(await (await pipeline.trace()).text())
    if ('problems' in read) expect.fail(JSON.stringify(read.problems))
    const { policy, switchCost, later } = read.trace.scenario
    expect(policy).toMatchObject({ kind: 'switchAware', lend: false })
    costs.push([switchCost, ...later.flatMap((phase) => phase.switchCost ?? [])])
  }
  expect(costs[0][0]).toBe(1)
  // 40 ms, on the clock of a machine that has other things to do.
  for (const cost of [...costs[0].slice(1), costs[1][0]]) expect(cost).toBeGreaterThan(35_000)
  expect(costs[0].length).toBeGreaterThan(1)
  // What a set-up takes does not count as a message.
  expect(pipeline.stats().stages[0].service.mean).toBeLessThan(30)
})

test('the advice says when one thread alone would be faster, and nothing where workers are at work', async () => {
  const tiny = pipelineOf({ stages: ['same', { id: 'more', call: 'same' }], batch: { size: 1 } })
  expect(await all(tiny.run(numbers(1000)))).toHaveLength(1000)
  expect(tiny.stats().advice).toMatch(/^Messages cost \d+\.\d times the work: use larger batches or one thread\.$/)
  await tiny.close()
  const slow = pipelineOf({ stages: ['slow'], workers: 4 })
  expect(await all(slow.run(numbers(100)))).toHaveLength(100)
  expect(slow.stats().advice).toBe(null)
})

test('at a stage with a limit there are never more workers at once', async () => {
  for (const [limit, policy] of [
    [1, 'leastScore'],
    [3, 'longestQueue'],
  ] as const) {
    threads.crowd.fill(0)
    const pipeline = pipelineOf({ stages: ['same', { id: 'crowded', limit }], workers: 5, policy, batch: { size: 3 } })
    expect(await all(pipeline.run(numbers(60)))).toEqual(numbers(60))
    expect(threads.crowd[1]).toBe(limit)
    await pipeline.close()
  }
  expect(() => pipelineOf({ stages: [{ id: 'same', limit: 1 }], policy: 'perJob' })).toThrow(
    'so no stage can have a limit',
  )
  expect(() => pipelineOf({ stages: [{ id: 'same', limit: 0 }] })).toThrow(/limit.*a whole number/)
})

test('marked buffers are moved, not copied', async () => {
  expect(await all(pipelineOf({ stages: ['bytes', 'sum'] }).run([1, 2, 3]))).toEqual([8, 16, 24])
  await open?.close()
  const input = new Uint8Array([1, 2])
  expect(await all(pipelineOf({ stages: ['sum'] }).run([transfer(input, [input.buffer])]))).toEqual([3])
  expect(input.length).toBe(0)
})

test('policy and workers change in mid-run, and the record can be read', async () => {
  const seen: number[] = []
  const pipeline = pipelineOf({
    stages: ['same', 'slow', 'text'],
    record: true,
    highWaterMark: 16,
    policy: 'sinkFirst',
  })
  const got: unknown[] = []
  for await (const result of pipeline.run(numbers(120))) {
    got.push(result)
    if (got.length === 20) pipeline.setWorkers(4)
    if (got.length === 40) pipeline.setPolicy({ kind: 'power', p: 3 })
    if (got.length === 60)
      pipeline.setPolicy(({ workers, stages }) => {
        seen.push(workers)
        return stages.map((_, s) => (s === 1 ? workers : 0))
      })
    if (got.length === 80) pipeline.setWorkers(1)
  }
  expect(got).toEqual(numbers(120).map((n) => `#${n}`))
  expect(Math.max(...seen)).toBeGreaterThan(2)
  // Those that leave finish their batch first.
  expect(seen.at(-1)).toBeLessThan(4)
  const read = readTraceJson(await (await pipeline.trace()).text())
  if ('problems' in read) expect.fail(JSON.stringify(read.problems))
  expect(read.trace.scenario.later.map(({ policy }) => policy?.kind)).toEqual(['power', 'code'])
  expect(figuresOf(read.trace).metrics.completed).toBe(120)
})

test('decisions and services are on the diagnostics channels', async () => {
  const { subscribe, unsubscribe } = await import('node:diagnostics_channel')
  const decisions: unknown[] = []
  const jobs: unknown[] = []
  const hearDecision = (message: unknown) => decisions.push(message)
  const hearJob = (message: unknown) => jobs.push(message)
  subscribe('apportion:decision', hearDecision)
  subscribe('apportion:job', hearJob)
  await all(pipelineOf({ stages: ['same', 'text'] }).run(numbers(20)))
  unsubscribe('apportion:decision', hearDecision)
  unsubscribe('apportion:job', hearJob)
  expect(jobs).toHaveLength(40)
  expect(jobs).toContainEqual(expect.objectContaining({ stage: 'text', job: 19 }))
  expect(decisions.length).toBeGreaterThan(0)
})

test('a policy that gives no worker to a full pipeline ends the run, though the source goes on', async () => {
  const pipeline = pipelineOf({
    stages: ['same', 'text'],
    highWaterMark: 4,
    workers: 2,
    policy: { kind: 'fixed', allocation: { same: 2, text: 0 } },
  })
  async function* source() {
    for (let n = 0; n < 1000; n++) yield n
  }
  await expect(all(pipeline.run(source()))).rejects.toThrow(
    'The pipeline is stuck: its policy gives no worker to what waits.',
  )
})
