import type { Metrics } from '../../measures/figures/metrics.ts'
import { figuresOf } from '../../measures/figures/runFigures.ts'
import type { Micros, PolicyKind } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'

/** The metrics of a run as the headless command prints them. Others rely on the names and the order of the keys. */
export interface Summary extends Metrics {
  readonly policy: PolicyKind
  /** No policy can finish these jobs earlier. */
  readonly lowerBound: Micros
}

/** Returns the summary of a run that was just played here. */
export function summarise(trace: Trace, { metrics, bound } = figuresOf(trace)): Summary {
  const { jobs, completed, failed, makespan, ...rest } = metrics
  return { policy: trace.scenario.policy.kind, jobs, completed, failed, makespan, lowerBound: bound.time, ...rest }
}
