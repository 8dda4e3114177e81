import { type Decision, decisionAt } from '../../../measures/decisions/decision.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { type Metrics, metricsOf } from '../../../measures/figures/metrics.ts'
import { type Frame, frameAt } from '../../../measures/frame/frame.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt } from '../../../trace/follow.ts'
import type { Trace } from '../../../trace/trace.ts'

/** The input of a `measure`: the results of a user's actions, not the actions themselves. */
export interface Evidence {
  readonly scenario: Scenario
  /** The latest run, once it has ended. */
  readonly run: FinishedRun | null
  /** Whether the playhead has reached the end of that run. Before that, the person has not seen its outcome. */
  readonly watched: boolean
  /** The time of the playhead; null while it plays. */
  readonly time: Micros | null
  /** The room that this page hosts: its lent threads, and how many devices have answered its question. */
  readonly room: { readonly seats: number; readonly answers: number } | null
}

export const MS = 1000
export const SECOND = 1_000_000

export type FinishedRun = { readonly scenario: Scenario; readonly trace: Trace }

export interface MeasuredRun extends FinishedRun {
  readonly metrics: Metrics
}

const cache = new WeakMap<Trace, Metrics>()

function measuresOf(trace: Trace): Metrics {
  const metrics = cache.get(trace) ?? metricsOf(trace)
  cache.set(trace, metrics)
  return metrics
}

/** Returns the run whose outcome the person has seen. */
export function watchedRun({ run, watched }: Evidence): FinishedRun | null {
  return watched ? run : null
}

/** Returns that run with its metrics; null if there is none, or if it was stopped. */
export function endedRun(evidence: Evidence): MeasuredRun | null {
  const run = watchedRun(evidence)
  if (run === null || run.trace.ending === 'stopped') return null
  return { ...run, metrics: measuresOf(run.trace) }
}

/** Returns the same, but null for a run that left jobs behind. */
export function drainedRun(evidence: Evidence): MeasuredRun | null {
  return evidence.run?.trace.ending === 'drained' ? endedRun(evidence) : null
}

/** Returns a finder of drained runs for which `fits` returns true. */
export function drainedWhere(fits: (run: MeasuredRun) => boolean) {
  return (evidence: Evidence): MeasuredRun | null => {
    const run = drainedRun(evidence)
    return run !== null && fits(run) ? run : null
  }
}

/** Returns the state of the run at the playhead, watched to its end or not. */
export function evidenceFrame({ run, time }: Evidence): Frame | null {
  return run && time !== null ? frameAt(run.trace, time) : null
}

/** Returns the decision that the page shows: the latest before the playhead. */
export function openDecision({ run, time }: Evidence): Decision | null {
  const d = run && time !== null ? decisionIndexAt(run.trace, time) : -1
  return run && d >= 0 ? decisionWithIndex(run, d) : null
}

/** Returns decision `d` of a run that has one. */
export function decisionWithIndex({ trace }: FinishedRun, d: number): Decision {
  return decisionAt(trace, estimateHistoryOf(trace), d)
}

/** Returns a measure of what `find` returns; null where that is nothing, or where `measure` returns false. */
export function measureOf<T>(
  find: (evidence: Evidence) => T | null | undefined | false,
  measure: (found: T) => number | null | false,
) {
  return (evidence: Evidence): number | null => {
    const found = find(evidence) ?? false
    const measured = found !== false && measure(found)
    return measured === false ? null : measured
  }
}

/** Returns seconds, rounded to the millisecond. */
export function inSeconds(time: Micros): number {
  return Math.round(time / 1000) / 1000
}

/** Returns how long a run took, in seconds. */
export function makespanOf({ metrics }: MeasuredRun): number {
  return inSeconds(metrics.makespan)
}

/** Returns milliseconds, rounded to whole ones. */
export function inMilliseconds(time: Micros): number {
  return Math.round(time / MS)
}

/** Returns the mean wait of a run in milliseconds. */
export function meanWaitOf({ metrics }: MeasuredRun): number {
  return inMilliseconds(metrics.meanWait)
}

/** Returns a share as a whole number of percent. */
export function inPercent(share: number): number {
  return Math.round(share * 100)
}
