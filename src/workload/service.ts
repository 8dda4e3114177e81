import { firstWhole } from '../scenario/model/halving.ts'
import { MAX_JOBS, MAX_WORKERS } from '../scenario/model/limits.ts'
import type { Micros, Scenario, Service } from '../scenario/model/scenario.ts'
import { exponentialDraw, type Sampler, samplerOf, whole } from './laws.ts'
import { createRandom, drawKeys, drawWith, type RandomDraw, randomKey } from './random.ts'

export interface Services {
  /** Returns the service time of a job at a stage (by number): always the same, in whole microseconds, at least 1. */
  at(stage: number, job: number): Micros
}

/** Returns the service times of jobs, in any order. All but `erlang` are pickByWeight by inversion: after an edit of a mean the same jobs are the long ones. */
export function createServices(scenario: Pick<Scenario, 'seed' | 'stages'>): Services {
  const samplers = scenario.stages.map((stage) => {
    const random = createRandom(scenario.seed, randomKey(stage.id))
    const first = samplerOf(stage.service, random)
    return stage.changes.length === 0 ? first : samplerWithChanges(first, stage.changes, random)
  })
  // Constants and exponentials are frequent, so they need no sampler. 0 means another distribution.
  const meansOf = (kind: 'constant' | 'exponential') =>
    Float64Array.from(scenario.stages, ({ service, changes }) =>
      service.kind === kind && changes.length === 0 ? service.mean : 0,
    )
  const constants = meansOf('constant').map((mean) => (mean > 0 ? whole(mean) : 0))
  const exponentials = meansOf('exponential')
  const keys = scenario.stages.map(({ id }) => drawKeys(scenario.seed, randomKey(id)))
  return {
    at(stage, job) {
      const mean = exponentials[stage]
      if (mean > 0) return exponentialDraw(mean, drawWith(keys[stage], job, 0))
      const constant = constants[stage]
      return constant > 0 ? constant : samplers[stage](job)
    },
  }
}

/** Returns what queues order jobs by: under `priority` the class, elsewhere the service time, by default that of the workload. */
export function sizesOf(
  scenario: Scenario,
  serviceOf: Services['at'] = createServices(scenario).at,
): (stage: number, job: number) => number {
  const { stages } = scenario
  if (stages.every(({ discipline }) => discipline !== 'priority')) return serviceOf
  const classOf = classingOf(scenario)
  return (stage, job) => (stages[stage].discipline === 'priority' ? classOf(job) : serviceOf(stage, job))
}

/** Returns the class of each job, from 0, the most urgent: by (seed, job), in proportion to the weights. All are of class 0 where the source has none. */
export function classingOf({ seed, source }: Pick<Scenario, 'seed' | 'source'>): (job: number) => number {
  const { classes } = source
  if (classes === undefined) return () => 0
  // No stage has this id.
  const random = createRandom(seed, randomKey('source class'))
  const total = sum(classes)
  return (job) => pickByWeight(classes, random(job, 0) * total)
}

/** Returns the index of the weight that contains a point, with the weights laid end to end from 0. */
function pickByWeight(weights: readonly number[], point: number): number {
  let left = point
  for (let k = 0; k < weights.length - 1; k++) {
    left -= weights[k]
    if (left < 0) return k
  }
  return weights.length - 1
}

/** Returns how long the nth start-up of a worker, from 0, lasts at a stage: by (seed, stage, worker, n), whatever happened before. */
export function startUpsOf({
  seed,
  stages,
}: Pick<Scenario, 'seed' | 'stages'>): (stage: number, worker: number, nth: number) => Micros {
  // Stage ids contain no space, so this key is unique.
  const samplers = stages.map(({ id, startUp }) =>
    startUp === null ? () => 0 : samplerOf(startUp, createRandom(seed, randomKey(`${id} start-up`))),
  )
  return (stage, worker, nth) => samplers[stage](nth * MAX_WORKERS + worker)
}

/** Returns how long a client waits for the first start of a job at its nth try, from 0, before it gives up: by (seed, job, n). */
export function patienceOf({ seed, source }: Pick<Scenario, 'seed' | 'source'>): (job: number, nth: number) => Micros {
  // No stage has this id.
  const sampler =
    source.retry === undefined
      ? () => 0
      : samplerOf(source.retry.after, createRandom(seed, randomKey('source patience')))
  return (job, nth) => sampler(nth * MAX_JOBS + job)
}

/** Returns where a worker that steals begins to search: a share of the workers, by (seed, worker, time). */
export function victimsOf({ seed }: Pick<Scenario, 'seed'>): (worker: number, time: Micros) => number {
  // No stage has this id.
  return createRandom(seed, randomKey('stolen jobs'))
}

/** Returns a sampler that uses the last change at or before the job. `changes` ascend by `from`. */
function samplerWithChanges(
  first: Sampler,
  changes: readonly { readonly from: number; readonly service: Service }[],
  random: RandomDraw,
): Sampler {
  const firstJobs = Float64Array.from(changes, ({ from }) => from)
  const samplers = [first, ...changes.map(({ service }) => samplerOf(service, random))]
  return (job) => samplers[firstWhole(0, firstJobs.length, (k) => firstJobs[k] > job)](job)
}

/** Returns a function that tells which stage a job goes to from a stage that routes, by number: by (seed, stage, job), in proportion to the weights. */
export function routingOf({ seed, stages }: Pick<Scenario, 'seed' | 'stages'>): (stage: number, job: number) => number {
  const routes = stages.map(({ id, fanOut }) => {
    if (fanOut === 'copy') return null
    const ways = stages.flatMap((stage, to) =>
      Object.hasOwn(fanOut.route, stage.id) ? [{ to, weight: fanOut.route[stage.id] }] : [],
    )
    // Stage ids contain no space, so this key is unique.
    const weights = ways.map(({ weight }) => weight)
    return {
      ways: ways.map(({ to }) => to),
      weights,
      total: sum(weights),
      random: createRandom(seed, randomKey(`${id} routes`)),
    }
  })
  return (stage, job) => {
    const route = routes[stage]
    if (route === null) throw new RangeError(`stage ${stage} routes nothing`)
    return route.ways[pickByWeight(route.weights, route.random(job, 0) * route.total)]
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
