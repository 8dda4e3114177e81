import { firstWhole } from '../scenario/model/halving.ts'
import type { Micros, Scenario, Service } from '../scenario/model/scenario.ts'
import { exp, log, power, twoTo } from './elementary.ts'
import { normalQuantile } from './normal.ts'
import { createRandom, drawKeys, drawWith, type RandomDraw, randomKey } from './random.ts'

export interface Services {
  /** Returns what a job costs at a stage (by number): always the same, in whole microseconds, at least 1. */
  at(stage: number, job: number): Micros
}

/**
 * Returns what every job costs at every stage. The simulation books it and burning threads burn it, in any order. All distributions but
 * `erlang` are drawn by inversion: a greater draw is a longer service, so after an edit of a mean the same jobs are the long ones.
 */
export function createServices(scenario: Pick<Scenario, 'seed' | 'stages'>): Services {
  const samplers = scenario.stages.map((stage) => {
    const random = createRandom(scenario.seed, randomKey(stage.id))
    const first = samplerOf(stage.service, random)
    return stage.changes.length === 0 ? first : changing(first, stage.changes, random)
  })
  // Constants and exponentials are frequent, so they need no sampler. 0 means another distribution.
  const meansOf = (kind: 'constant' | 'exponential') =>
    Float64Array.from(scenario.stages, ({ service, changes }) => (service.kind === kind && changes.length === 0 ? service.mean : 0))
  const constants = meansOf('constant').map((mean) => (mean > 0 ? whole(mean) : 0))
  const exponentials = meansOf('exponential')
  const keys = scenario.stages.map(({ id }) => drawKeys(scenario.seed, randomKey(id)))
  return {
    at(stage, job) {
      const mean = exponentials[stage]
      if (mean > 0) return exponential(mean, drawWith(keys[stage], job, 0))
      const constant = constants[stage]
      return constant > 0 ? constant : samplers[stage](job)
    },
  }
}

type Sampler = (job: number) => Micros

/** Rounds, and returns at least 1. Takes half the time of Math.max and Math.round. */
const whole = (x: number): Micros => (x < 1.5 ? 1 : Math.floor(x + 0.5))

const exponential = (mean: number, u: number): Micros => whole(-mean * log(1 - u))

function samplerOf(service: Service, random: RandomDraw): Sampler {
  switch (service.kind) {
    case 'constant': {
      const mean = whole(service.mean)
      return () => mean
    }
    case 'uniform': {
      // Every whole number from min to max is equally likely. Rounding would give the ends half their share.
      const { min, max } = service
      return (job) => Math.max(1, min + Math.floor(random(job, 0) * (max - min + 1)))
    }
    case 'exponential': {
      const { mean } = service
      return (job) => exponential(mean, random(job, 0))
    }
    case 'erlang':
      return erlang(service.mean, service.k, random)
    case 'lognormal': {
      // With ln X normal: variance of ln X = ln(1 + cv^2), median of X = mean / sqrt(1 + cv^2).
      const spread = 1 + service.cv * service.cv
      const median = service.mean / Math.sqrt(spread)
      const deviation = Math.sqrt(log(spread))
      return (job) => whole(median * exp(deviation * normalQuantile(random(job, 0))))
    }
    case 'pareto': {
      const { alpha } = service
      const least = leastOfPareto(service)
      return (job) => whole(least * power(1 - random(job, 0), -1 / alpha))
    }
    case 'bimodal': {
      const fast = whole(service.fast)
      const slow = whole(service.slow)
      const pFast = 1 - service.pSlow
      return (job) => (random(job, 0) < pFast ? fast : slow)
    }
    case 'empirical': {
      const values = Float64Array.from(service.values, whole)
      return (job) => values[Math.floor(random(job, 0) * values.length)]
    }
  }
}

/** Returns the least value of a Pareto distribution with this mean: mean = least x alpha / (alpha - 1), for alpha > 1. */
export function leastOfPareto({ mean, alpha }: { readonly mean: number; readonly alpha: number }): number {
  return (mean * (alpha - 1)) / alpha
}

/** The sum of k exponential phases. One logarithm is taken of their product, before it leaves the range of a double. */
function erlang(mean: number, k: number, random: RandomDraw): Sampler {
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
}

/** `changes` ascend by `from`. The last one at or before the job holds. */
function changing(first: Sampler, changes: readonly { readonly from: number; readonly service: Service }[], random: RandomDraw): Sampler {
  const froms = Float64Array.from(changes, ({ from }) => from)
  const samplers = [first, ...changes.map(({ service }) => samplerOf(service, random))]
  return (job) => samplers[firstWhole(0, froms.length, (k) => froms[k] > job)](job)
}
