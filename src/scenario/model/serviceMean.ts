import type { Micros, Scenario, Service } from './scenario.ts'

/** Returns the declared mean of a service time in microseconds, not rounded. For `pareto` the least value is mean x (alpha - 1) / alpha. */
export function serviceMean(service: Service): Micros {
  switch (service.kind) {
    case 'uniform':
      return (service.min + service.max) / 2
    case 'bimodal':
      return service.fast + service.pSlow * (service.slow - service.fast)
    case 'empirical':
      return service.values.reduce((sum, value) => sum + value, 0) / service.values.length
    default:
      return service.mean
  }
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

/**
 * Returns about the greatest draw of a service time: exact for bounded kinds, else the mean plus 40 standard deviations,
 * and 1,000 means for `pareto`, which may have no deviation. For rough bounds only.
 */
export function greatestService(service: Service): Micros {
  switch (service.kind) {
    case 'constant':
      return service.mean
    case 'uniform':
      return service.max
    case 'bimodal':
      return Math.max(service.fast, service.slow)
    case 'empirical':
      return service.values.reduce((most, value) => Math.max(most, value), 0)
    case 'exponential':
      return service.mean * 41
    case 'erlang':
      return service.mean * (1 + 40 / Math.sqrt(service.k))
    case 'lognormal':
      return service.mean * (1 + 40 * service.cv)
    case 'pareto':
      return service.mean * 1000
  }
}
