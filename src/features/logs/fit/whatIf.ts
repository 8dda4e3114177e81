import { median } from 'd3-array'
import { metricsOf } from '../../../measures/figures/metrics.ts'
import { ARRIVED, FINISHED, rowTime } from '../../../pipeline/rows.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { Trace } from '../../../trace/trace.ts'
import { type Change, withChanges } from './changes.ts'
import { playQueues } from './comparison.ts'
import { type DayArrivals, otherDay } from './facts.ts'

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
    const startedJobs = isQuicker ? (await playQueues(day, new Float64Array(0), { since: from, until: from })).startedJobs : day.stages.map(() => 0)
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
  const policies = [{ at: 0, policy: scenario.policy }, ...scenario.later].flatMap(({ at, policy }) => (policy === undefined ? [] : [{ at, policy }]))
  const holding = policies.filter(({ at }, k) => at < until && (policies[k + 1]?.at ?? Infinity) > from)
  const all = work.reduce((sum, each) => sum + each, 0)
  const shared = all / areaOf(workersOverTime, from, until)
  if (holding.some(({ policy }) => policy.kind !== 'fixed')) return work.map(() => shared)
  const seats = (id: string): Steps => policies.map(({ at, policy }) => [at, policy.kind === 'fixed' ? (policy.allocation[id] ?? 0) : 0])
  return scenario.stages.map(({ id }, s) => work[s] / areaOf(seats(id), from, until))
}

/** Values from each time on. */
type Steps = readonly (readonly [time: Micros, value: number])[]

/** Returns the value times the time from `from` to `until`, at least 1. */
function areaOf(steps: Steps, from: Micros, until: Micros): number {
  const areas = steps.map(([at, value], k) => value * Math.max(0, Math.min(until, steps[k + 1]?.[0] ?? Infinity) - Math.max(from, at)))
  return Math.max(
    1,
    areas.reduce((sum, area) => sum + area, 0),
  )
}
