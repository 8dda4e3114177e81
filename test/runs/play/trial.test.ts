import { describe, expect, test } from 'vitest'
import { playGlimpse } from '../../../src/features/lessons/studies.ts'
import { oscillationOf } from '../../../src/features/pools/measure/tuning.ts'
import { playSwing, playTrajectory } from '../../../src/features/pools/study/gainSearch.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { means, type Steps } from '../../../src/measures/series/steps.ts'
import type { Journal } from '../../../src/pipeline/journal.ts'
import { countOf, FINISHED } from '../../../src/pipeline/rows.ts'
import { playMetrics, playSimulation, playTrial } from '../../../src/runs/play/play.ts'
import { endOf, type Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { digestOf } from '../../trace/digestOf.ts'

const lively = scenarioWith({
  seed: 3,
  source: { kind: 'poisson', rate: 700, jobs: 90 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 2100 } },
    { id: 'B', service: { kind: 'uniform', min: 300, max: 5000 }, fails: { jobs: [4, 30], tries: 2 } },
    { id: 'C', service: { kind: 'constant', mean: 900 } },
  ],
  workers: 5,
})
const idle = scenarioWith({ source: { kind: 'batch', jobs: 0 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 })

/** Eight jobs per millisecond. */
const bursts = scenarioWith({
  source: { kind: 'times', at: Array.from({ length: 240 }, (_, k) => 1000 * (k >> 3)) },
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 50 } },
    {
      id: 'B',
      service: { kind: 'constant', mean: 100 },
      changes: [
        { from: 80, service: { kind: 'constant', mean: 800 } },
        { from: 120, service: { kind: 'constant', mean: 100 } },
      ],
    },
  ],
  workers: 3,
  policy: { kind: 'fixed', allocation: { A: 1, B: 2 } },
})

function chartOf(trace: Trace) {
  const chart = createChart(trace)
  extendChart(chart)
  return chart
}

function meansOf(steps: Steps, to: number, samples: number): number[] {
  const all = new Float64Array(samples)
  means(steps, 0, to, samples, all)
  return Array.from(all)
}

const sumOf = (all: readonly (readonly number[])[]) => all[0].map((_, k) => all.reduce((sum, one) => sum + one[k], 0))

describe('a run that is recorded', () => {
  test('names its engine, and has its failures and its end', async () => {
    const trace = await playSimulation(lively, 77)
    expect([trace.engine, trace.startedAt, trace.ending, trace.failures.map(({ job }) => job).sort()]).toEqual([
      'simulation',
      77,
      'drained',
      [30, 30, 4, 4],
    ])
    expect((await playTrial(lively, {})).engine).toBe('simulation')
  })

  test('is received journal by journal, with the share of its services that is done', async () => {
    const counts: number[] = []
    const shares: number[] = []
    const trace = await playTrial(lively, { progress: (share) => shares.push(share) }, ({ rows }: Journal) =>
      counts.push(countOf(rows, FINISHED)),
    )
    const done = counts.map((_, k) => counts.slice(0, k + 1).reduce((sum, each) => sum + each, 0))
    expect(done.at(-1)).toBeGreaterThan(200)
    expect(shares).toEqual(done.map((services) => Math.min(1, services / 270)))
    expect(digestOf(trace)).toBe(digestOf(await playSimulation(lively, 0)))
  })
})

describe('of a run', () => {
  test('has the metrics of its trace', async () => {
    expect(await playMetrics(lively)).toEqual(metricsOf(await playSimulation(lively, 0)))
  })

  test('the trajectory is the mean queue and pool of all stages together, up to its last row', async () => {
    const trace = await playSimulation(lively, 0)
    const { queues, seats } = chartOf(trace)
    const to = endOf(trace)
    const { every, queue, workers } = await playTrajectory(lively, 40)
    expect(every).toBe(to / 40)
    expect(queue).toEqual(sumOf(queues.map((steps) => meansOf(steps, to, 40))))
    expect(workers).toEqual(sumOf(seats.map((steps) => meansOf(steps, to, 40))))
    expect(Math.max(...queue)).toBeGreaterThan(1)
  })

  test('the sample is the queue and seats of each stage, up to its end', async () => {
    const trace = await playSimulation(lively, 0)
    const { queues, seats } = chartOf(trace)
    const sampled = (all: readonly Steps[]) => all.map((steps) => meansOf(steps, endOf(trace), 25))
    expect(await playGlimpse(lively, 25)).toEqual({ queues: sampled(queues), seats: sampled(seats) })
  })

  test('the swing is that of the stage whose queue swings steadily, else the widest, with the largest size of its pool', async () => {
    const { queues } = chartOf(await playSimulation(bursts, 0))
    // A burst at A reaches B job by job, until B gets slow in the eleventh burst.
    const expected = [
      [1000, 9000, 0, true],
      [1000, 29_000, 0, true],
      [10_000, 13_000, 1, false],
      [14_950, 15_150, 0, false],
    ] as const
    for (const [from, to, stage, steady] of expected) {
      const swing = await playSwing(bursts, from, to)
      expect(swing).toEqual({ ...oscillationOf(queues[stage], from, to, 1), stage, workers: 1 + stage })
      expect([from, swing.steady]).toEqual([from, steady])
    }
    // The first of equal ones.
    expect(await playSwing(idle, 0, 10)).toMatchObject({ stage: 0, most: 0 })
  })
})
