import { range, sum } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { greatest, type Steps } from '../../../measures/series/steps.ts'
import { chartOf, playTrial, sampledMeans, type TrialOptions } from '../../../runs/play/play.ts'
import { hasGains, isElastic } from '../../../scenario/model/defaults.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { MAX_GAIN } from '../../../scenario/model/elasticPolicies.ts'
import type { GainPolicy, Micros, Policy, Scenario, Source } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { endOf } from '../../../trace/trace.ts'
import { createArrivals } from '../../../workload/arrivals.ts'
import { type Gains, type Oscillation, oscillationOf } from '../measure/tuning.ts'

/** A scenario whose pools are controlled by PID controllers, plain or adaptive. */
export type PidScenario = Scenario & { readonly policy: Policy & GainPolicy }

/** The limits of one trial, so that it takes only a moment. A longer scenario is cut to its first jobs. */
const MAX_SERVICES = 40_000
const MAX_TICKS = 20_000

export const isPid = (scenario: Scenario): scenario is PidScenario => hasGains(scenario.policy)

/** Returns the scenario with these gains for the whole run. */
export function withGains(scenario: PidScenario, gains: Gains): PidScenario {
  return { ...scenario, policy: { ...scenario.policy, ...gains }, later: withoutKey(scenario.later, 'policy') }
}

/** The scenario that the search plays, cut to its first jobs if it is long. */
export interface Bounded {
  readonly scenario: PidScenario
  readonly jobs: number
  readonly of: number
  /** When the first and the last of the jobs arrive. */
  readonly from: Micros
  readonly to: Micros
}

/** Returns the first jobs of a scenario with unchanged service times; of groups it takes the same share of each. */
export function bounded(scenario: PidScenario): Bounded {
  const { source, stages, policy } = scenario
  const maxJobs = Math.floor(MAX_SERVICES / stages.length)
  const arrivals = createArrivals(scenario)
  let jobs = 0
  let from = 0
  let to = 0
  for (let time = arrivals.next(); time >= 0; time = arrivals.next()) {
    if (jobs >= maxJobs || time - from > MAX_TICKS * policy.every) {
      const cut = { ...scenario, source: firstOf(source, jobs) }
      return { scenario: cut, jobs: countJobs(cut.source), of: countJobs(source), from, to }
    }
    if (jobs === 0) from = time
    to = time
    jobs++
  }
  return { scenario, jobs, of: jobs, from, to }
}

function firstOf(source: Source, jobs: number): Source {
  const share = jobs / countJobs(source)
  if (source.kind === 'times') return { ...source, at: source.at.slice(0, jobs) }
  if (source.kind === 'groups') return { ...source, groups: source.groups.map((size) => Math.floor(size * share)) }
  // All tiles and values arrive at once, and take what their stages declare.
  return source.kind === 'image' || source.kind === 'values' ? { kind: 'batch', jobs } : { ...source, jobs }
}

/** How the control loop behaved at one gain. */
type Attempt = Swing & { readonly gain: number }

export type UltimateSearch =
  | { readonly kind: 'found'; readonly ultimate: Attempt }
  | { readonly kind: 'never'; readonly reason: string }

/** Two gains within this ratio count as equal. */
const NEAR = 1.02

/**
 * Returns the ultimate gain of the loop. With ki = kd = 0, kp is doubled until the queue oscillates steadily (see `oscillationOf`); then the step is halved,
 * by ratio, down to 2%. Arrivals and services are held at their means, so that only the loop is seen, and the first third of the time is not measured.
 */
export async function findUltimate(
  asked: Bounded,
  swing: (scenario: Scenario, from: Micros, to: Micros) => Promise<Swing>,
): Promise<UltimateSearch> {
  const { jobs, from, to } = asked
  const { policy } = asked.scenario
  if (jobs < 2 || to <= from)
    return { kind: 'never', reason: t('All jobs come at once: the load cannot be held steady.') }
  const length = to - from
  const steady = steadied(asked.scenario, jobs, length)
  const attempt = async (kp: number): Promise<Attempt> => ({
    ...(await swing(withGains(steady, { kp, ki: 0, kd: 0 }), length / 3, length)),
    gain: kp,
  })
  // From the gain at which all jobs together just hire a worker to the gain at which one job does.
  const scale = Math.max(Math.abs(policy.up), Math.abs(policy.down), 1)
  const maxGain = Math.min(MAX_GAIN, scale * 2)
  const attempts: Attempt[] = []
  const minGain = Math.max(1e-6, Math.min(scale, Math.abs(policy.up) || 1) / jobs)
  for (let kp = Math.min(minGain, maxGain); kp <= maxGain; kp *= 2) {
    let found = await attempt(kp)
    if (!found.steady) {
      attempts.push(found)
      continue
    }
    let low = attempts.at(-1)?.gain ?? found.gain
    while (found.gain > low * NEAR) {
      const middle = await attempt(Math.sqrt(low * found.gain))
      if (middle.steady) found = middle
      else low = middle.gain
    }
    return { kind: 'found', ultimate: found }
  }
  return { kind: 'never', reason: whyNever(attempts, steady) }
}

