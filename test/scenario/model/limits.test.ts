import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countAllocationsUpTo, countCycles, countJobs, lastArrival } from '../../../src/scenario/model/limits.ts'
import { declaredMeans, greatestService, serviceMean } from '../../../src/scenario/model/serviceMean.ts'
import { anyScenario, anyService, valid } from '../../fixtures/anyScenario.ts'

describe('jobs are counted', () => {
  test('as the source says', () => {
    expect(countJobs({ kind: 'batch', jobs: 7 })).toBe(7)
    expect(countJobs({ kind: 'times', at: [1, 2, 3] })).toBe(3)
    expect(countJobs({ kind: 'image', width: 65, height: 64, tile: 32, x: 0, y: 0, span: 3, iterations: 9 })).toBe(6)
    expect(countJobs({ kind: 'groups', groups: [3, 0, 4], order: 'spread', feeders: 2, window: 1 })).toBe(7)
  })

  test('at most, where a sine says no number', () => {
    const sine = { kind: 'sine', max: 10, every: 1000, duration: 2500 } as const
    expect(countJobs({ ...sine, jobs: null })).toBe(30)
    expect(countJobs({ ...sine, jobs: 12 })).toBe(12)
    expect(countJobs({ ...sine, jobs: 100 })).toBe(30)
    expect(countCycles({ ...sine, jobs: null })).toBe(3)
  })

  test('in any scenario within the bound that was asked for', () => {
    fc.assert(
      fc.property(anyScenario({ jobs: 30, stages: 3, workers: 4 }), (scenario) => {
        expect(countJobs(scenario.source)).toBeLessThanOrEqual(90)
        expect(scenario.stages.length).toBeLessThanOrEqual(3)
      }),
    )
  })
})

describe('the last arrival is foretold', () => {
  test('from the mean rate', () => {
    expect(lastArrival({ kind: 'batch', jobs: 5 })).toBe(0)
    expect(lastArrival({ kind: 'regular', rate: 100, jobs: 50 })).toBe(500_000)
    expect(
      lastArrival({
        kind: 'steps',
        at: [
          [0, 5],
          [1000, 100],
        ],
        jobs: 50,
      }),
    ).toBeCloseTo(500_950, 6)
    expect(lastArrival({ kind: 'bursts', rate: 0, burstRate: 1000, on: 10_000, off: 90_000, jobs: 100 })).toBe(1_100_000)
  })
})

describe('allocations are counted', () => {
  test('as many as can be listed', () => {
    const list = (workers: number, stages: number): number =>
      stages === 1 ? 1 : Array.from({ length: workers + 1 }, (_, n) => list(workers - n, stages - 1)).reduce((a, b) => a + b, 0)
    for (let workers = 1; workers <= 7; workers++)
      for (let stages = 1; stages <= 5; stages++) expect(countAllocationsUpTo(workers, stages)).toBe(list(workers, stages))
    expect(countAllocationsUpTo(16, 8)).toBe(245_157)
    expect(countAllocationsUpTo(64, 100)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the mean of a service', () => {
  test('is what its kind declares', () => {
    expect(serviceMean({ kind: 'pareto', mean: 700, alpha: 3 })).toBe(700)
    expect(serviceMean({ kind: 'uniform', min: 10, max: 15 })).toBe(12.5)
    expect(serviceMean({ kind: 'bimodal', fast: 100, slow: 1100, pSlow: 0.25 })).toBe(350)
    expect(serviceMean({ kind: 'empirical', values: [1, 2, 6] })).toBe(3)
  })

  test('is at most its greatest', () => {
    fc.assert(
      fc.property(anyService(20_000), (service) => {
        expect(serviceMean(service)).toBeLessThanOrEqual(greatestService(service) * 1.000001)
      }),
    )
  })

  test('is declared for each stage in listing order', () => {
    const stages = [
      { id: 'B', service: { mean: 5 } },
      { id: 'A', service: { kind: 'uniform', min: 2, max: 4 } },
    ]
    expect(declaredMeans(valid({ version: 1, stages, workers: 1 }))).toEqual([5, 3])
  })
})
