import { describe, expect, test } from 'vitest'
import { drawKeys, drawWith, randomKey } from '../../src/workload/random.ts'

const uniform = (seed: number, stage: number, job: number, draw: number) => drawWith(drawKeys(seed, stage), job, draw)
const A = randomKey('A')
const B = randomKey('B')
const N = 100_000

/** Four sequences of random numbers; each must look like N throws of one fair die. */
const walks: Readonly<Record<string, (i: number) => number>> = {
  jobs: (i) => uniform(1, A, i, 0),
  draws: (i) => uniform(1, A, 5, i),
  seeds: (i) => uniform(i, A, 5, 0),
  stages: (i) => uniform(1, randomKey(`stage-${i}`), 5, 0),
  'raw stage keys': (i) => uniform(1, i, 5, 0),
}

const mean = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length

/** Correlation of two equally long lists of uniform numbers; its standard deviation is 1 / sqrt(n). */
const correlation = (xs: readonly number[], ys: readonly number[]): number =>
  mean(xs.map((x, i) => (x - 0.5) * (ys[i] - 0.5))) * 12

describe.each(Object.entries(walks))('random numbers along %s', (_, at) => {
  const xs = Array.from({ length: N }, (_, i) => at(i))

  test('lies strictly between 0 and 1', () => {
    expect(xs.every((x) => x > 0 && x < 1)).toBe(true)
  })

  test('has the mean and the variance of a uniform number', () => {
    expect(Math.abs(mean(xs) - 0.5)).toBeLessThan(4.5 * Math.sqrt(1 / 12 / N))
    expect(Math.abs(mean(xs.map((x) => (x - 0.5) ** 2)) - 1 / 12)).toBeLessThan(4.5 * Math.sqrt(1 / 180 / N))
  })

  test('fills 256 bins evenly, by its upper digits and by its lower ones', () => {
    // Chi-square with 255 degrees of freedom: mean 255, standard deviation 22.6.
    for (const scale of [256, 2 ** 34, 2 ** 48]) {
      const bins = new Float64Array(256)
      for (const x of xs) bins[Math.floor(x * scale) % 256]++
      const chiSquare = bins.reduce((sum, n) => sum + (n - N / 256) ** 2 / (N / 256), 0)
      expect(chiSquare).toBeGreaterThan(255 - 4.5 * 22.6)
      expect(chiSquare).toBeLessThan(255 + 4.5 * 22.6)
    }
  })

  test('shows no correlation between neighbours, near and far', () => {
    for (const lag of [1, 2, 3, 7, 64, 1024])
      expect(Math.abs(correlation(xs.slice(lag), xs.slice(0, -lag)))).toBeLessThan(4.5 / Math.sqrt(N - lag))
  })
})

describe('random numbers', () => {
  test('shows no correlation between two stages, two seeds and two draws, at any shift of the jobs', () => {
    const line = (seed: number, stage: number, draw: number) =>
      Array.from({ length: 20_000 }, (_, job) => uniform(seed, stage, job, draw))
    const first = line(1, A, 0)
    for (const other of [line(1, B, 0), line(2, A, 0), line(1, A, 1), line(1, A + 1, 0)]) {
      for (const shift of [0, 1, 2, 100])
        expect(Math.abs(correlation(first.slice(shift), other.slice(0, 20_000 - shift)))).toBeLessThan(
          4.5 / Math.sqrt(20_000),
        )
    }
  })

  test('is pinned: a change here would change every shared scenario', () => {
    expect([A, B, randomKey('source')]).toEqual([-312625020, 1005044131, 1891199701])
    expect([uniform(1, A, 0, 0), uniform(1, A, 1, 0), uniform(4294967295, B, 999_999, 3)]).toEqual([
      0.6871615215972563, 0.03772222086219068, 0.9077989520736961,
    ])
  })
})
