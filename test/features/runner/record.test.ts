import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { Pipeline } from '../../../src/features/runner/pipeline.ts'
import type { PipelineOptions } from '../../../src/features/runner/settings.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { threadsOfNode } from './threadsOfNode.ts'

let threads: Awaited<ReturnType<typeof threadsOfNode>>
beforeAll(async () => {
  threads = await threadsOfNode()
})
afterAll(() => rmSync(threads.folder, { recursive: true, force: true }))

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const lines = (...numbers: number[]) => numbers.map((n) => JSON.stringify({ n }))
const from = (first: number, many: number) => Array.from({ length: many }, (_, k) => first + k)

test.each<[string, Partial<PipelineOptions>]>([
  ['adaptive batches', {}],
  ['one by one', { batch: { size: 1 } }],
  ['any order, nearest the sink first', { order: 'any', policy: 'sinkFirst' }],
  ['power', { policy: { kind: 'power', p: 2 } }],
])('every decision of a record is reproduced, though functions throw and threads end: %s', async (_, options) => {
  const pipeline = new Pipeline({
    worker: threads.worker,
    workers: 3,
    stages: ['parse', { id: 'fussy', tries: 2 }, 'mortal', { id: 'flaky', tries: 3 }],
    onError: 'skip',
    record: true,
    ...options,
  })
  const skipped: unknown[] = []
  pipeline.addEventListener('skip', ({ detail }) => skipped.push(detail.message))
  let out = 0
  for await (const _ of pipeline.run(lines(...from(1100, 140), 400, ...from(1300, 160)))) out++
  expect(skipped).toEqual(['Stage "fussy" failed at input 134: cannot bear 1234'])
  expect(out).toBe(300)
  const read = readTraceJson(await (await pipeline.trace()).text())
  await pipeline.close()
  if ('problems' in read) expect.fail(JSON.stringify(read.problems))
  const { difference, reproduced, decisions } = replay(read.trace)
  expect(difference).toBeNull()
  expect(reproduced).toBe(decisions)
  expect(decisions).toBeGreaterThan(10)
})

test.each<[string, PipelineOptions['policy']]>([
  [
    'pid',
    { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 5000, setpoint: 0, up: -0.5, down: -0.25, max: null, clamp: null },
  ],
  ['threshold', { kind: 'threshold', high: 0, idle: 20_000, every: 5000, max: null }],
])(
  'a policy that hires has more threads under load and ends them after it, also when one is lost: %s',
  async (_, policy) => {
    const pipeline = new Pipeline({
      worker: threads.worker,
      workers: 6,
      stages: ['parse', 'fussy', 'mortal', 'slow'],
      record: true,
      idle: 50,
      ...(policy && { policy }),
    })
    expect(() => pipeline.setWorkers(4)).toThrow(/hires and dismisses its workers itself/)
    const counts: number[] = []
    async function* source() {
      yield* lines(...from(300, 250))
      while (counts.length < 250) await pause(5)
      for (const line of lines(...from(0, 6))) {
        await pause(70)
        yield line
      }
    }
    for await (const _ of pipeline.run(source())) counts.push(pipeline.stats().threads)
    expect(counts.length).toBe(256)
    expect(Math.max(...counts)).toBeGreaterThan(3)
    expect(Math.min(...counts.slice(250))).toBeLessThan(Math.max(...counts))
    const read = readTraceJson(await (await pipeline.trace()).text())
    await pipeline.close()
    expect(threads.living.size).toBe(0)
    if ('problems' in read) expect.fail(JSON.stringify(read.problems))
    expect(replay(read.trace).difference).toBeNull()
  },
)

test('a record reproduces a run that turns to perJob and back in mid-run', async () => {
  const pipeline = new Pipeline({
    worker: threads.worker,
    workers: 3,
    stages: ['parse', 'fussy', 'same', 'text'],
    record: true,
  })
  let out = 0
  for await (const _ of pipeline.run(lines(...from(0, 600))))
    if (++out % 150 === 0 && out < 600) pipeline.setPolicy(out % 300 === 0 ? 'leastScore' : 'perJob')
  const read = readTraceJson(await (await pipeline.trace()).text())
  await pipeline.close()
  if ('problems' in read) expect.fail(JSON.stringify(read.problems))
  expect(out).toBe(600)
  expect(read.trace.scenario.later.map(({ policy }) => policy?.kind)).toEqual(
    expect.arrayContaining(['perJob', 'leastScore']),
  )
  expect(replay(read.trace).difference).toBeNull()
})

test.each([{ record: true }, { record: { rows: 400 } }])(
  'a record stops, and can be read, when a run has more changes than the format holds: $record',
  async ({ record }) => {
    const pipeline = new Pipeline({ worker: threads.worker, workers: 2, stages: ['same'], record })
    let full = 0
    pipeline.addEventListener('recordFull', () => full++)
    async function* source() {
      for (let n = 0; n < 150; n++) {
        yield n
        // A change that comes before the run has taken the last one replaces it.
        while (out <= n) await pause(1)
        pipeline.setPolicy(n % 2 === 0 ? 'sinkFirst' : 'leastScore')
      }
    }
    let out = 0
    for await (const _ of pipeline.run(source())) out++
    const read = readTraceJson(await (await pipeline.trace()).text())
    await pipeline.close()
    if ('problems' in read) expect.fail(JSON.stringify(read.problems))
    expect({ out, full }).toEqual({ out: 150, full: 1 })
    expect(read.trace.scenario.later.length).toBeLessThanOrEqual(64)
    // The last rows begin with a state that has no estimates, so their decisions are not repeated.
    if (record === true) expect(replay(read.trace).difference).toBeNull()
  },
)
