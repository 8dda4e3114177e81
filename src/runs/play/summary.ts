import { lowerBoundOf } from '../../measures/figures/lowerBound.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import type { Micros, PolicyKind } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'

/** The metrics of a run as the headless command prints them. Others rely on the names and the order of the keys. */
export interface Summary extends Metrics {
  readonly policy: PolicyKind
  /** No policy can finish these jobs earlier. */
  readonly lowerBound: Micros
}

/** Returns the summary of a run that was just played here. `bound`: its lower bound, if it is known. */
export function summarise(trace: Trace, bound = lowerBoundOf(trace.scenario, trace)): Summary {
  const { jobs, completed, failed, makespan, ...rest } = metricsOf(trace)
  return { policy: trace.scenario.policy.kind, jobs, completed, failed, makespan, lowerBound: bound.time, ...rest }
}
