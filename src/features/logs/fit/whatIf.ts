import { median } from 'd3-array'
import { metricsOf } from '../../../measures/figures/metrics.ts'
import { ARRIVED, FINISHED, rowTime } from '../../../pipeline/rows.ts'
import { MAX_ITEMS, MAX_SEED } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario, Service, Stage } from '../../../scenario/model/scenario.ts'
import type { Trace } from '../../../trace/trace.ts'
import { normalQuantile } from '../../../workload/elementary.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'
import { type Change, withChanges } from './changes.ts'
import { playQueues } from './comparison.ts'

/** How many days like the log a change is played on. */
export const DAYS = 20

/** A fitted scenario that is played on `days` days, with changes that are tried together at `from`. The log ends at `until`. */
export type WhatIf = {
  readonly scenario: Scenario
  readonly changes: readonly Change[]
  /** How jobs arrive on other days; null: as the scenario says, with other random numbers. */
  readonly arrivals: DayArrivals | null
  readonly days: number
} & Readonly<Record<'from' | 'until', Micros>>

/** The results of one day. */
export interface DayResult {
  /** By stage, the longest queue from the time of the change to the end of the log. */
  readonly peaks: readonly number[]
  readonly meanFlowTime: Micros
}

/** The results of a change, or why it cannot be played. */
export type WhatIfAnswer =
  | {
      /** The fitted day with the change, which is the first of the days. */
      readonly scenario: Scenario
      readonly days: readonly DayResult[]
      /** By stage, the share of its workers' time that its jobs need, as a mean over the days; under a policy that shares workers, of all. */
      readonly loads: readonly number[]
    }
  | { readonly problem: string }

/** The results of a change that could be played. */
export type PlayedDays = Exclude<WhatIfAnswer, { readonly problem: string }>

/** The middle, the least and the greatest of some results. */
export type Spread = Readonly<Record<'median' | 'low' | 'high', number>>

/** From this load on, small differences grow to long queues. */
const NEAR_SATURATION = 0.9

/** Plays the days with the changes. Day k has the same random numbers with and without them, so only the changes make a difference. */
export async function playWhatIf(
  { scenario, changes, arrivals, days, from, until }: WhatIf,
  progress: (share: number) => void = () => {},
): Promise<WhatIfAnswer> {
  const results: DayResult[] = []
  const loads = scenario.stages.map(() => 0)
  let first: Scenario | null = null
  for (let k = 0; k < days; k++) {
    const day = otherDay(scenario, arrivals, k)
    const isQuicker = from > 0 && changes.some(({ kind }) => kind === 'quicker')
    const startedJobs = isQuicker
      ? (await playQueues(day, new Float64Array(0), { since: from, until: from })).startedJobs
      : day.stages.map(() => 0)
    const changed = withChanges(day, changes, from, startedJobs)
    if ('problems' in changed) return { problem: changed.problems[0].message }
    const { peaks, trace } = await playQueues(changed.scenario, new Float64Array(0), { since: from, until })
    const { meanFlowTime, workersOverTime } = metricsOf(trace)
    results.push({ peaks, meanFlowTime })
    for (const [s, load] of loadsOf(trace, workersOverTime, from, until).entries()) loads[s] += load / days
    first ??= changed.scenario
    progress((k + 1) / days)
  }
  return { scenario: first ?? scenario, days: results, loads }
}

/** Returns the middle of some results, and their ends. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values) ?? 0, low: Math.min(...values), high: Math.max(...values) }
}

/** Returns the peaks of a stage. */
export const peaksAt = ({ days }: PlayedDays, stage: number): Spread => spreadOf(days.map(({ peaks }) => peaks[stage]))

/** Returns the mean times in the system. */
export const flowTimes = ({ days }: PlayedDays): Spread => spreadOf(days.map(({ meanFlowTime }) => meanFlowTime))

