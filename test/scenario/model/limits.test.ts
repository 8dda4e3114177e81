import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { declaredMeans, greatestService, serviceMean } from '../../../src/scenario/model/distributions.ts'
import { longestMessages, resendAfter } from '../../../src/scenario/model/limits.ts'
import { jobsUntilLast } from '../../../src/scenario/model/sourceFigures.ts'
import { countCycles, countJobs, lastArrival } from '../../../src/scenario/model/sources.ts'
import { anyService, valid } from '../../fixtures/anyScenario.ts'

describe('jobs are counted', () => {
  test('as the source declares', () => {
    expect(countJobs({ kind: 'batch', jobs: 7 })).toBe(7)
    expect(countJobs({ kind: 'times', at: [1, 2, 3] })).toBe(3)
    expect(countJobs({ kind: 'image', width: 65, height: 64, tile: 32, x: 0, y: 0, span: 3, iterations: 9 })).toBe(6)
    expect(countJobs({ kind: 'groups', groups: [3, 0, 4], order: 'spread', feeders: 2, window: 1 })).toBe(7)
  })

  test('at most, if a sine has no number of jobs', () => {
    const sine = { kind: 'sine', max: 10, every: 1000, duration: 2500 } as const
    expect(countJobs({ ...sine, jobs: null })).toBe(30)
    expect(countJobs({ ...sine, jobs: 12 })).toBe(12)
    expect(countJobs({ ...sine, jobs: 100 })).toBe(30)
    expect(countCycles({ ...sine, jobs: null })).toBe(3)
  })
})

describe('the last arrival of each kind of source', () => {
  const points = [
    [2_000_000, 10],
    [4_000_000, 30],
    [5_000_000, 20],
  ] as const

  test('is the last of the listed times, the end of a sine, and 0 if all jobs arrive at once or none arrives', () => {
    expect(lastArrival({ kind: 'times', at: [3, 8, 20] })).toBe(20)
    expect(lastArrival({ kind: 'times', at: [] })).toBe(0)
    expect(lastArrival({ kind: 'sine', max: 3, every: 10, duration: 77, jobs: null })).toBe(77)
    expect(lastArrival({ kind: 'poisson', rate: 50, jobs: 100 })).toBe(2_000_000)
    expect(lastArrival({ kind: 'bursts', rate: 5, burstRate: 50, on: 10, off: 10, jobs: 0 })).toBe(0)
    expect([
      lastArrival({ kind: 'steps', at: [], jobs: 5 }),
      lastArrival({ kind: 'curve', points: [], jobs: 5 }),
    ]).toEqual([0, 0])
  })

  test('of bursts is one cycle after the cycles that its jobs fill, with the jobs of both parts', () => {
    // 9 s x 10/s and 1 s x 110/s are 200 jobs in a cycle of 10 s.
    const bursts = { kind: 'bursts', rate: 10, burstRate: 110, on: 1_000_000, off: 9_000_000, jobs: 400 } as const
    expect(lastArrival(bursts)).toBe(30_000_000)
    expect(countCycles(bursts)).toBe(3)
    expect(countCycles({ ...bursts, jobs: 410 })).toBe(4)
    expect([countCycles({ kind: 'batch', jobs: 4 }), countCycles({ kind: 'poisson', rate: 1, jobs: 9 })]).toEqual([
      0, 0,
    ])
  })

  test('of steps and curves is after the last point if the area before it has fewer jobs, otherwise at that point', () => {
    // Steps: 2 s x 10/s + 1 s x 30/s. A curve has 10/s before its first point, then mean rates of 20/s and 25/s.
    expect([jobsUntilLast('steps', points), jobsUntilLast('curve', points)]).toEqual([50, 85])
    expect([jobsUntilLast('steps', []), jobsUntilLast('curve', [])]).toEqual([0, 0])
    expect(jobsUntilLast('curve', points.slice(0, 1))).toBe(20)
    expect(jobsUntilLast('steps', points.slice(0, 1))).toBe(0)
    expect([50, 90].map((jobs) => lastArrival({ kind: 'steps', at: points, jobs }))).toEqual([5_000_000, 7_000_000])
    expect([85, 105, 20].map((jobs) => lastArrival({ kind: 'curve', points, jobs }))).toEqual([
      5_000_000, 6_000_000, 5_000_000,
    ])
  })
})

describe('the messages of a batch', () => {
  test('are sent again after twice the round trip, but at least a millisecond', () => {
    expect([resendAfter(0), resendAfter(500), resendAfter(501), resendAfter(4000)]).toEqual([1000, 1000, 1002, 8000])
  })

  test('take the round trip if none is lost; otherwise both may be sent again a hundred times', () => {
    const network = { roundTrip: 4000, loss: 0 } as Parameters<typeof longestMessages>[0]
    expect(longestMessages(network)).toBe(4000)
    expect(longestMessages({ ...network, loss: 0.01 })).toBe(4000 + 200 * 8000)
  })
})

describe('the mean of a service', () => {
  test('is at most its largest value', () => {
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
