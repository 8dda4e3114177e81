import { halved } from '../scenario/model/halving.ts'
import type { Micros, Service } from '../scenario/model/scenario.ts'
import { curveOf } from './density.ts'
import { exp, log, power } from './elementary.ts'
import { normalQuantile } from './normal.ts'
import { leastOfPareto } from './service.ts'

/** Returns the declared density per microsecond, 0 outside the distribution; null for a discrete one. Draws are rounded to whole microseconds. */
export function densityAt(service: Service): ((x: Micros) => number) | null {
  const curve = curveOf(service)
  if (curve === null) return null
  const until = service.kind === 'uniform' ? service.max : Infinity
  return (x) => {
    const logDensity = x < curve.from || x > until ? -Infinity : curve.logShape(x) + curve.logConstant
    // Below this the density is 0, and at 0 its logarithm may be NaN.
    return logDensity > -700 ? exp(logDensity) : 0
  }
}

/** Returns the time below which a share `p` of the services lies; 0 < p < 1. */
export function quantileOf(service: Service, p: number): Micros {
  switch (service.kind) {
    case 'constant':
      return service.mean
    case 'uniform':
      return service.min + p * (service.max - service.min)
    case 'exponential':
      return -service.mean * log(1 - p)
    case 'erlang':
      return (service.mean / service.k) * erlangQuantile(service.k, p)
    case 'lognormal': {
      const spread = 1 + service.cv * service.cv
      return (service.mean / Math.sqrt(spread)) * exp(Math.sqrt(log(spread)) * normalQuantile(p))
    }
    case 'pareto':
      return leastOfPareto(service) * power(1 - p, -1 / service.alpha)
    case 'bimodal': {
      const [low, high] = service.fast <= service.slow ? [service.fast, service.slow] : [service.slow, service.fast]
      return p <= (service.fast <= service.slow ? 1 - service.pSlow : service.pSlow) ? low : high
    }
    case 'empirical': {
      const sorted = Float64Array.from(service.values).sort()
      return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]
    }
  }
}

/** Returns the quantile of the sum of k exponential phases of mean 1, by halving: the share above x is the sum of x^i e^-x / i! for i below k. */
function erlangQuantile(k: number, p: number): number {
  const [low, high] = halved(0, k + 40 * Math.sqrt(k) + 40, 60, (x) => 1 - shareAbove(k, x) >= p)
  return (low + high) / 2
}

function shareAbove(k: number, x: number): number {
  let term = -x
  let sum = 0
  for (let i = 0; i < k; i++) {
    if (i > 0) term += log(x / i)
    if (term > -700) sum += exp(term)
  }
  return sum
}