/** Returns on how many days jobs spend less time in the system with a change than without. */
export function betterDays(base: PlayedDays, changed: PlayedDays): number {
  return changed.days.filter(({ meanFlowTime }, k) => meanFlowTime < base.days[k].meanFlowTime).length
}

/** Returns the stage whose queue was the longest, in the middle of the days. */
export function worstStage(played: PlayedDays): number {
  const peaks = played.scenario.stages.map((_, s) => peaksAt(played, s).median)
  return peaks.reduce((worst, peak, s) => (peak > peaks[worst] ? s : worst), 0)
}

/** Returns the stage that is nearest to saturation, if one is near. */
export function nearSaturation({ loads }: PlayedDays): { readonly stage: number; readonly load: number } | null {
  const load = Math.max(...loads)
  return load >= NEAR_SATURATION ? { stage: loads.indexOf(load), load } : null
}

/** Returns by stage the work of the jobs that arrive from `from` to `until`, as a share of its workers' time. */
function loadsOf(trace: Trace, workersOverTime: Steps, from: Micros, until: Micros): number[] {
  const { scenario } = trace
  const work = scenario.stages.map(() => 0)
  let [first, end] = [Infinity, 0]
  for (const chunk of trace.chunks)
    for (let i = 0; i < chunk.length; i++) {
      const [kind, job] = [chunk.kind[i], chunk.job[i]]
      // A job arrives before it is served, and jobs are numbered as they arrive.
      if (kind === FINISHED && job >= first && job < end) work[chunk.stage[i]] += chunk.lasted[i]
      if (kind !== ARRIVED || rowTime(chunk, i) > until) continue
      if (rowTime(chunk, i) >= from) first = Math.min(first, job)
      end = job + 1
    }
  const policies = [{ at: 0, policy: scenario.policy }, ...scenario.later].flatMap(({ at, policy }) =>
    policy === undefined ? [] : [{ at, policy }],
  )
  const holding = policies.filter(({ at }, k) => at < until && (policies[k + 1]?.at ?? Infinity) > from)
  const all = work.reduce((sum, each) => sum + each, 0)
  const shared = all / areaOf(workersOverTime, from, until)
  if (holding.some(({ policy }) => policy.kind !== 'fixed')) return work.map(() => shared)
  const seats = (id: string): Steps =>
    policies.map(({ at, policy }) => [at, policy.kind === 'fixed' ? (policy.allocation[id] ?? 0) : 0])
  return scenario.stages.map(({ id }, s) => work[s] / areaOf(seats(id), from, until))
}

/** Values from each time on. */
type Steps = readonly (readonly [time: Micros, value: number])[]

/** Returns the value times the time from `from` to `until`, at least 1. */
function areaOf(steps: Steps, from: Micros, until: Micros): number {
  const areas = steps.map(
    ([at, value], k) => value * Math.max(0, Math.min(until, steps[k + 1]?.[0] ?? Infinity) - Math.max(from, at)),
  )
  return Math.max(
    1,
    areas.reduce((sum, area) => sum + area, 0),
  )
}

/** How jobs arrive on days like that of a log. */
export interface DayArrivals {
  /** The jobs that are there at time 0. */
  readonly early: number
  /** In jobs per second, from each time on. */
  readonly rates: readonly (readonly [from: Micros, rate: number])[]
  /** The log ends at this time. */
  readonly end: Micros
  /** The variance of the jobs in an interval over their mean: 1 if jobs come independently, more if they come in bursts. */
  readonly dispersion: number
  /** How long a burst lasts. */
  readonly interval: Micros
  /** By stage: its service times without what the logged day took by chance; none: as on that day. */
  readonly services?: readonly Pick<Stage, 'service' | 'changes'>[]
  /** The standard errors that the log leaves, as shares: of the rates, and by stage of its mean service times. None: the means are known. */
  readonly errors?: { readonly rates: readonly number[]; readonly services: readonly (readonly number[])[] }
}

