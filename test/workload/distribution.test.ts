import { describe, expect, test } from 'vitest'
import type { Service } from '../../src/scenario/model/scenario.ts'
import { densityAt, isCurve } from '../../src/workload/density.ts'
import { quantileOf, shapeOf } from '../../src/workload/laws.ts'
import { createServices } from '../../src/workload/service.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

const DRAWS = 50_000

const curves: readonly (readonly [string, Service])[] = (
  [
    { kind: 'uniform', min: 20_000, max: 50_000 },
    { kind: 'exponential', mean: 90_000 },
    { kind: 'erlang', mean: 90_000, k: 1 },
    { kind: 'erlang', mean: 90_000, k: 5 },
    { kind: 'erlang', mean: 90_000, k: 100 },
    { kind: 'lognormal', mean: 50_000, cv: 0.3 },
    { kind: 'lognormal', mean: 50_000, cv: 2 },
    { kind: 'pareto', mean: 50_000, alpha: 9 },
    { kind: 'pareto', mean: 50_000, alpha: 1.3 },
  ] satisfies Service[]
).map((service) => [JSON.stringify(service), service] as const)

const others: readonly (readonly [string, Service])[] = (
  [
    { kind: 'constant', mean: 700 },
    { kind: 'bimodal', fast: 100, slow: 2000, pSlow: 0.2 },
    { kind: 'empirical', values: [5, 80, 5, 200, 9] },
  ] satisfies Service[]
).map((service) => [JSON.stringify(service), service] as const)

function draws(service: Service): Float64Array {
  const services = createServices(scenarioWith({ stages: [{ id: 'A', service }], workers: 1 }))
  return Float64Array.from({ length: DRAWS }, (_, job) => services.at(0, job)).sort()
}

/** The area below f from a to b, in steps that grow with x. */
function area(f: (x: number) => number, a: number, b: number, steps = 20_000): number {
  const ratio = (b / a) ** (1 / steps)
  let sum = 0
  for (let k = 0, x = a; k < steps; k++, x *= ratio) {
    const next = x * ratio
    const middle = (x + next) / 2
    sum += ((f(x) + 4 * f(middle) + f(next)) / 6) * (next - x)
  }
  return sum
}

/** The range that contains nearly all of it, without jumps. */
function reach(service: Service): [number, number] {
  const shape = shapeOf(service)
  const jumps = isCurve(shape) ? shape.jumps : undefined
  if (isCurve(shape) && jumps === 'both') return [shape.from, shape.to - 1e-3]
  const least = jumps === 'first' ? quantileOf(service, 1e-12) : Math.max(1e-3, quantileOf(service, 1e-9) / 10)
  return [least, quantileOf(service, 0.999_999_999_999)]
}

describe('the density of a service time', () => {
  test.each(curves)(
    '%s foretells in which of twenty stretches 50,000 draws lie, each within five standard deviations',
    (_, service) => {
      const density = densityAt(service)
      if (density === null) throw new Error('it has no density')
      const drawn = draws(service)
      const [from, to] = reach(service)
      for (let k = 0; k < 20; k++) {
        // Edges between whole microseconds, which is what draws are rounded to.
        const edge = (share: number) => Math.round(quantileOf(service, Math.min(0.999, Math.max(0.0005, share)))) + 0.5
        const [a, b] = [Math.max(from, edge(k / 20)), Math.min(to, edge((k + 1) / 20))]
        const expected = area(density, a, b, 2000) * DRAWS
        const found = drawn.reduce((sum, x) => sum + Number(x > a && x <= b), 0)
        expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected) + 2)
      }
    },
  )

  test.each(others)('%s has none', (_, service) => {
    expect(densityAt(service)).toBeNull()
  })
})
