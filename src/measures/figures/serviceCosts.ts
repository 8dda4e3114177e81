import { FINISHED } from '../../pipeline/rows.ts'
import { setStage } from '../../scenario/edit/edits.ts'
import { declaredMeans } from '../../scenario/model/distributions.ts'
import type { Micros, Scenario, Service } from '../../scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../trace/trace.ts'

/** Mean service times at one stage, beside the scheduler's estimate. NaN where nothing was measured. */
export interface Cost {
  /** The mean that the scenario declares at the start of the run. */
  readonly declared: Micros
  /** Whether the scenario changes the service during the run. Then the declared cost holds for the first jobs only. */
  readonly changes: boolean
  /** The mean of all services of the run so far, including those after the decision. */
  readonly measured: Micros
  readonly services: number
}

/** Returns the service times by stage. */
export function costsOf({ scenario, head }: Pick<Trace, 'scenario' | 'head'>): Cost[] {
  const { finished, serviceSum } = head.counts
  return declaredMeans(scenario).map((declared, s) => ({
    declared,
    changes: scenario.stages[s].changes.length > 0,
    measured: finished[s] === 0 ? Number.NaN : serviceSum[s] / finished[s],
    services: finished[s],
  }))
}

/** Values of a measured distribution: few enough for a link. */
const VALUES = 32

/** Returns by stage a distribution with the mean of its services: sorted, cut into equal slices, each with its mean. Null if there are none. */
export function measuredServices(trace: Trace): (Service | null)[] {
  const all: number[][] = trace.scenario.stages.map(() => [])
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === FINISHED) all[rows.stage[i]].push(rows.lasted[i])
  })
  return all.map((times) =>
    times.length === 0 ? null : { kind: 'empirical', values: slices(times.sort((a, b) => a - b)) },
  )
}

/** Returns the scenario with the service times that a run of it has measured. A stage that served nothing keeps its own. */
export function withMeasuredServices(scenario: Scenario, trace: Trace): Scenario {
  const measured = measuredServices(trace)
  return trace.scenario.stages.reduce((changed, { id }, s) => {
    const service = measured[s]
    return service === null ? changed : setStage(changed, id, { service, changes: [] })
  }, scenario)
}

function slices(sorted: readonly number[]): number[] {
  const many = Math.min(VALUES, sorted.length)
  return Array.from({ length: many }, (_, k) => {
    const slice = sorted.slice(Math.floor((k * sorted.length) / many), Math.floor(((k + 1) * sorted.length) / many))
    return Math.max(1, Math.round(slice.reduce((sum, time) => sum + time, 0) / slice.length))
  })
}
