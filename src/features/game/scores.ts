import { useLater } from '../../app/base/page/useLater.ts'
import { t } from '../../language/translate.ts'
import { leastFlowOf } from '../../measures/figures/lowerBound.ts'
import { playCompared, underPolicy } from '../../runs/study/compare.ts'
import type { ToBeat } from '../../scenario/link/opening.ts'
import { policyName } from '../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { duration, exactDuration, percent } from '../../views/drawing/format.ts'
import { type Scores, scoresOf } from './byHand.ts'
import type { Playing } from './game.ts'

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

/** Returns how a score stands to the one that was to be beaten. */
export function againstWords(mine: number, { goal, score }: ToBeat): string {
  const by = exactDuration(Math.abs(mine - score))
  if (goal === 'makespan') {
    if (mine === score) return t('Exactly the score to beat.')
    return mine < score ? t('Beaten: {by} faster than the score to beat.', { by }) : t('Not beaten: {by} slower than the score to beat.', { by })
  }
  if (mine === score) return t('Exactly the score to beat.')
  return mine < score ? t('Beaten: {by} a job less than the score to beat.', { by }) : t('Not beaten: {by} a job beyond the score to beat.', { by })
}

/** Returns how the score of a game stands to that of the rule, and to what nobody can be under. */
export function comparisonWords({ goal, game }: Playing, { scores, bounds }: Rivals): string {
  const mine = game.onward[goal]
  const rule = scores.find(({ kind }) => kind === 'leastScore')?.scores[goal] ?? mine
  const values = { mine: duration(mine), share: percent(Math.abs(mine - rule) / Math.max(1, rule)), bound: duration(bounds[goal]) }
  if (goal === 'makespan') {
    if (mine === rule) return t('You: {mine}, level with least total time; nobody can be under {bound}.', values)
    return mine > rule
      ? t('You: {mine}, {share} behind least total time; nobody can be under {bound}.', values)
      : t('You: {mine}, {share} ahead of least total time; nobody can be under {bound}.', values)
  }
  const words =
    mine === rule
      ? t('You: {mine} a job, level with least total time.', values)
      : mine > rule
        ? t('You: {mine} a job, {share} behind least total time.', values)
        : t('You: {mine} a job, {share} ahead of least total time.', values)
  return bounds.flow > 0 ? `${words} ${t('Nobody can be under {bound}.', values)}` : words
}
