import { figuresOf, type Metrics, type StageMetrics } from '../../measures/figures/metrics.ts'
import { hides } from '../../scenario/model/hidden.ts'
import type { Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'

/** The metrics of a run as the headless command prints them. Others rely on the names and the order of the keys. */
export interface Summary extends Omit<Metrics, 'stages'> {
  readonly policy: PolicyKind | 'hidden'
  /** No policy can finish these jobs earlier. */
  readonly lowerBound: Micros
  /** `meanService` is null where the scenario hides it. */
  readonly stages: readonly (Omit<StageMetrics, 'meanService'> & { readonly meanService: Micros | null })[]
}

/** Returns the name of the policy, unless the scenario hides it. */
export function policyShown(scenario: Scenario): Summary['policy'] {
  return hides(scenario, { kind: 'policy' }) ? 'hidden' : scenario.policy.kind
}

export function summarise(trace: Trace, { metrics, bound } = figuresOf(trace)): Summary {
  const { scenario } = trace
  const { jobs, completed, failed, makespan, ...rest } = metrics
  return {
    ...{ policy: policyShown(scenario), jobs, completed, failed, makespan, lowerBound: bound.time, ...rest },
    stages: rest.stages.map((stage) => ({ ...stage, meanService: hides(scenario, { kind: 'service', stage: stage.id }) ? null : stage.meanService })),
  }
}
