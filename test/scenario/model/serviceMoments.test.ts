import { expect, test } from 'vitest'
import { serviceMean, serviceVariance } from '../../../src/scenario/model/distributions.ts'
import type { Service } from '../../../src/scenario/model/scenario.ts'
import { createServices } from '../../../src/workload/service.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const DRAWS = 200_000

const kinds: readonly (readonly [string, Service])[] = [
  ['constant', { kind: 'constant', mean: 700 }],
  ['uniform', { kind: 'uniform', min: 3, max: 8 }],
  ['exponential', { kind: 'exponential', mean: 900 }],
  ['erlang', { kind: 'erlang', mean: 900, k: 5 }],
  ['lognormal', { kind: 'lognormal', mean: 5000, cv: 0.8 }],
  ['pareto', { kind: 'pareto', mean: 5000, alpha: 9 }],
  ['bimodal', { kind: 'bimodal', fast: 100, slow: 2000, pSlow: 0.2 }],
  ['empirical', { kind: 'empirical', values: [5, 5, 80, 200] }],
]

test.each(kinds)('mean and variance of %s services are those of 200,000 draws, within 3%', (_, service) => {
  const services = createServices(scenarioWith({ stages: [{ id: 'A', service }], workers: 1 }))
  let sum = 0
  let squares = 0
  for (let job = 0; job < DRAWS; job++) {
    const apart = services.at(0, job) - serviceMean(service)
    sum += apart
    squares += apart * apart
  }
  expect(Math.abs(sum / DRAWS)).toBeLessThanOrEqual(0.01 * serviceMean(service))
  const variance = serviceVariance(service)
  expect(Math.abs(squares / DRAWS - variance)).toBeLessThanOrEqual(0.03 * variance)
})

test('a pareto distribution of alpha 2 or less has no variance', () => {
  expect(serviceVariance({ kind: 'pareto', mean: 100, alpha: 2 })).toBe(Number.POSITIVE_INFINITY)
})
