import type { Micros, Scenario, Service } from './scenario.ts'

type Kind = Service['kind']

/** What is known of a distribution without drawing from it. */
interface Law<S> {
  /** In microseconds, not rounded. */
  readonly mean: (service: S) => Micros
  /** In square microseconds. Draws are rounded to whole microseconds, which matters only for means of a few of them. */
  readonly variance: (service: S) => number
  /** About the greatest draw: exact for bounded kinds, else the mean plus 40 standard deviations. For rough bounds only. */
  readonly greatest: (service: S) => Micros
}

const declared = ({ mean }: { readonly mean: Micros }) => mean

const laws: { readonly [K in Kind]: Law<Extract<Service, { readonly kind: K }>> } = {
  constant: { mean: declared, variance: () => 0, greatest: declared },
  uniform: {
    mean: ({ min, max }) => (min + max) / 2,
    // Of n whole numbers in a row: (n^2 - 1) / 12.
    variance: ({ min, max }) => ((max - min + 1) * (max - min + 1) - 1) / 12,
    greatest: ({ max }) => max,
  },
  exponential: { mean: declared, variance: ({ mean }) => mean * mean, greatest: ({ mean }) => mean * 41 },
  erlang: { mean: declared, variance: ({ mean, k }) => (mean * mean) / k, greatest: ({ mean, k }) => mean * (1 + 40 / Math.sqrt(k)) },
  lognormal: { mean: declared, variance: ({ mean, cv }) => mean * mean * cv * cv, greatest: ({ mean, cv }) => mean * (1 + 40 * cv) },
  pareto: {
    mean: declared,
    // least^2 alpha / ((alpha - 1)^2 (alpha - 2)), with least = mean (alpha - 1) / alpha. Up to alpha 2 there is none.
    variance: ({ mean, alpha }) => (alpha > 2 ? (mean * mean) / (alpha * (alpha - 2)) : Infinity),
    greatest: ({ mean }) => mean * 1000,
  },
  bimodal: {
    mean: ({ fast, slow, pSlow }) => fast + pSlow * (slow - fast),
    variance: ({ fast, slow, pSlow }) => pSlow * (1 - pSlow) * (slow - fast) * (slow - fast),
    greatest: ({ fast, slow }) => Math.max(fast, slow),
  },
  empirical: {
    mean: meanOf,
    variance({ values }) {
      const mean = meanOf({ values })
      return values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / values.length
    },
    greatest: ({ values }) => values.reduce((most, value) => Math.max(most, value), 0),
  },
}

function meanOf({ values }: { readonly values: readonly Micros[] }): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function lawOf({ kind }: Service): Law<Service> {
  return laws[kind] as Law<Service>
}

/** Returns the declared mean of a service time in microseconds, not rounded. */
export function serviceMean(service: Service): Micros {
  return lawOf(service).mean(service)
}

/** Returns the variance of a declared service time; Infinity for `pareto` up to alpha 2. */
export function serviceVariance(service: Service): number {
  return lawOf(service).variance(service)
}

/** Returns about the greatest draw of a service time. */
export function greatestService(service: Service): Micros {
  return lawOf(service).greatest(service)
}

/** Returns the mean that each stage declares at the start, in listing order. */
export function declaredMeans(scenario: Scenario): number[] {
  return scenario.stages.map(({ service }) => serviceMean(service))
}

/** Returns the distribution with every time multiplied by `factor`, in whole microseconds and at least 1. */
export function scaledService(service: Service, factor: number): Service {
  const scaled = (time: Micros) => Math.max(1, Math.round(time * factor))
  switch (service.kind) {
    case 'uniform':
      return { ...service, min: scaled(service.min), max: scaled(service.max) }
    case 'bimodal':
      return { ...service, fast: scaled(service.fast), slow: scaled(service.slow) }
    case 'empirical':
      return { ...service, values: service.values.map(scaled) }
    default:
      return { ...service, mean: scaled(service.mean) }
  }
}
