import { describe, expect, test } from 'vitest'
import { Pipeline } from '../../../src/features/runner/pipeline.ts'
import { policyNames } from '../../../src/features/runner/policyChoice.ts'
import { type RecordedPool, record } from '../../../src/recorder.ts'
import { policyKinds } from '../../../src/scenario/model/policies.ts'

/** A person's program is not always checked by a compiler. */
type Unchecked = ConstructorParameters<typeof Pipeline>[0]
const worker = () => ({ postMessage() {}, terminate() {} })
const pipelineOf = (options: object) => new Pipeline({ worker, stages: ['a'], workers: 1, ...options } as Unchecked)

/** Expects a TypeError with one sentence that has all these words, and none of the engine's own. */
function expectWords(call: () => unknown, ...words: readonly string[]): void {
  let error: unknown
  try {
    call()
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(TypeError)
  const { message } = error as TypeError
  expect(message).not.toMatch(/is not a function|is not iterable|Cannot (read|use|destructure|convert)|undefined/)
  for (const word of words) expect(message).toMatch(new RegExp(`(?<![\\w.])${word}(?!\\w)`))
  expect(message.split('\n')).toHaveLength(1)
}

test.each<[options: object, wrong: string, nearest: string]>([
  [{ onEror: 'skip' }, 'onEror', 'onError'],
  [{ worker_s: 3 }, 'worker_s', 'workers'],
  [{ highWatermark: 3 }, 'highWatermark', 'highWaterMark'],
  [{ polcy: undefined }, 'polcy', 'policy'],
  [{ concurrency: 3 }, 'concurrency', 'workers'],
  [{ timeout: 300 }, 'timeout', 'a stage'],
  [{ stages: [{ id: 'a', workers: 3 }] }, 'workers', 'createPipeline'],
  [{ stages: [{ id: 'a', retries: 3 }] }, 'retries', 'tries'],
  [{ stages: ['a', { id: 'b', timeOut: 300 }] }, 'stages\\[1\\]', 'timeout'],
  [{ batch: { sizes: 3 } }, 'batch', 'size'],
  [{ record: { row: 3 } }, 'record', 'rows'],
  [{ policy: 'leastscor' }, 'policy', 'leastScore'],
  [{ policy: { kind: 'perjob' } }, 'policy', 'perJob'],
])('an unknown name in %j is refused with the nearest', (options, wrong, nearest) => {
  expectWords(() => pipelineOf(options), wrong, nearest)
})

test.each<[options: object, place: string, ...words: string[]]>([
  [{ worker: './stages.js' }, 'worker', 'new Worker'],
  [{ worker: worker() }, 'worker', 'new Worker'],
  [{ worker: undefined }, 'worker', 'new Worker'],
  [{ stages: undefined }, 'stages', 'list'],
  [{ stages: 'a' }, 'stages', 'list'],
  [{ stages: { id: 'a' } }, 'stages', 'list'],
  [{ stages: [] }, 'stages', 'empty list'],
  [{ stages: [worker] }, 'stages\\[0\\]', 'name of a function'],
  [{ stages: ['a', null] }, 'stages\\[1\\]', 'name of a function'],
  [{ stages: [{ tries: 2 }] }, 'stages\\[0\\].id'],
  [{ stages: [{ id: 'a', tries: 0 }] }, 'stages\\[0\\].tries', 'whole number'],
  [{ stages: [{ id: 'a', timeout: '1s' }] }, 'stages\\[0\\].timeout', 'milliseconds'],
  [{ stages: [{ id: 'a', timeout: 0 }] }, 'stages\\[0\\].timeout', 'milliseconds'],
  [{ stages: [{ id: 'a', call: worker }] }, 'stages\\[0\\].call', 'text'],
  [{ stages: [{ id: 'a', setUp: true }] }, 'stages\\[0\\].setUp', 'text'],
  [{ stages: [{ id: 'a', limit: 1.5 }] }, 'stages\\[0\\].limit', 'whole number'],
  [{ stages: [{ id: 'a', discipline: 'lifo ' }] }, 'stages\\[0\\].discipline', '"fifo"'],
  [{ stages: [{ id: 'a', capacity: '5' }] }, 'stages\\[0\\].capacity'],
  [{ workers: '2' }, 'workers', '"2"', 'whole number'],
  [{ workers: 0 }, 'workers', 'whole number'],
  [{ workers: 257 }, 'workers', '256'],
  [{ highWaterMark: 'x' }, 'highWaterMark', 'whole number'],
  [{ highWaterMark: 2_000_000 }, 'highWaterMark', '1,000,000'],
  [{ order: true }, 'order', '"input"', '"any"'],
  [{ onError: 'ignore' }, 'onError', '"stop"', '"skip"'],
  [{ policy: 5 }, 'policy', 'function'],
  [{ policy: null }, 'policy', 'function'],
  [{ policy: 'code' }, 'policy', 'function'],
  [{ policy: 'fixed' }, 'policy.allocation'],
  [{ policy: { kind: 'power', q: 3 } }, 'policy.q', 'p'],
  [{ links: {} }, 'links', 'list'],
  [{ links: ['a'] }, 'links\\[0\\]', 'pair'],
  [{ estimator: 5 }, 'estimator'],
  [{ batch: 20 }, 'batch', 'size: 20'],
  [{ batch: { size: 0 } }, 'batch.size', 'whole number'],
  [{ batch: { inHand: 3 } }, 'batch.inHand', '1 or 2'],
  [{ record: 'yes' }, 'record', 'rows'],
  [{ record: {} }, 'record.rows', 'whole number'],
  [{ tracer: {} }, 'tracer', 'OpenTelemetry'],
  [{ idle: '1s' }, 'idle', 'milliseconds'],
  [{ title: 5 }, 'title'],
])('options with a wrong type: %j', (options, ...words) => {
  expectWords(() => pipelineOf(options), ...words)
})

test.each([undefined, null, 'a', ['a'], 5])('no options but %j', (options) => {
  expectWords(() => new Pipeline(options as unknown as Unchecked), 'createPipeline', 'worker', 'stages')
})

describe('of a run', () => {
  test.each<[inputs: unknown, ...words: string[]]>([
    [5, '5'],
    ['abc', '"abc"', '\\[text\\]'],
    [undefined, 'nothing'],
    [null, 'null'],
    [Promise.resolve([1]), 'await'],
    [function* () {}, 'call the function'],
    [{ [Symbol.iterator]: 5 }, 'an object'],
  ])('inputs that are none: %s', (inputs, ...words) => {
    expectWords(() => pipelineOf({}).run(inputs as []), 'inputs', 'iterable', ...words)
  })

  test.each<[options: unknown, ...words: string[]]>([
    [{ singal: new AbortController().signal }, 'singal', 'signal'],
    [{ signal: 5 }, 'signal', 'AbortSignal'],
    [new AbortController().signal, 'run', 'signal'],
    [null, 'run', 'signal'],
  ])('wrong options: %o', (options, ...words) => {
    expectWords(() => pipelineOf({}).run([], options as object), ...words)
  })

  test('wrong values in mid-run', () => {
    expectWords(() => pipelineOf({}).setPolicy('perjob' as 'perJob'), 'policy', 'perJob')
    expectWords(() => pipelineOf({}).setBatch({ sizes: 5 } as object), 'batch', 'size')
    expectWords(() => pipelineOf({}).setWorkers(0), 'workers')
  })
})

test.each<[options: unknown, ...words: string[]]>([
  [{ stge: 'a' }, 'record', 'stage'],
  [{ stage: 5 }, 'stage', 'text'],
  [{ job: 'photo' }, 'job', 'function'],
  [{ into: {} }, 'into', 'another pool'],
  [null, 'record', 'stage'],
])('wrong options of a recording: %j', (options, ...words) => {
  expectWords(() => record({ concurrency: 1, add() {} } as unknown as RecordedPool, options as object), ...words)
})

test('options that are undefined are left out, and a signal of another realm will do', () => {
  const options = { workers: undefined, policy: undefined, batch: { size: undefined }, record: undefined }
  const signal = { aborted: false, addEventListener() {}, removeEventListener() {} }
  expect(() => pipelineOf(options).run([], { signal: signal as unknown as AbortSignal })).not.toThrow()
})

test('every policy but those that need the page or seats can be chosen by its name', () => {
  expect([...policyNames].sort()).toEqual(
    policyKinds.filter((kind) => !['code', 'fixed', 'byHand'].includes(kind)).sort(),
  )
  for (const policy of policyNames) {
    expect(() => pipelineOf({ policy })).not.toThrow()
    expect(() => pipelineOf({ policy: { kind: policy } })).not.toThrow()
  }
})
