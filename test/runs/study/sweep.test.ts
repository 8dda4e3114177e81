import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { playCompared } from '../../../src/runs/study/compare.ts'
import { axesOf, coarsePointsFirst, emptySweep, firstToBeat, presentValue, sweepKey, sweepValues, withRun, withValue } from '../../../src/runs/study/sweep.ts'
import { serviceMean } from '../../../src/scenario/model/serviceMean.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'

const scenario = valid({
  version: 1,
  seed: 3,
  source: { kind: 'batch', jobs: 60 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 3000 } },
    { id: 'B', service: { kind: 'uniform', min: 1000, max: 3000 } },
  ],
  workers: 3,
  switchCost: 100,
})

describe('a sweep', () => {
  test('has the present value among its values, ascending, each of which can be played or is refused in words', () => {
    fc.assert(
      fc.property(anyScenario({ graphs: true }), (any) => {
        for (const axis of axesOf(any)) {
          const values = sweepValues(any, axis)
          const present = presentValue(any, axis)
          if (present !== null) expect(values).toContain(present)
          expect(values.every((value, k) => k === 0 || value > values[k - 1])).toBe(true)
          expect(values.length).toBeGreaterThan(0)
          expect(values.length).toBeLessThan(40)
          for (const { value, refused } of emptySweep(any, axis)) expect('problems' in parse(withValue(any, axis, value))).toBe(refused !== null)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('changes what is varied and nothing else, as an edit does', () => {
    expect(withValue(scenario, 'workers', 7)).toMatchObject({ workers: 7, cores: 7, stages: scenario.stages })
    expect(withValue(scenario, 'batch', 5)).toEqual({ ...scenario, batch: { size: 5, inHand: 1 } })
    expect(withValue(scenario, 'switchCost', 0)).toEqual({ ...scenario, switchCost: 0 })
    const slower = withValue(scenario, 'service B', 4000)
    expect(slower.stages[1].service).toEqual({ kind: 'uniform', min: 2000, max: 6000 })
    expect(serviceMean(slower.stages[1].service)).toBe(4000)
    expect(slower.stages[0]).toBe(scenario.stages[0])
    expect(() => withValue(scenario, 'service Z', 1)).toThrow('no such stage')
  })

  test('is the same sweep after one of its values has been taken, and another after any other edit', () => {
    for (const axis of axesOf(scenario)) {
      const key = sweepKey(scenario, axis)
      for (const value of sweepValues(scenario, axis)) if (axis !== 'service B') expect(sweepKey(withValue(scenario, axis, value), axis)).toBe(key)
      expect(sweepKey({ ...scenario, seed: 4 }, axis)).not.toBe(key)
      for (const other of axesOf(scenario)) if (other !== axis) expect(sweepKey(withValue(scenario, other, 5555), axis)).not.toBe(key)
    }
  })

  test('plays every value once, in an order in which the ends come first, and answers find their points', async () => {
    const points = emptySweep(scenario, 'workers')
    const order = coarsePointsFirst(points).map(({ value }) => value)
    expect(order.slice(0, 2)).toEqual([1, 8])
    expect([...order].sort((a, b) => a - b)).toEqual(points.map(({ value }) => value))
    const compared = await playCompared(withValue(scenario, 'workers', 2), false)
    const [point] = withRun(points, 2, compared).filter(({ run }) => run !== null)
    const { makespan, utilisation } = metricsOf(await playSimulation(withValue(scenario, 'workers', 2), 0))
    expect(point).toMatchObject({ value: 2, run: { makespan, utilisation, left: 0 } })
    expect(point.run?.seats.reduce((sum, seats) => sum + seats, 0)).toBeCloseTo(2, 9)
    expect(coarsePointsFirst([{ value: 1, run: null, refused: 'no' }])).toEqual([])
  })

  test('the fewest workers that beat one alone are found from below, past numbers that do not', () => {
    const known = new Map([
      [1, 100],
      [3, 50],
      [8, 20],
    ])
    expect(firstToBeat(known, 60, 8)).toEqual({ kind: 'ask', workers: 2 })
    expect(firstToBeat(known.set(2, 60), 60, 8)).toEqual({ kind: 'found', workers: 3 })
    expect(firstToBeat(known, 101, 8)).toEqual({ kind: 'found', workers: 1 })
    expect(firstToBeat(new Map([[1, 9]]), 5, 1)).toEqual({ kind: 'none' })
    // A run that leaves jobs behind beats nobody.
    expect(firstToBeat(new Map([[1, Infinity]]), 5, 1)).toEqual({ kind: 'none' })
  })

  test('the search plays no more than it must, and finds what a scan of all numbers finds', async () => {
    for (const policy of ['leastScore', 'onePerStage', 'backpressure', 'single'] as const) {
      const asked = valid({ ...scenario, policy: { kind: policy }, workers: 4, cores: 4 })
      const makespan = async (input: object) => metricsOf(await playSimulation(valid(input), 0)).makespan
      const alone = await makespan({ ...asked, policy: { kind: 'single' } })
      const all: number[] = []
      for (let n = 1; n <= 6; n++) all.push('problems' in parse(withValue(asked, 'workers', n)) ? Infinity : await makespan(withValue(asked, 'workers', n)))
      const known = new Map<number, number>()
      let found = firstToBeat(known, alone, 6)
      for (; found.kind === 'ask'; found = firstToBeat(known, alone, 6)) known.set(found.workers, all[found.workers - 1])
      const scanned = all.findIndex((each) => each < alone)
      expect(found).toEqual(scanned < 0 ? { kind: 'none' } : { kind: 'found', workers: scanned + 1 })
      expect(known.size).toBe(scanned < 0 ? 6 : scanned + 1)
    }
  })
})