function steadied(scenario: PidScenario, jobs: number, length: Micros): PidScenario {
  const source: Source = { kind: 'regular', rate: ((jobs - 1) / length) * 1e6, jobs }
  const stages = scenario.stages.map((stage) => ({
    ...stage,
    service: { kind: 'constant', mean: Math.max(1, Math.round(serviceMean(stage.service))) } as const,
    changes: [],
    fails: null,
  }))
  return { ...scenario, source, stages, workerEvents: [] }
}

function whyNever(attempts: readonly Attempt[], { workers, policy }: PidScenario): string {
  const ceiling = Math.min(workers, policy.max ?? workers)
  const range = [attempts[0], attempts[attempts.length - 1]].map(({ gain }) => gain.toPrecision(2)).join(' – ')
  if (attempts.every(({ workers }) => workers === 0)) return t('No gain of {range} hires a worker.', { range })
  const values = { range, ceiling }
  if (attempts.every(({ workers }) => workers === 0 || workers >= ceiling))
    return t('It never oscillates: with gains of {range} the pool grows to its maximum, {ceiling}.', values)
  return t('It never oscillates steadily with gains of {range}.', { range })
}

/** The gains of a map: columns of kp and rows of ki around the present ones, three per decade; the first row is ki = 0. */
export type GainGrid = { readonly kp: readonly number[]; readonly ki: readonly number[] }

const PER_DECADE = 3
const STEPS = 6
const FARTHEST = 9

/** Returns a grid with the present gains as one cell, six steps either way, or up to nine if `others` need them. */
export function gainGrid({ kp, ki }: Gains, others: readonly Gains[] = []): GainGrid {
  const middle = kp > 0 ? kp : 1
  return { kp: axis('kp', middle, others), ki: [0, ...axis('ki', ki > 0 ? ki : middle / 20, others)] }
}

function axis(gain: keyof Gains, middle: number, others: readonly Gains[]): number[] {
  const steps = others.filter((other) => other[gain] > 0).map((other) => PER_DECADE * Math.log10(other[gain] / middle))
  const low = Math.max(-FARTHEST, Math.floor(Math.min(-STEPS, ...steps)))
  const high = Math.min(FARTHEST, Math.ceil(Math.max(STEPS, ...steps)))
  const values = range(low, high + 1).map((k) => (k === 0 ? middle : roundedGain(middle * 10 ** (k / PER_DECADE))))
  return values.filter((value) => value <= MAX_GAIN)
}

/** Rounds to three digits, as a person would type it. */
export const roundedGain = (gain: number): number => Number(gain.toPrecision(3))

export function tidyGains({ kp, ki, kd }: Gains): Gains {
  const tidy = (gain: number) => Math.min(MAX_GAIN, roundedGain(gain))
  return { kp: tidy(kp), ki: tidy(ki), kd: tidy(kd) }
}

/** Returns the cells in an order that shows the whole map early: every fourth in either direction, then every second, then all. */
export function coarseToFine(columns: number, rows: number): number[] {
  const rank = (i: number) => {
    const [x, y] = [i % columns, Math.floor(i / columns)]
    return x % 4 === 0 && y % 4 === 0 ? 0 : x % 2 === 0 && y % 2 === 0 ? 1 : 2
  }
  return range(columns * rows).sort((a, b) => rank(a) - rank(b))
}

/** How the control loop of one stage behaved. */
export type Swing = Oscillation & { readonly stage: number; readonly workers: number }

/**
 * Plays an elastic scenario and returns the swing of one stage between `from` and `to`: of the stages whose queue swings
 * steadily the widest, or the widest of all if none does.
 */
export async function playSwing(
  scenario: Scenario,
  from: Micros,
  to: Micros,
  options: TrialOptions = {},
): Promise<Swing> {
  const { policy } = scenario
  const chart = chartOf(await playTrial(scenario, options))
  const every = isElastic(policy) ? policy.every : 1
  const swings = chart.queues.map((queue, stage) => ({
    ...oscillationOf(queue, from, to, every),
    stage,
    workers: greatest(chart.seats[stage]),
  }))
  const width = ({ steady, most, least }: Swing) => (steady ? 1e15 : 0) + most - least
  return swings.reduce((widest, swing) => (width(swing) > width(widest) ? swing : widest))
}

/** Plays a scenario and returns queue and workers of all stages together, as means over `samples` equal intervals from time 0 on. */
export async function playTrajectory(scenario: Scenario, samples: number, options: TrialOptions = {}) {
  const trace = await playTrial(scenario, options)
  const { queues, seats } = chartOf(trace)
  const every = Math.max(1, endOf(trace) / samples)
  const together = (all: readonly Steps[]) => {
    const means = all.map((steps) => sampledMeans(steps, samples * every, samples))
    return range(samples).map((k) => sum(means, (stage) => stage[k]))
  }
  return { every, queue: together(queues), workers: together(seats) }
}
