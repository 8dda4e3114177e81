import { lowerBoundOf } from '../../measures/figures/lowerBound.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import type { Micros, PolicyKind } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'

/** A run in figures, as the headless command prints it: names and order of the keys are relied on from outside. */
export interface Summary extends Metrics {
  readonly policy: PolicyKind
  /** A makespan that no policy can beat with these jobs. */
  readonly lowerBound: Micros
}

export function summarise(trace: Trace): Summary {
  const { jobs, completed, failed, makespan, ...rest } = metricsOf(trace)
  return { policy: trace.scenario.policy.kind, jobs, completed, failed, makespan, lowerBound: lowerBoundOf(trace.scenario).time, ...rest }
}
