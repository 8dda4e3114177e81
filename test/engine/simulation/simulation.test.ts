import { describe, expect, test } from 'vitest'
import { createSimulation } from '../../../src/engine/simulation/simulation.ts'
import { record } from '../../../src/runs/play/play.ts'
import { CLOCK_END } from '../../../src/scenario/model/limits.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { constant, noted, play } from './play.ts'

const batch = (jobs: number) => ({ kind: 'batch', jobs })

describe('batches', () => {
  test('a batch is reported in one piece, and each job has its own times', async () => {
    const { trace, rows } = await play({
      source: batch(3),
      stages: [constant('A', 10), constant('B', 5)],
      workers: 1,
      batch: { size: 3 },
      policy: { kind: 'leastScore' },
    })
    expect(noted(rows, trace, 'started', 'finished')).toEqual([
      '0 started A w0 j0',
      '0 started A w0 j1',
      '0 started A w0 j2',
      '30 finished A w0 j0 (0-10)',
      '30 finished A w0 j1 (10-20)',
      '30 finished A w0 j2 (20-30)',
      '30 started B w0 j0',
      '30 started B w0 j1',
      '30 started B w0 j2',
      '45 finished B w0 j0 (30-35)',
      '45 finished B w0 j1 (35-40)',
      '45 finished B w0 j2 (40-45)',
    ])
  })
})

describe('changing stage', () => {
  test('costs the worker time that counts as no service time', async () => {
    const { trace, rows } = await play({
      source: batch(2),
      stages: [constant('A', 100), constant('B', 100)],
      workers: 1,
      switchCost: 7,
      policy: { kind: 'single' },
    })
    expect(noted(rows, trace, 'finished')).toEqual([
      '100 finished A w0 j0 (0-100)',
      '207 finished B w0 j0 (107-207)',
      '314 finished A w0 j1 (214-314)',
      '421 finished B w0 j1 (321-421)',
    ])
    expect([...stateAt(trace, Infinity).counts.serviceSum]).toEqual([200, 200])
  })
})

describe('jobs that throw', () => {
  test('are tried as often as allowed, then fail; the other jobs of their batch continue', async () => {
    const stages = [constant('A', 10, { fails: { jobs: [1], tries: 2 } })]
    const { trace, rows } = await play({ source: batch(3), stages, workers: 1, batch: { size: 3 } })
    expect(noted(rows, trace, 'started', 'threw', 'finished', 'failed')).toEqual([
      '0 started A w0 j0',
      '0 started A w0 j1',
      '0 started A w0 j2',
      '20 threw A w0 j1',
      '20 started A w0 j0',
      '30 finished A w0 j0 (20-30)',
      '30 started A w0 j1',
      '40 threw A w0 j1',
      '40 started A w0 j1',
      '50 threw A w0 j1',
      '50 failed A j1',
      '50 started A w0 j2',
      '60 finished A w0 j2 (50-60)',
    ])
    expect(trace.ending).toBe('drained')
    expect(trace.failures.length).toBe(3)
  })
})

describe('workers come and go', () => {
  const line = { source: batch(4), stages: [constant('A', 100)] }

  test('without workers the run is stuck, and says what remains', async () => {
    const { trace } = await play({ ...line, workers: 1, workerEvents: [{ at: 150, kind: 'crash', worker: 0 }] })
    expect(trace.ending).toBe('stuck')
    const { arrived, released, waiting } = stateAt(trace, Infinity).counts
    expect([arrived, released, ...waiting]).toEqual([4, 1, 3])
  })
})

test('Stop ends the run at the next instant', async () => {
  const engine = createSimulation(async () => engine.stop())
  const trace = await record(
    engine,
    'simulation',
    scenarioWith({ source: { kind: 'poisson', rate: 1000, jobs: 100_000 }, stages: [constant('A', 900)], workers: 1 }),
    0,
  )
  expect(trace.ending).toBe('stopped')
  expect(stateAt(trace, Infinity).counts.stopped).toBe(true)
  expect(trace.length).toBeLessThan(40_000)
})

test.each([
  ['the core for plain scenarios', {}],
  ['the core for all scenarios', { order: { kind: 'buffer', slots: 1 } }],
])(
  'a service beyond the end of the clock ends the run before it, with a message and a readable record, in %s',
  async (_, more) => {
    const service = { kind: 'pareto', mean: 4_400_000_000_000, alpha: 1.01 }
    const { trace, rows } = await play({
      seed: 5829,
      source: batch(1),
      stages: [{ id: 'A', service }, constant('B', 5)],
      workers: 1,
      ...more,
    })
    expect(trace.ending).toBe('stuck')
    expect(trace.failures).toEqual([
      { time: 0, kind: 'run', reason: 'the next thing would happen after 142 years, where the clock of a run ends' },
    ])
    expect(noted(rows, trace, 'started', 'finished')).toEqual(['0 started A w0 j0'])
    expect(endOf(trace)).toBeLessThan(CLOCK_END)
  },
)
