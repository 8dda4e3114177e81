import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MIN_VALUES, steadyMean } from '../../../../src/features/theory/measure/nskart.ts'
import { isInside, studentQuantile } from '../../../../src/measures/figures/comparison.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { inFull, repeats } from '../../../fixtures/extent.ts'

/** Numbers from 0 to below 1. */
function evenly(seed: number): () => number {
  const chance = createChance(seed)
  return () => chance.below(2 ** 31) / 2 ** 31
}

/** Waits of an M/M/1 queue, each from the one before (Lindley 1952), beginning with an empty queue. The mean service takes 1. */
function waitsAt(load: number, jobs: number, seed: number): Float64Array {
  const next = evenly(seed)
  const waits = new Float64Array(jobs)
  for (let job = 1; job < jobs; job++)
    waits[job] = Math.max(0, waits[job - 1] - Math.log(1 - next()) + Math.log(1 - next()) / load)
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

/** The plain version of N-Skart, in lists. `bent` is solved by the cube root of the language. */
function plainly(values: readonly number[]) {
  const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, 0)
  const meanOf = (some: readonly number[]) => sum(some) / some.length
  const powers = (some: readonly number[], power: number, mean = meanOf(some)) =>
    sum(some.map((each) => (each - mean) ** power))
  const squares = (some: readonly number[]) => powers(some, 2)
  const skewness = (some: readonly number[]) => {
    const n = some.length
    const deviation = Math.sqrt(squares(some) / (n - 1))
    return n < 3 || deviation === 0 ? 0 : ((n / ((n - 1) * (n - 2))) * powers(some, 3)) / deviation ** 3
  }
  const every = (some: readonly number[], from: number, step: number) =>
    some.filter((_, i) => i >= from && (i - from) % step === 0)
  const batches = (from: number, size: number, count: number) =>
    Array.from({ length: count }, (_, b) => sum(values.slice(from + b * size, from + (b + 1) * size)) / size)
  const looksRandom = (some: readonly number[]) => {
    const n = some.length
    const steps = some.slice(1).map((each, i) => (each - some[i]) ** 2)
    return (
      squares(some) === 0 ||
      Math.abs(1 - sum(steps) / (2 * squares(some))) <= 1.2815515655446 * Math.sqrt((n - 2) / (n * n - 1))
    )
  }
  const skewed = Math.abs(skewness(values.slice(Math.floor(values.length / 5)))) > 4
  let size = skewed ? Math.min(16, Math.floor(values.length / 1280)) : 1
  let [count, inflation, between, apart] = [1280, 1, 0, 0]
  for (;;) {
    const means = batches(0, size, count)
    const most = Math.abs(skewness(means.slice(Math.floor(count / 5)))) > 0.5 ? 3 : 10
    const found = Array.from({ length: most + 1 }, (_, b) => b).find((b) => looksRandom(every(means, b, b + 1)))
    between = found ?? most
    apart = Math.min(count, Math.ceil(Math.floor(count / (between + 1)) * inflation))
    const [longer, fewer] = [Math.ceil(Math.SQRT2 * size), Math.ceil(0.9 * count)]
    if (found !== undefined || longer * fewer > values.length) break
    size = longer
    count = fewer
    inflation /= 0.9
  }
  const rest = values.length - between * size
  const growth = Math.sqrt(rest / (apart * size))
  const last = growth * apart < 1024 ? Math.floor(growth * size) : Math.floor(rest / 1024)
  const number = Math.floor(rest / last)
  const warmUp = values.length - number * last
  const means = batches(warmUp, last, number)
  const mean = sum(means) / number
  if (squares(means) === 0) return { mean, low: mean, high: mean, warmUp }
  const correlation = sum(means.slice(1).map((each, b) => (each - mean) * (means[b] - mean))) / squares(means)
  const error = Math.sqrt((((1 + correlation) / (1 - correlation)) * squares(means)) / (number - 1) / number)
  const step = Math.ceil(warmUp / last) + 1
  const spaced = every(means, (number - 1) % step, step)
  const bend = skewness(spaced) / (6 * Math.sqrt(spaced.length))
  const t = studentQuantile(Math.max(1, spaced.length - 1))
  const bent = (at: number) => (Math.abs(bend) < 1e-9 ? at : (Math.cbrt(1 + 6 * bend * (at - bend)) - 1) / (2 * bend))
  return { mean, low: mean - bent(t) * error, high: mean - bent(-t) * error, warmUp }
}

describe('the interval of a steady mean', () => {
  // Of 400 intervals at 95%, fewer than 92% or more than 98% hold once in 150 times; of 100, fewer than 89% or all of them.
  test.each([
    ['waits at load 0.5', 1, (seed: number) => waitsAt(0.5, 20_000, seed)],
    ['waits at load 0.8', 4, (seed: number) => waitsAt(0.8, 20_000, seed)],
    ['values that remember nine tenths', 0, (seed: number) => autoregressive(0.9, 10_000, seed)],
    ['values that are independent', 0, (seed: number) => autoregressive(0, 2000, seed)],
  ])('holds the truth 95 times in a hundred: %s (from seed 1)', (_, truth, values) => {
    const share = held(repeats(400), truth, values)
    expect(share).toBeGreaterThan(inFull ? 0.92 : 0.88)
    expect(share).toBeLessThan(inFull ? 0.98 : 1)
  })

  test('equals its plain version for any values: even, skewed, of few kinds, and of long memory', () => {
    const kinds = [
      (length: number, seed: number) => autoregressive((seed % 100) / 100, length, seed),
      (length: number, seed: number) => autoregressive(0.995, length, seed, 30),
      (length: number, seed: number) => waitsAt(0.5 + (seed % 40) / 100, length, seed),
      // A long tail, and another one to the left.
      (length: number, seed: number) =>
        autoregressive(0.3, length, seed).map((value) => (seed % 2 === 0 ? 1 : -1) * Math.exp(3 * value)),
      // Mostly alike: whole batches have no variance.
      (length: number, seed: number) => autoregressive(0, length, seed).map((value) => (value > 1.2 ? 1 : 0)),
      (length: number, seed: number) => autoregressive(0, length, seed).map((_, i) => (i < 70 ? 5 : 1)),
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.oneof(fc.integer({ min: 1280, max: 1700 }), fc.integer({ min: 1280, max: 9000 })),
        fc.nat(1e6),
        (kind, length, seed) => {
          const values = kind(length, seed)
          const steady = steadyMean(values)
          const plain = plainly([...values])
          expect(steady?.warmUp).toBe(plain.warmUp)
          const wide = 1e-7 * (Math.abs(plain.mean) + plain.high - plain.low)
          for (const key of ['mean', 'low', 'high'] as const)
            expect(Math.abs((steady?.[key] ?? Number.NaN) - plain[key])).toBeLessThanOrEqual(wide)
        },
      ),
      { numRuns: repeats(60) },
    )
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
    expect(steadyMean(new Float64Array(MIN_VALUES).fill(7))).toMatchObject({ mean: 7, low: 7, high: 7 })
    expect(steadyMean(new Float64Array(MIN_VALUES - 1))).toBeNull()
  })

  test.each([
    [5, 2.571],
    [7, 2.365],
    [10, 2.228],
    [19, 2.093],
    [100, 1.984],
    [1e9, 1.96],
  ])('uses the quantile of Student’s t: %i degrees of freedom, %f', (freedom, quantile) => {
    expect(Math.abs(studentQuantile(freedom) - quantile)).toBeLessThan(0.001)
  })
})
