import type { Micros, Scenario, Service } from './scenario.ts'

/** The declared mean of a service time, in microseconds, not rounded. For `pareto` the mean itself is declared; its least value is mean x (alpha - 1) / alpha. */
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

/** What each stage declares, in listing order: the mean of its service time as the run begins. */
export function declaredMeans(scenario: Scenario): number[] {
  return scenario.stages.map(({ service }) => serviceMean(service))
}

/** The same distribution, every time of it `factor` times as long, in whole microseconds and 1 at least. */
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
 * About the greatest draw of a service time: exact for the bounded kinds, the mean and 40 standard deviations for the
 * kinds without bound, 1,000 means where there is no standard deviation to speak of (pareto). For rough bounds only.
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
