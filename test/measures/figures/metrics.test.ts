import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { metricsOf, quantile } from '../../../src/measures/figures/metrics.ts'
import { occupancyOf } from '../../../src/measures/figures/occupancy.ts'
import { playSimulation, summarise } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { figuresMatch } from '../../seeds/naiveFigures.ts'
import { naiveFiguresOf } from '../naiveRun.ts'
import { scenarios, workedExample } from '../scenarios.ts'

describe('the figures', () => {
  test('of the worked example match a calculation by hand', async () => {
    // A: jobs 0, 1 at 0..1 s, job 2 at 1..2; B: job 0 at 1..2, jobs 1, 2 at 2..3.
    const summary = summarise(await playSimulation(workedExample, 0))
    expect(summary).toEqual({
      policy: 'leastScore',
      jobs: 3,
      completed: 3,
      failed: 0,
      makespan: 3_000_000,
      lowerBound: 3_000_000,
      throughput: 1,
      meanWait: 2_000_000 / 3,
      meanFlowTime: 8_000_000 / 3,
      p50FlowTime: 3_000_000,
      p99FlowTime: 3_000_000,
      meanJobsInSystem: 8 / 3,
      utilisation: 1,
      switches: 2,
      reordered: 1, // both last jobs leave at 3 s, in the order of their workers
      contendedTime: 0,
      stages: [
        {
          id: 'A',
          utilisation: 0.5,
          meanQueue: 1 / 3,
          maxQueue: 1,
          meanWait: 1_000_000 / 3,
          meanService: 1_000_000,
          contendedTime: 0,
          workers: 2,
          ownUtilisation: 0.5,
        },
        {
          id: 'B',
          utilisation: 0.5,
          meanQueue: 1 / 3,
          maxQueue: 1,
          meanWait: 1_000_000 / 3,
          meanService: 1_000_000,
          contendedTime: 0,
          workers: 2,
          ownUtilisation: 0.5,
        },
      ],
      workersOverTime: [[0, 2]],
    })
    expect(Object.keys(summary)).toEqual([
      ...[
        'policy',
        'jobs',
        'completed',
        'failed',
        'makespan',
        'lowerBound',
        'throughput',
        'meanWait',
        'meanFlowTime',
        'p50FlowTime',
        'p99FlowTime',
      ],
      ...['meanJobsInSystem', 'utilisation', 'switches', 'reordered', 'contendedTime', 'stages', 'workersOverTime'],
    ])
  })

  test('of a run without jobs are all empty', async () => {
    const summary = summarise(
      await playSimulation(scenarioWith({ source: { kind: 'batch', jobs: 0 }, stages: [{ id: 'A' }], workers: 1 }), 0),
    )
    expect(summary).toMatchObject({
      jobs: 0,
      makespan: 0,
      lowerBound: 0,
      throughput: 0,
      meanFlowTime: 0,
      p99FlowTime: 0,
      utilisation: 0,
    })
    expect(JSON.stringify(summary)).not.toContain('null')
  })
})

describe('of any run, the figures', () => {
  test('equal those of plain code that reads the rows, to the last bit', async () => {
    const runs = fc.oneof(
      ...[{ graphs: true }, { policies: elasticPolicies }, { shards: true }].map((kind) =>
        anyScenario({ jobs: 20, ...kind }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(runs, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        figuresMatch({ ...metricsOf(trace), ...occupancyOf(trace) }, naiveFiguresOf(trace).ofRun())
      }),
      { numRuns: repeats(150) },
    )
  })
})

describe('a quantile', () => {
  test('is the nearest rank', () => {
    const hundred = Float64Array.from({ length: 100 }, (_, i) => i + 1)
    expect([50, 99, 100, 1].map((percent) => quantile(hundred, percent))).toEqual([50, 99, 100, 1])
    expect(quantile(Float64Array.of(1, 2, 3), 50)).toBe(2)
    expect(quantile(new Float64Array(0), 50)).toBe(0)
  })

  test('by selection equals the one by sorting', () => {
    const values = fc.array(fc.oneof(fc.nat({ max: 5 }), fc.double({ min: 0, max: 1e15, noNaN: true })), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (all, percent) => {
        const ascending = Float64Array.from(all).sort()
        expect(quantile(Float64Array.from(all), percent)).toBe(ascending[Math.ceil((all.length * percent) / 100) - 1])
      }),
    )
  })
})

describe('the lower bound', () => {
  const stage = (id: string, mean: number, rest = {}) => ({ id, service: { kind: 'constant', mean }, ...rest })
  const bound = (input: object) => lowerBoundOf(scenarioWith(input))

  test('is the work shared by all workers, the longest path of a job, or the latest arrivals, whichever is largest', () => {
    expect(bound({ source: { kind: 'batch', jobs: 4 }, stages: [stage('A', 10), stage('B', 5)], workers: 2 })).toEqual({
      name: 'work',
      time: 30,
      from: 0,
      work: 60,
      by: 2,
      job: 0,
    })
    expect(
      bound({ source: { kind: 'batch', jobs: 2 }, stages: [stage('A', 10), stage('B', 5)], workers: 9 }),
    ).toMatchObject({ name: 'path', time: 15, job: 0 })
    expect(bound({ source: { kind: 'times', at: [0, 100, 100] }, stages: [stage('A', 20)], workers: 1 })).toEqual({
      name: 'work',
      time: 140,
      from: 100,
      work: 40,
      by: 1,
      job: 1,
    })
    expect(
      bound({
        source: { kind: 'batch', jobs: 4 },
        stages: [stage('A', 1000), stage('B', 500, { work: 'wait' })],
        workers: 4,
        cores: 1,
      }),
    ).toMatchObject({
      name: 'cores',
      time: 4000,
      by: 1,
    })
  })

  test('holds for every run of every policy', async () => {
    let tight = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario: Scenario) => {
        const trace = await playSimulation(scenario, 0)
        if (trace.ending !== 'drained') return
        const { makespan, lowerBound } = summarise(trace)
        expect(makespan).toBeGreaterThanOrEqual(lowerBound)
        if (makespan === lowerBound && makespan > 0) tight++
      }),
      { numRuns: repeats(150) },
    )
    expect(tight).toBeGreaterThan(0)
  })
})
