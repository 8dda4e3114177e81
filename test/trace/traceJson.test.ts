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
    expect(rest).toMatchObject({ format: 'apportion-trace', version: 1, engine: 'simulation', startedAt: 1_700_000_000_000, threads: 2, ending: 'drained', failures: [] })
    expect(rest.decisions).toEqual([[4, 0, 2], [8, 0, 1, 1, 1], [13, 0, 0, 1, 2]])
    expect(rest.hashes.length).toBe(3)
    expect(scenario).toEqual(workedExample)
    expect(Object.keys(events)).toEqual(['time', 'kind', 'stage', 'worker', 'job', 'began', 'ended'])
    expect(events.time.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 0, 1e6, 1e6])
    expect(events.kind.slice(0, 8).map((k: number) => rest.kinds[k])).toEqual(['arrived', 'arrived', 'arrived', 'exhausted', 'started', 'started', 'finished', 'finished'])
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

describe('a trace that is not as it was written is refused by name', () => {
  const cases: readonly (readonly [string, string, string, (file: any) => void])[] = [
    ['another format', 'format', 'found "x"', (file) => { file.format = 'x' }],
    ['a newer version', 'version', 'newer version', (file) => { file.version = 2 }],
    ['no version', 'version', 'found nothing', (file) => { delete file.version }],
    ['an unknown key', 'extra', 'is no part', (file) => { file.extra = 1 }],
    ['a missing part', 'hashes', 'is missing', (file) => { delete file.hashes }],
    ['an unknown engine', 'engine', 'allowed: simulation, threads', (file) => { file.engine = 'steam' }],
    ['a scenario out of bounds', 'scenario.workers', 'allowed', (file) => { file.scenario.workers = 0 }],
    ['columns of unequal length', 'events.job', 'one length', (file) => { file.events.job.pop() }],
    ['a column too many', 'events.colour', 'no column', (file) => { file.events.colour = [] }],
    ['an unknown kind', 'kinds[0]', 'found "burst"', (file) => { file.kinds[0] = 'burst' }],
    ['a kind that is not listed', 'events.kind[2]', 'found 99', (file) => { file.events.kind[2] = 99 }],
    ['a stage that is not there', 'events.stage[4]', 'found 7', (file) => { file.events.stage[4] = 7 }],
    ['a worker that is not there', 'events.worker[4]', 'found 2', (file) => { file.events.worker[4] = 2 }],
    ['a start without a stage', 'events.stage[4]', 'needs one', (file) => { file.events.stage[4] = -1 }],
    ['time that runs back', 'events.time[6]', 'found -1', (file) => { file.events.time[6] = -1 }],
    ['a number that is none', 'events.time[6]', 'found null', (file) => { file.events.time[6] = null }],
    ['work that ends before it begins', 'events.began[6]', 'found 1000001', (file) => { file.events.began[6] = 1_000_001 }],
    ['work on a job that was not begun', 'events.kind[4]', 'nothing can be finished here', (file) => {
      file.events.kind[4] = file.kinds.indexOf('finished')
      file.events.began[4] = file.events.ended[4] = 0
    }],
    ['a decision behind the last row', 'decisions[2][0]', 'found 999', (file) => { file.decisions[2][0] = 999 }],
    ['half a change of seats', 'decisions[0]', '[row, stage, seats', (file) => { file.decisions[0].pop() }],
    ['too few hashes', 'hashes', 'has 2', (file) => { file.hashes.pop() }],
    ['a failure without a reason', 'failures[0].reason', 'a text', (file) => { file.failures = [{ time: 0, kind: 'job' }] }],
    ['a failure of nobody knows what', 'failures[0].kind', 'allowed: job, worker', (file) => { file.failures = [{ time: 0, kind: 'x', reason: '' }] }],
  ]
  test.each(cases)('%s', async (_, path, words, spoil) => {
    const file = JSON.parse(textOf(await playSimulation(workedExample, 0)))
    spoil(file)
    expect(readTraceJson(file)).toEqual({ problems: [{ path, message: expect.stringContaining(words) }] })
  })

  test('a file that is cut off, and what is no trace at all', async () => {
    const text = textOf(await playSimulation(workedExample, 0))
    expect(readTraceJson(text.slice(0, -9))).toEqual({ problems: [{ path: '', message: expect.stringContaining('cut off') }] })
    for (const odd of [null, 5, [], 'null', {}]) expect(readTraceJson(odd)).toHaveProperty('problems')
  })
})
