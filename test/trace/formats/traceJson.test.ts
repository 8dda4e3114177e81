import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { createTraceReader, readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { endOf, stateAt, type Trace } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../../measures/scenarios.ts'
import { digestOf } from '../digestOf.ts'

const textOf = (trace: Trace) => [...writeTraceJson(trace)].join('')

/** Returns everything after the scenario. */
const rowsOf = (text: string) => text.slice(text.indexOf('"startedAt"'))

function read(text: string): Trace {
  const result = readTraceJson(text)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.trace
}

/** Reads the text in parts of this size, which may cut words and numbers. */
function readInParts(text: string, size: number): Trace {
  const reader = createTraceReader()
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  const result = reader.end()
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.trace
}

describe('the downloaded trace', () => {
  test('writes the failure of a whole run as that of a worker without a number, and reads it back', async () => {
    const trace = await playSimulation(workedExample, 7)
    trace.failures.push(
      { time: 5, kind: 'run', reason: 'the thread ended' },
      { time: 6, kind: 'worker', worker: 0, reason: 'crashed' },
    )
    const file = JSON.parse(textOf(trace))
    expect(file.failures).toEqual([
      { time: 5, kind: 'worker', reason: 'the thread ended' },
      { time: 6, kind: 'worker', worker: 0, reason: 'crashed' },
    ])
    expect(read(JSON.stringify(file)).failures).toEqual(trace.failures)
  })

  test('of an early version may say on how many devices pictures were computed', async () => {
    const trace = await playSimulation(workedExample, 7)
    const file = { ...JSON.parse(textOf(trace)), verify: 3 }
    expect(read(JSON.stringify(file))).toEqual(read(textOf(trace)))
  })

  test('is written and read back without loss: the same digest, failures, ending and state', async () => {
    let failures = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 7)
        const text = textOf(trace)
        for (const back of [
          read(text),
          read(JSON.stringify(JSON.parse(text), null, 1)),
          readInParts(text, 1 + (text.length % 97)),
        ]) {
          expect(digestOf(back)).toBe(digestOf(trace))
          expect(back.failures).toEqual(trace.failures)
          expect([back.ending, back.engine, back.startedAt, back.scenario]).toEqual([
            trace.ending,
            trace.engine,
            7,
            scenario,
          ])
          expect(stateAt(back, endOf(back))).toEqual(stateAt(trace, endOf(trace)))
          expect(rowsOf(textOf(back)) === rowsOf(text)).toBe(true)
        }
        failures += trace.failures.length
      }),
      { numRuns: repeats(100) },
    )
    expect(failures).toBeGreaterThan(0)
  })

  test('is written in parts, and jobs that took hours keep their start times', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 20_000 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 8_000_000_000 } }],
      workers: 3,
    })
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
  const parent = keys
    .slice(0, -1)
    .reduce((node, key) => node[key] as Record<string, unknown>, file as Record<string, unknown>)
  parent[keys[keys.length - 1]] = value
}

