import { useLater } from '../../app/base/page/useLater.ts'
import { leastFlowOf } from '../../measures/figures/lowerBound.ts'
import { type Scores, scoresOf } from '../../runs/study/byHand.ts'
import { playCompared, underPolicy } from '../../runs/study/compare.ts'
import { policyName } from '../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../scenario/model/scenario.ts'

/** The scores of the policies on the same jobs. */
export interface Rivals {
  readonly scores: readonly { readonly kind: PolicyKind; readonly name: string; readonly scores: Scores }[]
  /** No score can be less. A mean flow time of 0 means that no bound is known. */
  readonly bounds: Scores
}

/** The policies that see what a player sees and have as many workers. */
const rivals: readonly PolicyKind[] = [
  'leastScore',
  'jefferson',
  'webster',
  'adams',
  'hamilton',
  'longestQueue',
  'backpressure',
  'sinkFirst',
  'onePerStage',
  'single',
]

/** Returns the scores of the rivals once all have played; null before. */
export function useRivals(scenario: Scenario): Rivals | null {
  return useLater(scenario, playRivals)
}

/** Plays the jobs under each rival, one after the other. */
export async function playRivals(scenario: Scenario): Promise<Rivals> {
  const scores: { kind: PolicyKind; name: string; scores: Scores }[] = []
  let makespan = 0
  for (const kind of rivals) {
    const parsed = underPolicy(scenario, kind)
    if ('problems' in parsed) continue
    const compared = await playCompared(parsed.scenario, false)
    makespan = compared.bound.time
    // A run that leaves jobs behind has no score.
    if (compared.ending === 'drained') scores.push({ kind, name: policyName(parsed.scenario.policy), scores: scoresOf(compared.metrics) })
  }
  return { scores, bounds: { makespan, flow: leastFlowOf(scenario) } }
}
