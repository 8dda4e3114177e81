import { metricsOf } from '../../../measures/figures/metrics.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { type Change, withChange } from './changes.ts'
import { playQueues } from './playQueues.ts'

/** A question to a fitted scenario: what if this had changed at `from`? Without a change it is the run itself. The log ends at `until`. */
export interface WhatIf {
  readonly scenario: Scenario
  readonly change: Change | null
  readonly from: Micros
  readonly until: Micros
}

/** How the day would have gone; or why the change cannot be played. */
export type WhatIfAnswer =
  | {
      readonly scenario: Scenario
      /** By stage: the longest queue from the time of the change to the end of the log. */
      readonly peaks: readonly number[]
      /** Of a job, from arrival to leaving. */
      readonly meanFlowTime: Micros
      readonly completed: number
    }
  | { readonly problem: string }

/** Plays the day of a log with a change. The random numbers are the same, so that only the change makes a difference. */
export async function playWhatIf({ scenario, change, from, until }: WhatIf): Promise<WhatIfAnswer> {
  const changed = change === null ? { scenario } : withChange(scenario, change, from, await begunBefore(scenario, change, from))
  if ('problems' in changed) return { problem: changed.problems[0].message }
  const { peaks, trace } = await playQueues(changed.scenario, new Float64Array(0), { since: from, until })
  const { meanFlowTime, completed } = metricsOf(trace)
  return { scenario: changed.scenario, peaks, meanFlowTime, completed }
}

async function begunBefore(scenario: Scenario, change: Change, from: Micros): Promise<readonly number[]> {
  if (change.kind !== 'quicker' || from === 0) return scenario.stages.map(() => 0)
  return (await playQueues(scenario, new Float64Array(0), { since: from, until: from })).begun
}
