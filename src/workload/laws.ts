import type { DistributionKind } from '../scenario/model/distributions.ts'
import { halved } from '../scenario/model/halving.ts'
import type { Micros, Service } from '../scenario/model/scenario.ts'
import { exp, log, normalQuantile, power, twoTo } from './elementary.ts'
import type { RandomDraw } from './random.ts'

export type Sampler = (job: number) => Micros

export interface DensityCurve {
  /** The logarithm of the density at x is logShape(x) + logConstant, which makes the area 1. */
  readonly logShape: (x: Micros) => number
  readonly logConstant: number
  /** The least value, and about the 99th percentile. */
  readonly from: Micros
  readonly to: Micros
  /** Where the density jumps from 0 to a height, or back: at the least value, or at both ends. */
  readonly jumps?: 'first' | 'both'
}

/** Some values, each with a weight in proportion to its probability. */
export type Masses = readonly (readonly [x: Micros, weight: number])[]

/** How a distribution is drawn, and its shape. Everything else is in scenario/model/distributions.ts. */
interface Law<S> {
  /** Draws by inversion: a greater random number is a longer service. Whole microseconds, at least 1. */
  readonly sampler: (service: S, random: RandomDraw) => Sampler
  /** The time below which a share `p` of the services lies; 0 < p < 1. */
  readonly quantile: (service: S, p: number) => Micros
  /** The density of a continuous distribution, or the values of a discrete one. */
  readonly shape: (service: S) => DensityCurve | Masses
}

const laws: { readonly [K in DistributionKind]: Law<Extract<Service, { readonly kind: K }>> } = {
  constant: {
    sampler({ mean }) {
      const time = whole(mean)
      return () => time
    },
    quantile: ({ mean }) => mean,
    shape: ({ mean }) => [[mean, 1]],
  },
  uniform: {
    // Every whole number from min to max is equally likely. Rounding would give the ends half their share.
    sampler:
      ({ min, max }, random) =>
      (job) =>
        Math.max(1, min + Math.floor(random(job, 0) * (max - min + 1))),
    quantile: ({ min, max }, p) => min + p * (max - min),
    shape: ({ min, max }) =>
      min === max ? [[min, 1]] : { logShape: () => 0, logConstant: -log(max - min), from: min, to: max, jumps: 'both' },
  },
  exponential: {
    sampler:
      ({ mean }, random) =>
      (job) =>
        exponentialDraw(mean, random(job, 0)),
    quantile: ({ mean }, p) => -mean * log(1 - p),
    shape: ({ mean }) => ({ logShape: (x) => -x / mean, logConstant: -log(mean), from: 0, to: mean * 4.6 }),
  },
  erlang: {
    /** The sum of k exponential phases. One logarithm is taken of their product, before it leaves the range of a double. */
    sampler({ mean, k }, random) {
      const smallest = twoTo(-900)
      return (job) => {
        let product = 1
        let logs = 0
        for (let phase = 0; phase < k; phase++) {
          product *= random(job, phase)
          if (product < smallest) {
            logs += log(product)
            product = 1
          }
        }
        return whole((-mean / k) * (logs + log(product)))
      }
    },
    quantile: ({ mean, k }, p) => (mean / k) * erlangQuantile(k, p),
    shape({ mean, k }) {
      const logShape = (x: number) => (k === 1 ? 0 : (k - 1) * log(x)) - (k * x) / mean
      // (k / mean)^k / (k - 1)!
      let logConstant = k * log(k / mean)
      for (let i = 2; i < k; i++) logConstant -= log(i)
      return { logShape, logConstant, from: 0, to: mean * (1 + 3.6 / Math.sqrt(k)) }
    },
  },
  /** With ln X normal: variance of ln X = ln(1 + cv^2), median of X = mean / sqrt(1 + cv^2). */
  lognormal: {
    sampler({ mean, cv }, random) {
      const spread = 1 + cv * cv
      const median = mean / Math.sqrt(spread)
      const deviation = Math.sqrt(log(spread))
      return (job) => whole(median * exp(deviation * normalQuantile(random(job, 0))))
    },
    quantile({ mean, cv }, p) {
      const spread = 1 + cv * cv
      return (mean / Math.sqrt(spread)) * exp(Math.sqrt(log(spread)) * normalQuantile(p))
    },
    shape({ mean, cv }) {
      if (cv === 0) return [[mean, 1]]
      const variance = log(1 + cv * cv)
      const middle = log(mean) - variance / 2
      const logShape = (x: number) => -log(x) - ((log(x) - middle) * (log(x) - middle)) / (2 * variance)
      const deviation = Math.sqrt(variance)
      return {
        logShape,
        logConstant: -log(deviation * ROOT_OF_TWO_PI),
        from: 0,
        to: exp(middle + deviation * normalQuantile(0.99)),
      }
    },
  },
  pareto: {
    sampler(service, random) {
      const { alpha } = service
      const least = leastOfPareto(service)
      return (job) => whole(least * power(1 - random(job, 0), -1 / alpha))
    },
    quantile: (service, p) => leastOfPareto(service) * power(1 - p, -1 / service.alpha),
    shape(service) {
      const { alpha } = service
      const from = leastOfPareto(service)
      const logConstant = log(alpha) + alpha * log(from)
      return {
        logShape: (x) => -(alpha + 1) * log(x),
        logConstant,
        from,
        to: from * exp(log(100) / alpha),
        jumps: 'first',
      }
    },
  },
  bimodal: {
    sampler(service, random) {
      const fast = whole(service.fast)
      const slow = whole(service.slow)
      const pFast = 1 - service.pSlow
      return (job) => (random(job, 0) < pFast ? fast : slow)
    },
    quantile({ fast, slow, pSlow }, p) {
      const [low, high, pLow] = fast <= slow ? [fast, slow, 1 - pSlow] : [slow, fast, pSlow]
      return p <= pLow ? low : high
    },
    shape: ({ fast, slow, pSlow }) => [
      [fast, 1 - pSlow],
      [slow, pSlow],
    ],
  },
  empirical: {
    sampler(service, random) {
      const values = Float64Array.from(service.values, whole)
      return (job) => values[Math.floor(random(job, 0) * values.length)]
    },
    quantile({ values }, p) {
      const sorted = Float64Array.from(values).sort()
      return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]
    },
    shape: ({ values }) => values.map((value) => [value, 1] as const),
  },
}

const ROOT_OF_TWO_PI = 2.5066282746310002

function lawOf({ kind }: Service): Law<Service> {
  return laws[kind] as unknown as Law<Service>
}

export function samplerOf(service: Service, random: RandomDraw): Sampler {
  return lawOf(service).sampler(service, random)
}

/** Returns the time below which a share `p` of the services lies; 0 < p < 1. */
export function quantileOf(service: Service, p: number): Micros {
  return lawOf(service).quantile(service, p)
}

/** Returns the curve of a continuous distribution, or the values of a discrete one. */
export function shapeOf(service: Service): DensityCurve | Masses {
  return lawOf(service).shape(service)
}

/** Rounds, and returns at least 1. Takes half the time of Math.max and Math.round. */
export const whole = (x: number): Micros => (x < 1.5 ? 1 : Math.floor(x + 0.5))

export const exponentialDraw = (mean: number, u: number): Micros => whole(-mean * log(1 - u))

/** Returns the least value of a Pareto distribution with this mean: mean = least x alpha / (alpha - 1), for alpha > 1. */
function leastOfPareto({ mean, alpha }: { readonly mean: number; readonly alpha: number }): number {
  return (mean * (alpha - 1)) / alpha
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
