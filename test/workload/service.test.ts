import { describe, expect, test } from 'vitest'
import { stageDefaults } from '../../src/scenario/model/defaults.ts'
import { serviceMean, serviceVariance } from '../../src/scenario/model/distributions.ts'
import type { Service, Stage } from '../../src/scenario/model/scenario.ts'
import { createServices } from '../../src/workload/service.ts'

const stage = (id: string, service: Service, changes: Stage['changes'] = []): Stage => ({
  ...stageDefaults,
  id,
  name: id,
  service,
  changes,
})
const servicesOf = (stages: readonly Stage[], seed = 1) => createServices({ seed, stages })

const N = 200_000
function samples(service: Service, seed = 1): number[] {
  const services = servicesOf([stage('A', service)], seed)
  return Array.from({ length: N }, (_, job) => services.at(0, job))
}

const meanOf = (xs: readonly number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length
function deviationOf(xs: readonly number[]): number {
  const mean = meanOf(xs)
  return Math.sqrt(meanOf(xs.map((x) => (x - mean) ** 2)))
}

/** Plain formulas for the mean and the deviation of each kind. Densities and quantiles are in distribution.test.ts. */
const kinds: { service: Service; mean: number; deviation: number }[] = [
  { service: { kind: 'constant', mean: 1234 }, mean: 1234, deviation: 0 },
  { service: { kind: 'uniform', min: 1000, max: 9000 }, mean: 5000, deviation: 8000 / Math.sqrt(12) },
  { service: { kind: 'exponential', mean: 100_000 }, mean: 100_000, deviation: 100_000 },
  { service: { kind: 'erlang', mean: 90_000, k: 3 }, mean: 90_000, deviation: 90_000 / Math.sqrt(3) },
  { service: { kind: 'erlang', mean: 90_000, k: 100 }, mean: 90_000, deviation: 9_000 },
  { service: { kind: 'lognormal', mean: 50_000, cv: 0.5 }, mean: 50_000, deviation: 25_000 },
  { service: { kind: 'pareto', mean: 50_000, alpha: 5 }, mean: 50_000, deviation: 50_000 / Math.sqrt(15) },
  {
    service: { kind: 'bimodal', fast: 1000, slow: 9000, pSlow: 0.25 },
    mean: 3000,
    deviation: 8000 * Math.sqrt(0.25 * 0.75),
  },
  { service: { kind: 'empirical', values: [10, 20, 60, 110] }, mean: 50, deviation: Math.sqrt(1550) },
]

test.each(kinds.map((kind) => [JSON.stringify(kind.service), kind] as const))(
  '%s has the mean and the deviation that it declares',
  (_, { service, mean, deviation }) => {
    const xs = samples(service)
    expect(Math.abs(meanOf(xs) - mean)).toBeLessThanOrEqual(4.5 * (deviation / Math.sqrt(N)) + 1e-9)
    expect(Math.abs(deviationOf(xs) - deviation)).toBeLessThanOrEqual(0.03 * deviation)
    expect(serviceMean(service)).toBe(mean)
    expect(Math.abs(Math.sqrt(serviceVariance(service)) - deviation)).toBeLessThanOrEqual(0.001 * deviation)
  },
)

test('a pareto distribution of alpha 2 or less has no variance', () => {
  expect(serviceVariance({ kind: 'pareto', mean: 100, alpha: 2 })).toBe(Number.POSITIVE_INFINITY)
})

describe('services', () => {
  test('of a stage stay the same when other stages are added, removed or moved', () => {
    const a = stage('A', { kind: 'exponential', mean: 1000 })
    const b = stage('B', { kind: 'lognormal', mean: 1000, cv: 2 })
    const alone = servicesOf([b])
    const behind = servicesOf([a, b])
    const before = servicesOf([b, a])
    for (let job = 0; job < 100; job++) {
      expect(behind.at(1, job)).toBe(alone.at(0, job))
      expect(before.at(0, job)).toBe(alone.at(0, job))
    }
  })

  test('follow each change of a stage from its job on', () => {
    const constant = (mean: number): Service => ({ kind: 'constant', mean })
    const services = servicesOf([
      stage('A', constant(5), [
        { from: 3, service: constant(50) },
        { from: 4, service: constant(7) },
        { from: 10, service: { kind: 'uniform', min: 100, max: 200 } },
      ]),
    ])
    expect(Array.from({ length: 10 }, (_, job) => services.at(0, job))).toEqual([5, 5, 5, 50, 7, 7, 7, 7, 7, 7])
    expect(services.at(0, 10)).toBeGreaterThanOrEqual(100)
    expect(services.at(0, 1e6)).toBeLessThanOrEqual(200)
  })

  test('are pinned: a change here would change every shared scenario', () => {
    const pinned = kinds.map(({ service }) => {
      const services = servicesOf([stage('A', service)])
      return `${service.kind} ${[0, 1, 2, 3, 999_999].map((job) => services.at(0, job)).join(' ')}`
    })
    expect(pinned).toEqual([
      'constant 1234 1234 1234 1234 1234',
      'uniform 6497 1301 1158 3687 2933',
      'exponential 116207 3845 1996 40924 27664',
      'erlang 19999 109437 139984 61460 129683',
      'erlang 87397 88897 88349 87000 88285',
      'lognormal 56311 19311 16911 36607 32116',
      'pareto 50466 40309 40160 43412 42276',
      'bimodal 1000 1000 1000 1000 1000',
      'empirical 60 10 10 20 10',
    ])
  })
})
