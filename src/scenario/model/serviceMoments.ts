import type { Service } from './scenario.ts'
import { serviceMean } from './serviceMean.ts'

/**
 * Returns the variance of a declared service time in square microseconds; Infinity for `pareto` up to alpha 2.
 * Draws are rounded to whole microseconds, which matters only for means of a few of them.
 */
export function serviceVariance(service: Service): number {
  switch (service.kind) {
    case 'constant':
      return 0
    case 'uniform': {
      // Of n whole numbers in a row: (n^2 - 1) / 12.
      const n = service.max - service.min + 1
      return (n * n - 1) / 12
    }
    case 'exponential':
      return service.mean * service.mean
    case 'erlang':
      return (service.mean * service.mean) / service.k
    case 'lognormal':
      return service.mean * service.mean * service.cv * service.cv
    case 'pareto':
      // least^2 alpha / ((alpha - 1)^2 (alpha - 2)), with least = mean (alpha - 1) / alpha.
      return service.alpha > 2 ? (service.mean * service.mean) / (service.alpha * (service.alpha - 2)) : Infinity
    case 'bimodal': {
      const apart = service.slow - service.fast
      return service.pSlow * (1 - service.pSlow) * apart * apart
    }
    case 'empirical': {
      const mean = serviceMean(service)
      return service.values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / service.values.length
    }
  }
}