const SECOND = 1e6
/** Two seeds this far apart share no day. */
const STEP = 7919

/** Means err by at most this many standard errors. */
const FARTHEST = 2.5

/**
 * Returns day `k` of a fitted scenario: other arrivals and other service times, with means that differ from those of the log by as much as the
 * log leaves uncertain. Day 0 is the fitted one.
 */
export function otherDay(scenario: Scenario, arrivals: DayArrivals | null, k: number): Scenario {
  if (k === 0) return scenario
  const seed = (scenario.seed + k * STEP) % (MAX_SEED + 1)
  const { source } = scenario
  if (arrivals === null || source.kind !== 'times') return { ...scenario, seed }
  const random = createRandom(seed, randomKey('means'))
  const share = (error = 0, place: number, piece: number) =>
    Math.exp(error * Math.min(FARTHEST, Math.max(-FARTHEST, normalQuantile(random(place, piece)))))
  const at = arrivalTimes(
    {
      ...arrivals,
      rates: arrivals.rates.map(([from, rate], r) => [from, rate * share(arrivals.errors?.rates[r], 0, r)]),
    },
    seed,
  )
  // The service times change at the same time as on the fitted day, so at another job.
  const moved = (from: number) => (from <= arrivals.early ? from : (at.length * from) / source.at.length)
  const stages = scenario.stages.map((stage, s) => {
    const { service, changes } = arrivals.services?.[s] ?? stage
    const errors = arrivals.errors?.services[s] ?? []
    // Jobs that are in later stages when the log begins pass the first ones in no time, before the first mean.
    const skipped = changes.length + 1 - errors.length
    const other = (of: Service, c: number) =>
      'mean' in of && of.mean > 1
        ? { ...of, mean: Math.max(1, Math.round(of.mean * share(errors[c - skipped], s + 1, c))) }
        : of
    return {
      ...stage,
      service: other(service, 0),
      changes: ascending(
        changes.map((change, c) => ({ from: Math.round(moved(change.from)), service: other(change.service, c + 1) })),
      ),
    }
  })
  return { ...scenario, seed, source: { kind: 'times', at }, stages }
}

/** Returns arrival times: a Poisson process of single jobs, or of bursts whose sizes give the dispersion (a negative binomial process). */
export function arrivalTimes({ early, rates, end, dispersion, interval }: DayArrivals, seed: number): number[] {
  const random = createRandom(seed, randomKey('day'))
  let draws = 0
  const draw = () => random(0, draws++)
  const at = Array.from({ length: early }, () => 0)
  const perBurst = dispersion > 1 ? (dispersion - 1) / Math.log(dispersion) : 1
  for (const [k, [from, rate]] of rates.entries()) {
    const until = Math.min(end, rates[k + 1]?.[0] ?? end)
    if (rate <= 0) continue
    const next = () => (-Math.log(draw()) * perBurst * SECOND) / rate
    for (let time = from + next(); time < until && at.length < MAX_ITEMS; time += next()) {
      const size = dispersion > 1 ? burstSize(1 - 1 / dispersion, draw()) : 1
      for (let n = 0; n < size && at.length < MAX_ITEMS; n++)
        at.push(Math.min(end, Math.floor(time + (n === 0 ? 0 : interval * draw()))))
    }
  }
  return at.sort((a, b) => a - b)
}

/** Returns a size of the logarithmic series distribution (Fisher, Corbet and Williams 1943), by inversion. */
function burstSize(p: number, u: number): number {
  let [size, chance] = [1, -p / Math.log(1 - p)]
  for (let left = u; left > chance && size < MAX_ITEMS; size++) {
    left -= chance
    chance *= (p * size) / (size + 1)
  }
  return size
}

function ascending<T extends { readonly from: number }>(changes: readonly T[]): T[] {
  return changes.filter(({ from }, k) => changes.slice(k + 1).every((later) => later.from > from))
}
