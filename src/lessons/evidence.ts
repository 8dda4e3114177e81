import { type Decision, decisionAt } from '../measures/decisions/decision.ts'
import { createEstimateHistory, type EstimateHistory } from '../measures/decisions/estimateHistory.ts'
import { type Metrics, metricsOf } from '../measures/figures/metrics.ts'
import { type Frame, frameAt } from '../measures/frame/frame.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { decisionIndexAt } from '../trace/decisionTime.ts'
import type { Trace } from '../trace/trace.ts'

/** What a goal may look at: never what was pressed, only what came of it. */
export interface Evidence {
  /** On the canvas. */
  readonly scenario: Scenario
  /** The latest run, once it has ended. */
  readonly run: Played | null
  /** Where the playhead stands; null while it moves by itself. */
  readonly time: Micros | null
}

export interface Played {
  readonly scenario: Scenario
  readonly trace: Trace
}

interface Known {
  readonly figures: Metrics
  readonly estimateHistory: EstimateHistory
}

/** Of each trace what was worked out once; it goes with the trace. */
const known = new WeakMap<Trace, Known>()

function knownOf(trace: Trace): Known {
  let all = known.get(trace)
  if (all === undefined) {
    all = { figures: metricsOf(trace), estimateHistory: createEstimateHistory(trace) }
    known.set(trace, all)
  }
  return all
}

export interface WithFigures extends Played {
  readonly figures: Metrics
}

/** What the run amounts to, wherever it ended by itself. */
export function ended({ run }: Evidence): WithFigures | null {
  if (run === null || run.trace.ending === 'stopped') return null
  return { scenario: run.scenario, trace: run.trace, figures: knownOf(run.trace).figures }
}

/** The same of a run that left no job behind. */
export function drained(evidence: Evidence): WithFigures | null {
  return evidence.run?.trace.ending === 'drained' ? ended(evidence) : null
}

export function evidenceFrame({ run, time }: Evidence): Frame | null {
  return run === null || time === null ? null : frameAt(run.trace, time)
}

/** The decision that is open: the latest before the playhead. */
export function decisionOf({ run, time }: Evidence): Decision | null {
  if (run === null || time === null) return null
  const d = decisionIndexAt(run.trace, time)
  return d < 0 ? null : decisionNumber(run, d)
}

/** Decision d of a run that has one. */
export function decisionNumber({ trace }: Played, d: number): Decision {
  return decisionAt(trace, knownOf(trace).estimateHistory, d)
}

/** The share of its time that one worker at the stage would have been busy: 1.5 are one and a half workers. */
export function busyAt({ scenario, figures }: WithFigures, id: string): number {
  return (figures.stages.find((stage) => stage.id === id)?.utilisation ?? 0) * scenario.workers
}

/** To the millisecond. */
export function inSeconds(time: Micros): number {
  return Math.round(time / 1000) / 1000
}

/** A share as a whole number of percent. */
export function inPercent(share: number): number {
  return Math.round(share * 100)
}
