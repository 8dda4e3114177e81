import { declaredMeans } from '../../scenario/model/distributions.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'

/** What a service at one stage costs, beside the scheduler's estimate. NaN where nothing was measured. */
export interface Cost {
  /** What the scenario declares at the start of the run. */
  readonly declared: Micros
  /** Whether the scenario changes the service during the run. Then the declared cost holds for the first jobs only. */
  readonly changes: boolean
  /** The mean of all services of the run so far, including those after the decision. */
  readonly measured: Micros
  readonly services: number
}

/** Returns the costs by stage. */
export function costsOf({ scenario, head }: Pick<Trace, 'scenario' | 'head'>): Cost[] {
  const { finished, serviceSum } = head.counts
  return declaredMeans(scenario).map((declared, s) => ({
    declared,
    changes: scenario.stages[s].changes.length > 0,
    measured: finished[s] === 0 ? Number.NaN : serviceSum[s] / finished[s],
    services: finished[s],
  }))
}
