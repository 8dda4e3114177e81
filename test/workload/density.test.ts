import { describe, expect, test } from 'vitest'
import type { Service } from '../../src/scenario/model/scenario.ts'
import { densityOf } from '../../src/workload/density.ts'

const curves: Service[] = [
  { kind: 'uniform', min: 100, max: 200 },
  { kind: 'exponential', mean: 1000 },
  { kind: 'erlang', mean: 1000, k: 1 },
  { kind: 'erlang', mean: 1000, k: 4 },
  { kind: 'erlang', mean: 1000, k: 5000 },
  { kind: 'lognormal', mean: 1000, cv: 0.7 },
  { kind: 'pareto', mean: 1000, alpha: 2.5 },
]

describe('the shape of a distribution', () => {
  test.each(curves.map((service) => [JSON.stringify(service), service] as const))(
    '%s is a curve with x ascending, y from 0 to 1 and a highest point of 1',
    (_, service) => {
      const { curve, masses } = densityOf(service, 80)
      expect(masses).toEqual([])
      expect(curve.length).toBeGreaterThanOrEqual(80)
      expect(Math.max(...curve.map(({ y }) => y))).toBe(1)
      for (const [i, { x, y }] of curve.entries()) {
        expect(x).toBeGreaterThanOrEqual(i === 0 ? 0 : curve[i - 1].x)
        expect(y).toBeGreaterThanOrEqual(0)
      }
    },
  )

  test('a distribution of a few values has needles as high as their probabilities', () => {
    expect(densityOf({ kind: 'constant', mean: 7 })).toEqual({ curve: [], masses: [{ x: 7, y: 1 }] })
    expect(densityOf({ kind: 'bimodal', fast: 10, slow: 90, pSlow: 0.2 }).masses).toEqual([
      { x: 10, y: 1 },
      { x: 90, y: 0.25 },
    ])
    expect(densityOf({ kind: 'bimodal', fast: 10, slow: 90, pSlow: 1 }).masses).toEqual([{ x: 90, y: 1 }])
    expect(densityOf({ kind: 'empirical', values: [5, 3, 5, 5] }).masses).toEqual([
      { x: 3, y: 1 / 3 },
      { x: 5, y: 1 },
    ])
    expect(densityOf({ kind: 'uniform', min: 5, max: 5 }).masses).toEqual([{ x: 5, y: 1 }])
    expect(densityOf({ kind: 'lognormal', mean: 5, cv: 0 }).masses).toEqual([{ x: 5, y: 1 }])
  })
})
