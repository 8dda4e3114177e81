import type { Micros } from '../../scenario/model/scenario.ts'
import { declaredMeans } from '../../scenario/model/serviceMean.ts'
import type { Trace } from '../../trace/trace.ts'

/** What a service at one stage costs, beside what the scheduler believed: NaN where nothing was measured. */
export interface Cost {
  /** What the scenario declares as the run begins. */
  readonly declared: Micros
  /** Whether the scenario has the stage change midway: then what is declared holds for the first jobs only. */
  readonly changes: boolean
  /** The mean of all services of the run, as far as it has been recorded and folded: what nobody could know at the time. */
  readonly measured: Micros
  readonly services: number
}

/** By stage. */
export function costsOf({ scenario, head }: Pick<Trace, 'scenario' | 'head'>): Cost[] {
  const { finished, serviceSum } = head.counts
  return declaredMeans(scenario).map((declared, s) => ({
    declared,
    changes: scenario.stages[s].changes.length > 0,
    measured: finished[s] === 0 ? Number.NaN : serviceSum[s] / finished[s],
    services: finished[s],
  }))
}