describe('a changed trace is refused, with the path:', () => {
  const failure = { time: 0, kind: 'job', reason: 'why' }
  const cases: readonly (readonly [
    what: string,
    path: string,
    words: string,
    changes: Readonly<Record<string, unknown>>,
  ])[] = [
    ['another format', 'format', 'found "x"', { format: 'x' }],
    ['a newer version', 'version', 'newer version', { version: 2 }],
    ['no version', 'version', 'is missing', { version: undefined }],
    ['fewer jobs than the scenario says', 'ending', 'not every job has left', { 'scenario.source.jobs': 300 }],
    ['a check by one device', 'verify', 'from 2 to 9', { verify: 1 }],
    ['an unknown key', 'extra', 'is not a part', { extra: 1 }],
    ['a missing part', 'hashes', 'is missing', { hashes: undefined }],
    ['an unknown engine', 'engine', 'allowed: simulation, threads, functions or room', { engine: 'steam' }],
    ['a scenario out of bounds', 'scenario.workers', 'allowed', { 'scenario.workers': 0 }],
    ['columns of unequal length', 'events.job', 'found a list of 3', { 'events.job.length': 3 }],
    ['a column too many', 'events.colour', 'allowed: time', { 'events.colour': [] }],
    ['an unknown kind', 'kinds[0]', 'found "burst"', { 'kinds.0': 'burst' }],
    ['a kind that is not listed', 'events.kind[2]', 'found 99', { 'events.kind.2': 99 }],
    ['a stage that is not there', 'events.stage[4]', 'found 7', { 'events.stage.4': 7 }],
    ['a worker that is not there', 'events.worker[4]', 'found 2', { 'events.worker.4': 2 }],
    ['a start without a stage', 'events.stage[4]', 'needs one', { 'events.stage.4': -1 }],
    ['time that runs back', 'events.time[6]', 'found -1', { 'events.time.6': -1 }],
    ['null in place of a number', 'events.time[6]', 'found null', { 'events.time.6': null }],
    ['work that ends before it begins', 'events.began[6]', 'found 1000001', { 'events.began.6': 1_000_001 }],
    [
      'work on a job that was not started',
      'events.job[4]',
      'does not have job',
      { 'events.kind.4': 0, 'events.began.4': 0, 'events.ended.4': 0 },
    ],
    [
      'two jobs on one worker',
      'events.worker[5]',
      'worker 0 is given job 1 while it has job 0',
      { 'events.worker.5': 0 },
    ],
    ['a job that is started twice', 'events.job[5]', 'job 0 is not waiting', { 'events.job.5': 0 }],
    ['a job that arrives twice', 'events.job[1]', 'allowed: 1', { 'events.job.1': 0 }],
    [
      'a finish before its start',
      'events.began[11]',
      'found 5; allowed: a whole number from',
      { 'events.began.11': 5 },
    ],
    [
      'a job that is finished by another worker',
      'events.job[6]',
      'worker 0 does not have job 1',
      { 'events.job.6': 1 },
    ],
    ['a job that leaves before it was served', 'events.job[4]', 'has not been through', { 'events.kind.4': 11 }],
    [
      'a worker that is lost twice',
      'events.worker[1]',
      'worker 1 is not there',
      {
        'events.kind.0': 2,
        'events.kind.1': 2,
        'events.worker.0': 1,
        'events.worker.1': 1,
        'events.job.0': -1,
        'events.job.1': -1,
      },
    ],
    [
      'a worker that joins though it is there',
      'events.worker[0]',
      'is there already',
      { 'events.kind.0': 3, 'events.worker.0': 1 },
    ],
    ['a source that runs dry twice', 'events.kind[4]', 'has run dry already', { 'events.kind.4': 5 }],
    ['what happens after Stop', 'events.kind[4]', 'after the run was stopped', { 'events.kind.3': 7 }],
    ['a second batch for a worker without a first', 'events.worker[4]', 'has no job of stage', { 'events.kind.4': 13 }],
    ['a decision behind the last row', 'decisions[2][0]', 'found 999', { 'decisions.2.0': 999 }],
    ['half a change of seats', 'decisions[0]', '[row, stage, seats', { 'decisions.0.length': 2 }],
    [
      'more seats than there are workers',
      'decisions[0][2]',
      'found 3; allowed: a whole number from 0 to 2',
      { 'decisions.0.2': 3 },
    ],
    ['too few hashes', 'hashes', 'found a list of 2', { 'hashes.length': 2 }],
    ['a stage where none belongs', 'events.stage[0]', 'found 0; allowed: -1', { 'events.stage.0': 0 }],
    [
      'a job more than the source has',
      'events.job[3]',
      'found 3; allowed: a whole number from 0 to 2',
      { 'events.kind.3': 4, 'events.job.3': 3 },
    ],
    [
      'a throw of a job that another worker has',
      'events.job[6]',
      'worker 0 does not have job 1',
      { 'events.kind.6': 1, 'events.job.6': 1, 'events.began.6': -1, 'events.ended.6': -1 },
    ],
    [
      'a run that ends before its last job has left',
      'ending',
      'found "drained"',
      {
        'events.time.length': 18,
        'events.kind.length': 18,
        'events.stage.length': 18,
        'events.worker.length': 18,
        'events.job.length': 18,
        'events.began.length': 18,
        'events.ended.length': 18,
      },
    ],
    [
      'a failure at a missing stage',
      'failures[0].stage',
      'found 9; allowed: a whole number from 0 to 1',
      { failures: [{ ...failure, stage: 9, job: 0 }] },
    ],
    [
      'a failure at a stage below the first',
      'failures[0].stage',
      'found -1',
      { failures: [{ ...failure, stage: -1, job: 0 }] },
    ],
    [
      'a failure of a worker that is not there',
      'failures[0].worker',
      'found 2',
      { failures: [{ ...failure, worker: 2 }] },
    ],
    [
      'a failure of a job that never arrived',
      'failures[0].job',
      'found 77; allowed: a whole number from 0 to 2',
      { failures: [{ ...failure, job: 77, stage: 0 }] },
    ],
    ['a failure without a reason', 'failures[0].reason', 'a text', { failures: [{ ...failure, reason: undefined }] }],
    [
      'a failure of an unknown kind',
      'failures[0].kind',
      'allowed: job or worker',
      { failures: [{ ...failure, kind: 'x' }] },
    ],
  ]
  test.each(cases)('%s', async (_, path, words, changes) => {
    const file = JSON.parse(textOf(await playSimulation(workedExample, 0)))
    for (const [at, value] of Object.entries(changes)) spoil(file, at, value)
    expect(readTraceJson(JSON.stringify(file))).toEqual({
      problems: [{ path, message: expect.stringContaining(words) }],
    })
  })

  test('a worker that serves two jobs of its batch at once', async () => {
    const service = { kind: 'constant', mean: 1000 }
    const batches = scenarioWith({
      source: { kind: 'batch', jobs: 6 },
      stages: [
        { id: 'A', service },
        { id: 'B', service },
      ],
      workers: 1,
      batch: { size: 3 },
    })
    const file = JSON.parse(textOf(await playSimulation(batches, 0)))
    const { kind, began } = file.events
    const finished: number[] = kind.flatMap((k: number, i: number) => (k === 0 ? [i] : []))
    for (const [row, words] of [
      [finished[1], 'worker 0 serves another job than 1 from 999 to 2000'],
      [finished[4], 'serves another job'],
    ] as const) {
      const was = began[row]
      began[row] = was - 1
      expect(readTraceJson(JSON.stringify(file))).toEqual({
        problems: [{ path: `events.began[${row}]`, message: expect.stringContaining(words) }],
      })
      began[row] = was
    }
    expect(read(JSON.stringify(file)).ending).toBe('drained')
  })

  test('a file that is cut off anywhere names the last row or decision', async () => {
    const text = textOf(await playSimulation(workedExample, 0))
    for (let length = 1; length < text.trimEnd().length; length++) {
      const read = readTraceJson(text.slice(0, length))
      expect('problems' in read && read.problems[0].message, `${length} of ${text.length}`).toMatch(/cut off/)
    }
    const inTimes = text.slice(0, text.indexOf(',1000000') + 3)
    expect(readTraceJson(inTimes)).toEqual({
      problems: [{ path: 'events.time[6]', message: expect.stringMatching(/the file is cut off at byte [\d,]+/) }],
    })
    expect(readTraceJson(`${text}[]`)).toEqual({
      problems: [{ path: '', message: expect.stringContaining('more after the end') }],
    })
  })
})
