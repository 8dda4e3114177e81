import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createEstimates,
  type EstimateKind,
  type Estimates,
  estimateInto,
  observe,
} from '../../src/allocation/estimate.ts'

function believed(estimates: Estimates): number[] {
  const out = new Float64Array(estimates.declared.length)
  estimateInto(estimates, out)
  return [...out]
}

describe('estimated service times', () => {
  test('of an unmeasured stage are the mean of its measured neighbours, or 1 if there is none', () => {
    const estimates = createEstimates({ kind: 'mean' }, 'neighbours', [9, 9, 9])
    expect(believed(estimates)).toEqual([1, 1, 1])
    observe(estimates, 1, 40)
    expect(believed(estimates)).toEqual([40, 40, 40])
    observe(estimates, 0, 10)
    observe(estimates, 0, 30)
    expect(believed(estimates)).toEqual([20, 40, 30])
    observe(estimates, 2, 5)
    expect(believed(estimates)).toEqual([20, 40, 5])
  })

  test('of an unmeasured stage are the declared time, or 1, if the scenario says so', () => {
    const declared = createEstimates({ kind: 'mean' }, 'declared', [7, 8])
    observe(declared, 0, 3)
    expect(believed(declared)).toEqual([3, 8])
    const one = createEstimates({ kind: 'mean' }, 'one', [7, 8])
    observe(one, 1, 3)
    expect(believed(one)).toEqual([1, 3])
  })

  test('refuse an invalid window or alpha', () => {
    for (const n of [0, -1, 1.5, Number.NaN])
      expect(() => createEstimates({ kind: 'window', n }, 'one', [1])).toThrow(
        new RangeError(`a window must hold a whole number of jobs, at least 1, not ${n}`),
      )
    for (const alpha of [0, -1, 1.01, Number.NaN])
      expect(() => createEstimates({ kind: 'ewma', alpha }, 'one', [1])).toThrow(
        new RangeError(`alpha must be above 0 and at most 1, not ${alpha}`),
      )
    expect(createEstimates({ kind: 'ewma', alpha: 1 }, 'one', [1]).unmeasured).toBe(1)
  })

  test('agree with plain lists of measurements', () => {
    const kinds: fc.Arbitrary<EstimateKind> = fc.oneof(
      fc.constant({ kind: 'mean' } as const),
      fc.record({ kind: fc.constant('window' as const), n: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant('ewma' as const), alpha: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
    )
    const measurements = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 0, max: 1e12 })), { maxLength: 150 })
    fc.assert(
      fc.property(kinds, measurements, (kind, measured) => {
        const estimates = createEstimates(kind, 'one', [1, 1, 1])
        const lists: number[][] = [[], [], []]
        for (const [stage, time] of measured) {
          observe(estimates, stage, time)
          lists[stage].push(time)
        }
        expect(believed(estimates)).toEqual(lists.map((times) => plainly(kind, times)))
      }),
    )
  })
})

function plainly(kind: EstimateKind, times: number[]): number {
  if (times.length === 0) return 1
  if (kind.kind === 'ewma') return times.reduce((mean, time) => mean + kind.alpha * (time - mean))
  const counted = kind.kind === 'window' ? times.slice(-kind.n) : times
  return counted.reduce((sum, time) => sum + time, 0) / counted.length
}
