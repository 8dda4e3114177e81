import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playSimulation } from '../../src/runs/play.ts'
import { digestOf } from '../../src/trace/digest.ts'
import { readTraceJson } from '../../src/trace/readTraceJson.ts'
import { endOf, stateAt, type Trace } from '../../src/trace/trace.ts'
import { writeTraceJson } from '../../src/trace/traceJson.ts'
import { parsed, scenarios, workedExample } from '../measures/scenarios.ts'

const textOf = (trace: Trace) => [...writeTraceJson(trace)].join('')

/** All that stands behind the scenario. */
const rowsOf = (text: string) => text.slice(text.indexOf('"startedAt"'))

function read(input: unknown): Trace {
  const result = readTraceJson(input)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.trace
}

describe('the downloaded trace', () => {
  test('says what happened in columns that can be read by hand', async () => {
    const { events, scenario, ...rest } = JSON.parse(textOf(await playSimulation(workedExample, 1_700_000_000_000)))
    expect(rest).toMatchObject({
      format: 'apportion-trace',
      version: 1,
      engine: 'simulation',
      startedAt: 1_700_000_000_000,
      threads: 2,
      ending: 'drained',
      failures: [],
    })
    expect(rest.decisions).toEqual([
      [4, 0, 2],
      [8, 0, 1, 1, 1],
      [13, 0, 0, 1, 2],
    ])
    expect(rest.hashes.length).toBe(3)
    expect(scenario).toEqual(workedExample)
    expect(Object.keys(events)).toEqual(['time', 'kind', 'stage', 'worker', 'job', 'began', 'ended'])
    expect(events.time.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 0, 1e6, 1e6])
    expect(events.kind.slice(0, 8).map((k: number) => rest.kinds[k])).toEqual([
      'arrived',
      'arrived',
      'arrived',
      'exhausted',
      'started',
      'started',
      'finished',
      'finished',
    ])
    expect([events.stage[6], events.worker[6], events.job[6], events.began[6], events.ended[6]]).toEqual([0, 0, 0, 0, 1e6])
    expect([events.stage[0], events.worker[0], events.began[0]]).toEqual([-1, -1, -1])
  })

  test('comes there and back without loss: the same digest, failures, ending and state', async () => {
    let failures = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 7)
        const text = textOf(trace)
        for (const back of [read(text), read(JSON.parse(text))]) {
          expect(digestOf(back)).toBe(digestOf(trace))
          expect(back.failures).toEqual(trace.failures)
          expect([back.ending, back.engine, back.startedAt, back.scenario]).toEqual([trace.ending, trace.engine, 7, scenario])
          expect(stateAt(back, endOf(back))).toEqual(stateAt(trace, endOf(trace)))
          expect(rowsOf(textOf(back)) === rowsOf(text)).toBe(true)
        }
        failures += trace.failures.length
      }),
      { numRuns: 100 },
    )
    expect(failures).toBeGreaterThan(0)
  })

  test('is written in parts, and jobs that took hours keep their beginnings', async () => {
    const scenario = parsed({ source: { kind: 'batch', jobs: 20_000 }, stages: [{ id: 'A', service: { kind: 'constant', mean: 8_000_000_000 } }], workers: 3 })
    const trace = await playSimulation(scenario, 0)
    const parts = [...writeTraceJson(trace)]
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(1_000_000)
    expect(parts.length).toBeGreaterThan(20)
    expect(digestOf(read(parts.join('')))).toBe(digestOf(trace))
    expect(rowsOf(textOf(read(parts.join('')))) === rowsOf(parts.join(''))).toBe(true)
  })
})

/** Sets the value at a path such as `events.job.3`. */
function spoil(file: object, path: string, value: unknown): void {
  const keys = path.split('.')
  const parent = keys.slice(0, -1).reduce((node, key) => node[key] as Record<string, unknown>, file as Record<string, unknown>)
  parent[keys[keys.length - 1]] = value
}

describe('a trace that is not as it was written is refused by name:', () => {
  const failure = { time: 0, kind: 'job', reason: 'why' }
  const cases: readonly (readonly [what: string, path: string, words: string, changes: Readonly<Record<string, unknown>>])[] = [
    ['another format', 'format', 'found "x"', { format: 'x' }],
    ['a newer version', 'version', 'newer version', { version: 2 }],
    ['no version', 'version', 'found nothing', { version: undefined }],
    ['an unknown key', 'extra', 'is no part', { extra: 1 }],
    ['a missing part', 'hashes', 'found nothing', { hashes: undefined }],
    ['an unknown engine', 'engine', 'allowed: simulation, threads', { engine: 'steam' }],
    ['a scenario out of bounds', 'scenario.workers', 'allowed', { 'scenario.workers': 0 }],
    ['columns of unequal length', 'events.job', 'one length', { 'events.job.length': 3 }],
    ['a column too many', 'events.colour', 'no column', { 'events.colour': [] }],
    ['an unknown kind', 'kinds[0]', 'found "burst"', { 'kinds.0': 'burst' }],
    ['a kind that is not listed', 'events.kind[2]', 'found 99', { 'events.kind.2': 99 }],
    ['a stage that is not there', 'events.stage[4]', 'found 7', { 'events.stage.4': 7 }],
    ['a worker that is not there', 'events.worker[4]', 'found 2', { 'events.worker.4': 2 }],
    ['a start without a stage', 'events.stage[4]', 'needs one', { 'events.stage.4': -1 }],
    ['time that runs back', 'events.time[6]', 'found -1', { 'events.time.6': -1 }],
    ['a number that is none', 'events.time[6]', 'found null', { 'events.time.6': null }],
    ['work that ends before it begins', 'events.began[6]', 'found 1000001', { 'events.began.6': 1_000_001 }],
    ['work on a job that was not begun', 'events.kind[4]', 'can be finished here', { 'events.kind.4': 0, 'events.began.4': 0, 'events.ended.4': 0 }],
    ['a second batch for somebody without a first', 'events.kind[4]', 'can be second here', { 'events.kind.4': 13 }],
    ['a decision behind the last row', 'decisions[2][0]', 'found 999', { 'decisions.2.0': 999 }],
    ['half a change of seats', 'decisions[0]', '[row, stage, seats', { 'decisions.0.length': 2 }],
    ['too few hashes', 'hashes', 'has 2', { 'hashes.length': 2 }],
    ['a failure without a reason', 'failures[0].reason', 'a text', { failures: [{ ...failure, reason: undefined }] }],
    ['a failure of nobody knows what', 'failures[0].kind', 'allowed: job, worker', { failures: [{ ...failure, kind: 'x' }] }],
  ]
  test.each(cases)('%s', async (_, path, words, changes) => {
    const file = JSON.parse(textOf(await playSimulation(workedExample, 0)))
    for (const [at, value] of Object.entries(changes)) spoil(file, at, value)
    expect(readTraceJson(file)).toEqual({ problems: [{ path, message: expect.stringContaining(words) }] })
  })

  test('a file that is cut off, and what is no trace at all', async () => {
    const text = textOf(await playSimulation(workedExample, 0))
    expect(readTraceJson(text.slice(0, -9))).toEqual({ problems: [{ path: '', message: expect.stringContaining('cut off') }] })
    for (const odd of [null, 5, [], 'null', {}]) expect(readTraceJson(odd)).toHaveProperty('problems')
  })
})
