import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  axesOf,
  coarsePointsFirst,
  emptySweep,
  firstToBeat,
  presentValue,
  type SweepAxis,
  sweepKey,
  sweepValues,
  withRun,
  withValue,
} from '../../../../src/features/compare/study/sweep.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { playCompared } from '../../../../src/runs/study/compare.ts'
import { serviceMean } from '../../../../src/scenario/model/distributions.ts'
import { MAX_MICROS } from '../../../../src/scenario/model/limits.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { anyScenario, valid } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'

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
  test('has the present value among its values, ascending, each of which can be played or is refused with a reason', () => {
    fc.assert(
      fc.property(anyScenario({ graphs: true }), (any) => {
        for (const axis of axesOf(any)) {
          const values = sweepValues(any, axis)
          const present = presentValue(any, axis)
          if (present !== null) expect(values).toContain(present)
          expect(values.every((value, k) => k === 0 || value > values[k - 1])).toBe(true)
          expect(values.length).toBeGreaterThan(0)
          expect(values.length).toBeLessThan(40)
          for (const { value, refused } of emptySweep(any, axis))
            expect('problems' in parse(withValue(any, axis, value))).toBe(refused !== null)
        }
      }),
      { numRuns: repeats(12) },
    )
  })

  test('changes only the varied number, as an edit does', () => {
    expect(withValue(scenario, 'workers', 7)).toMatchObject({ workers: 7, cores: 7, stages: scenario.stages })
    expect(withValue(scenario, 'batch', 5)).toEqual({ ...scenario, batch: { size: 5, inHand: 1 } })
    expect(withValue(scenario, 'switchCost', 0)).toEqual({ ...scenario, switchCost: 0 })
    const slower = withValue(scenario, 'service B', 4000)
    expect(slower.stages[1].service).toEqual({ kind: 'uniform', min: 2000, max: 6000 })
    expect(serviceMean(slower.stages[1].service)).toBe(4000)
    expect(slower.stages[0]).toBe(scenario.stages[0])
    expect(() => withValue(scenario, 'service Z', 1)).toThrow('no such stage')
  })

  test('is the same sweep after one of its values was chosen, and another after any other edit', () => {
    for (const axis of axesOf(scenario)) {
      const key = sweepKey(scenario, axis)
      for (const value of sweepValues(scenario, axis))
        if (axis !== 'service B') expect(sweepKey(withValue(scenario, axis, value), axis)).toBe(key)
      expect(sweepKey({ ...scenario, seed: 4 }, axis)).not.toBe(key)
      for (const other of axesOf(scenario))
        if (other !== axis) expect(sweepKey(withValue(scenario, other, 5555), axis)).not.toBe(key)
    }
  })

  test('answers find their points', async () => {
    const points = emptySweep(scenario, 'workers')
    const compared = await playCompared(withValue(scenario, 'workers', 2), false)
    const [point] = withRun(points, 2, compared).filter(({ run }) => run !== null)
    const { makespan, utilisation } = metricsOf(await playSimulation(withValue(scenario, 'workers', 2), 0))
    expect(point).toMatchObject({ value: 2, run: { makespan, utilisation, left: 0 } })
    expect(point.run?.seats.reduce((sum, seats) => sum + seats, 0)).toBeCloseTo(2, 9)
  })

  test('the smallest number of workers that beats one alone is found from below', () => {
    const known = new Map([
      [1, 100],
      [3, 50],
      [8, 20],
    ])
    expect(firstToBeat(known, 60, 8)).toEqual({ kind: 'ask', workers: 2 })
    expect(firstToBeat(known.set(2, 60), 60, 8)).toEqual({ kind: 'found', workers: 3 })
    expect(firstToBeat(known, 101, 8)).toEqual({ kind: 'found', workers: 1 })
    expect(firstToBeat(new Map([[1, 9]]), 5, 1)).toEqual({ kind: 'none' })
    // An unfinished run does not beat one worker.
    expect(firstToBeat(new Map([[1, Infinity]]), 5, 1)).toEqual({ kind: 'none' })
  })
})

describe('the values of a sweep', () => {
  const having = (more: object) => valid({ ...scenario, cores: undefined, ...more })
  const upTo = (n: number) => Array.from({ length: n }, (_, k) => k + 1)
  const oneStage = (service: object) => ({ stages: [{ id: 'A', service }], links: undefined })
  const costs = [0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]

  test.each<[string, object, readonly number[]]>([
    ['workers', { workers: 3 }, upTo(8)],
    ['workers', { workers: 12 }, upTo(24)],
    ['batch', {}, [1, 2, 5, 10, 20, 50]],
    ['batch', { batch: { size: 7 }, source: { kind: 'batch', jobs: 5 } }, [1, 2, 5, 7]],
    ['batch', { batch: { adaptive: true } }, [1, 2, 5, 10, 20, 50]],
    // From a hundredth of the mean service, 2.5 ms, to ten times of it.
    ['switchCost', {}, costs],
    ['switchCost', { ...oneStage({ kind: 'constant', mean: 2000 }), switchCost: 0 }, [0, 20, ...costs.slice(1)]],
    ['service B', {}, [200, 400, 600, 1000, 1400, 1700, 2000, 2400, 3000, 4000, 6000, 10_000, 20_000]],
    ['service A', oneStage({ kind: 'uniform', min: 1, max: 2 }), [1, 2, 3, 4, 6, 10, 20]],
  ])('of %s under %j', (axis, changes, values) => {
    expect(sweepValues(having(changes), axis as SweepAxis)).toEqual(values)
  })

  test.each<[string, object, number]>([
    ['workers', { workers: 9000 }, 10_000],
    ['batch', { source: { kind: 'batch', jobs: 2000 } }, 200],
    ['batch', { batch: { size: 1000 } }, 1000],
    [
      'service A',
      {
        ...oneStage({ kind: 'constant', mean: Math.floor(MAX_MICROS / 4) }),
        source: { kind: 'batch', jobs: 1 },
      },
      MAX_MICROS,
    ],
  ])('of %s under %j go up to %i', (axis, changes, last) => {
    expect(sweepValues(having(changes), axis as SweepAxis).at(-1)).toBe(last)
  })

  test('are played from the ends, then every fourth, every second, all; refused values are left out', () => {
    const points = Array.from({ length: 11 }, (_, value) => ({ value, run: null, refused: value === 6 ? 'no' : null }))
    expect(coarsePointsFirst(points).map(({ value }) => value)).toEqual([0, 10, 4, 8, 2, 1, 3, 5, 7, 9])
    const twelve = Array.from({ length: 12 }, (_, value) => ({ value, run: null, refused: null }))
    expect(coarsePointsFirst(twelve).map(({ value }) => value)).toEqual([0, 11, 4, 8, 2, 6, 10, 1, 3, 5, 7, 9])
  })

  test('hold for the whole run: phases no longer set the varied number, but keep their other settings', () => {
    const later = [
      { at: 100, batch: { size: 3 }, switchCost: 7 },
      { at: 200, switchCost: 9 },
    ]
    const scheduled = having({ later, batch: { size: 2, inHand: 2 } })
    expect(withValue(scheduled, 'switchCost', 4)).toEqual({
      ...scheduled,
      switchCost: 4,
      later: [{ at: 100, batch: { size: 3, inHand: 1 } }],
    })
    const batches = withValue(scheduled, 'batch', 6)
    expect(batches).toEqual({
      ...scheduled,
      batch: { size: 6, inHand: 2 },
      later: [
        { at: 100, switchCost: 7 },
        { at: 200, switchCost: 9 },
      ],
    })
  })
})
