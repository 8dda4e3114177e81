import { expect, test } from 'vitest'
import { theoryOf } from '../../../src/features/theory/measure/theory.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { createJourney, extendJourney } from '../../../src/measures/jobs/journey.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { readFragment, toJsonFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { constant, noted, play } from './play.ts'

const clients = (retry: object, source: object = { kind: 'batch', jobs: 3 }, stage: object = {}) => ({
  source: { ...source, retry },
  stages: [constant('A', 100, stage)],
  workers: 1,
})
const acts = ['reneged', 'gaveUp', 'retried', 'started', 'released'] as const

test('a job that waits too long leaves, comes again after a wait that doubles, and is given up for good after the last try', async () => {
  const { trace, rows } = await play(clients({ after: 30, limit: 2, backoff: 10 }))
  expect(noted(rows, trace, ...acts)).toEqual([
    '0 started A w0 j0',
    '30 reneged A j1',
    '30 reneged A j2',
    '40 retried j1',
    '40 retried j2',
    '70 reneged A j1',
    '70 reneged A j2',
    '90 retried j1',
    '90 retried j2',
    '100 released j0',
    '100 started A w0 j1',
    '120 gaveUp A j2',
    '200 released j1',
  ])
  const { jobs, completed, failed, gaveUp, tries, meanWait, meanFlowTime, meanJobsInSystem, makespan } =
    metricsOf(trace)
  expect({ jobs, completed, failed, gaveUp, tries, makespan }).toEqual({
    jobs: 3,
    completed: 2,
    failed: 0,
    gaveUp: 1,
    tries: 7,
    makespan: 200,
  })
  // Job 1 waits 30 + 30 + 10, job 2 waits three times 30; between two tries they do not wait. Flow time is from the first try.
  expect(meanWait).toBeCloseTo((70 + 90) / 3, 9)
  expect(meanFlowTime).toBeCloseTo((100 + 200 + 120) / 3, 9)
  expect(meanJobsInSystem * makespan).toBeCloseTo(meanFlowTime * jobs, 6)
  expect([35, 95, 130].map((t) => frameAt(trace, t)).map(({ away, gaveUp }) => [away, gaveUp])).toEqual([
    [2, 0],
    [0, 0],
    [0, 1],
  ])
})

test('a job in a worker’s hands is not given up, nor one that was started and came back', async () => {
  const fails = { jobs: [0], tries: 2 }
  const { trace, rows } = await play(
    clients({ after: 30, limit: 0, backoff: 0 }, { kind: 'batch', jobs: 1 }, { fails }),
  )
  expect(noted(rows, trace, 'started', 'threw', 'gaveUp', 'failed')).toEqual([
    '0 started A w0 j0',
    '100 threw A w0 j0',
    '100 started A w0 j0',
    '200 threw A w0 j0',
    '200 failed A j0',
  ])
})

test('jobs outside a full queue are given up too, before those inside, and a retry at once is a row of the same instant', async () => {
  const { trace, rows } = await play(
    clients({ after: 30, limit: 1, backoff: 0 }, { kind: 'batch', jobs: 3 }, { capacity: 1 }),
  )
  expect(noted(rows, trace, ...acts).slice(0, 7)).toEqual([
    '0 started A w0 j0',
    '30 reneged j2',
    '30 reneged A j1',
    '30 retried j1',
    '30 retried j2',
    '60 gaveUp j2',
    '60 gaveUp A j1',
  ])
  expect(trace.ending).toBe('drained')
})

test('without workers a run ends when every client has given up', async () => {
  const { trace } = await play({
    ...clients({ after: 30, limit: 0, backoff: 0 }),
    workerEvents: [{ at: 5, kind: 'crash', worker: 0 }],
  })
  expect(trace.ending).toBe('stuck')
  expect(metricsOf(trace)).toMatchObject({ jobs: 3, completed: 0, gaveUp: 2 })
})

test('the journey of a job has a leg for each try', async () => {
  const { trace } = await play(clients({ after: 30, limit: 2, backoff: 10 }))
  const journey = createJourney(2)
  extendJourney(journey, trace)
  expect(journey.legs.map(({ queuedAt, overAt, outcome }) => [queuedAt, overAt, outcome])).toEqual([
    [0, 30, 'given up'],
    [40, 70, 'given up'],
    [90, 120, 'given up'],
  ])
  expect([journey.gaveUp, journey.failed, journey.leftAt]).toEqual([true, false, 120])
})

test('links and traces keep what clients do, and a plain number is a constant patience', async () => {
  const scenario = valid({ version: 1, ...clients({ after: 30, limit: 2, backoff: 10 }) })
  expect(scenario.source.retry).toEqual({ after: { kind: 'constant', mean: 30 }, limit: 2, backoff: 10 })
  expect(compact(valid({ version: 1, ...clients({ after: 30 }) })).source).toEqual({
    kind: 'batch',
    jobs: 3,
    retry: { after: { kind: 'constant', mean: 30 } },
  })
  for (const fragment of [toJsonFragment(scenario), toShortFragment(scenario)])
    expect(await readFragment(fragment)).toMatchObject({ scenario })
  const trace = await playSimulation(scenario, 0)
  const read = readTraceJson([...writeTraceJson(trace)].join(''))
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  expect(digestOf(read.trace)).toBe(digestOf(trace))
})

test('M/M/c with impatience agrees with Erlang A within 1%: who waits, who gives up, and how long', async () => {
  for (const [rate, mean, patience, workers] of [
    [100, 40_000, 50_000, 4],
    [60, 25_000, 20_000, 2],
  ]) {
    const source = { kind: 'poisson', rate, jobs: 200_000, retry: { after: { kind: 'exponential', mean: patience } } }
    const scenario = valid({
      version: 1,
      seed: 5,
      source,
      stages: [{ id: 'A', service: { kind: 'exponential', mean }, work: 'wait' }],
      workers,
    })
    const theory = theoryOf(scenario)
    if ('reasons' in theory) throw new Error(theory.reasons.join())
    expect(theory.law).toBe('M/M/c+M')
    const {
      gaveUp = 0,
      jobs,
      meanWait,
      meanFlowTime,
      meanJobsInSystem,
      utilisation,
    } = metricsOf(await playSimulation(scenario, 0))
    const [{ gaveUp: share }] = theory.stations
    for (const [measured, predicted] of [
      [gaveUp / jobs, share],
      [meanWait, theory.meanWait],
      [meanFlowTime, theory.meanFlowTime],
      [meanJobsInSystem, theory.meanJobsInSystem],
      [utilisation, theory.utilisation],
    ])
      expect(Math.abs(measured / predicted - 1)).toBeLessThan(0.01)
  }
})
