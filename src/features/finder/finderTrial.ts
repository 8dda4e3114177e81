import type { LoadCode } from '../../engine/engine.ts'
import { type Metrics, metricsOf } from '../../measures/figures/metrics.ts'
import { playTrial } from '../../runs/play/trial.ts'
import { underPolicy } from '../../runs/study/compare.ts'
import { paramsOf, policyKinds, startingParams } from '../../scenario/model/policies.ts'
import type { CodePolicy, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'

/** The figures of a run by which a policy can fail: of each, less is better. */
export const finderMeasures = [
  'makespan',
  'meanWait',
  'meanFlowTime',
  'p50FlowTime',
  'p99FlowTime',
  'meanJobsInSystem',
  'switches',
  'reordered',
  'contendedTime',
] as const satisfies readonly (keyof Metrics)[]
export type FinderMeasure = (typeof finderMeasures)[number]

/** Two policies, and the figure in which the first is to do worse than the second. */
export interface Contest {
  readonly worse: PolicyKind
  readonly than: PolicyKind
  readonly measure: FinderMeasure
  /** The code that takes part as `code`. Left out: that of the scenario, or what a form begins with. */
  readonly code?: CodePolicy | null
}

/** The policies that a contest may name: all that begin without a choice of seats. */
export const contestants: readonly PolicyKind[] = policyKinds.filter(
  (kind) => kind !== 'byHand' && paramsOf(kind).every(([key]) => key in startingParams(kind)),
)

/** Returns the runs of a scenario under both policies, one played after the other; null if one of them cannot play it, or does not finish its jobs. */
export async function playContest({ worse, than }: Contest, scenario: Scenario, load?: LoadCode): Promise<readonly [Trace, Trace] | null> {
  const one = underPolicy(scenario, worse)
  const other = underPolicy(scenario, than)
  if ('problems' in one || 'problems' in other) return null
  const worseRun = await playTrial(one.scenario, { loadCode: load })
  if (worseRun.ending !== 'drained') return null
  const otherRun = await playTrial(other.scenario, { loadCode: load })
  return otherRun.ending === 'drained' ? [worseRun, otherRun] : null
}

/**
 * Returns how many times as much the first policy takes as the second: the quotient of the two figures as the headless command
 * prints them; 0 if the trial does not count.
 */
export async function ratioOf(contest: Contest, scenario: Scenario, load?: LoadCode): Promise<number> {
  const runs = await playContest(contest, scenario, load)
  if (runs === null) return 0
  const [worse, than] = runs.map(metricsOf)
  const by = than[contest.measure]
  return worse.completed === than.completed && by > 0 ? worse[contest.measure] / by : 0
}
