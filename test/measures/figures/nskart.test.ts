import { describe, expect, test } from 'vitest'
import { isInside, studentQuantile } from '../../../src/measures/figures/confidence.ts'
import { LEAST_VALUES, steadyMean } from '../../../src/measures/figures/nskart.ts'
import { createChance } from '../../fixtures/chance.ts'

/** Numbers from 0 to below 1. */
function evenly(seed: number): () => number {
  const chance = createChance(seed)
  return () => chance.below(2 ** 31) / 2 ** 31
}

/** Waits of an M/M/1 queue, each from the one before (Lindley 1952), beginning with an empty queue. The mean service takes 1. */
function waitsAt(load: number, jobs: number, seed: number): Float64Array {
  const next = evenly(seed)
  const waits = new Float64Array(jobs)
  for (let job = 1; job < jobs; job++) waits[job] = Math.max(0, waits[job - 1] - Math.log(1 - next()) + Math.log(1 - next()) / load)
  return waits
}

/** Values of which each remembers a share of the one before: their mean is 0. */
function autoregressive(share: number, length: number, seed: number, start = 0): Float64Array {
  const next = evenly(seed)
  const values = new Float64Array(length)
  let before = start
  for (let i = 0; i < length; i++) {
    before = share * before + (next() + next() + next() + next() - 2)
    values[i] = before
  }
  return values
}

function held(runs: number, truth: number, values: (seed: number) => Float64Array): number {
  let count = 0
  for (let seed = 1; seed <= runs; seed++) {
    const interval = steadyMean(values(seed))
    if (interval !== null && isInside(interval, truth)) count++
  }
  return count / runs
}

describe('the interval of a steady mean', () => {
  // Of 400 intervals at 95%, fewer than 92% or more than 98% hold once in 150 times.
  test.each([
    ['waits at load 0.5', 1, (seed: number) => waitsAt(0.5, 20_000, seed)],
    ['waits at load 0.8', 4, (seed: number) => waitsAt(0.8, 20_000, seed)],
    ['values that remember nine tenths', 0, (seed: number) => autoregressive(0.9, 10_000, seed)],
    ['values that are independent', 0, (seed: number) => autoregressive(0, 2000, seed)],
  ])('holds the truth 95 times in a hundred: %s (seeds 1 to 400)', (_, truth, values) => {
    const share = held(400, truth, values)
    expect(share).toBeGreaterThan(0.92)
    expect(share).toBeLessThan(0.98)
  })

  test('leaves out a beginning that is not like the rest', () => {
    let drawn = 0
    for (let seed = 1; seed <= 50; seed++) {
      const values = autoregressive(0.98, 20_000, seed, 200)
      const plain = values.reduce((sum, value) => sum + value, 0) / values.length
      const steady = steadyMean(values)
      if (steady === null) throw new Error('too short')
      if (Math.abs(steady.mean) < Math.abs(plain)) drawn++
    }
    expect(drawn).toBeGreaterThan(40)
  })

  test('reaches farther to the side of the long tail', () => {
    let farther = 0
    for (let seed = 1; seed <= 40; seed++) {
      const steady = steadyMean(waitsAt(0.8, 20_000, seed))
      if (steady !== null && steady.high - steady.mean > steady.mean - steady.low) farther++
    }
    expect(farther).toBe(40)
  })

  test('is a point where all values are alike, and null for fewer values than it takes', () => {
    expect(steadyMean(new Float64Array(LEAST_VALUES).fill(7))).toMatchObject({ mean: 7, low: 7, high: 7 })
    expect(steadyMean(new Float64Array(LEAST_VALUES - 1))).toBeNull()
  })

  test.each([
    [5, 2.571],
    [19, 2.093],
    [100, 1.984],
    [1e9, 1.96],
  ])('uses the quantile of Student’s t: %i degrees of freedom, %f', (freedom, quantile) => {
    expect(studentQuantile(freedom)).toBeCloseTo(quantile, 2)
  })
})
