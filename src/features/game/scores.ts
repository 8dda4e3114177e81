import { t } from '../../language/translate.ts'
import { leastFlowOf } from '../../measures/figures/lowerBound.ts'
import { playCompared, underPolicy } from '../../runs/study/compare.ts'
import type { Goal, ToBeat } from '../../scenario/link/opening.ts'
import { policyName } from '../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { duration, exactDuration, percent } from '../../views/drawing/format.ts'
import { type Scores, scoresOf } from './byHand.ts'
import type { Playing } from './game.ts'

export interface Rivals {
  readonly scores: readonly { readonly kind: PolicyKind; readonly name: string; readonly scores: Scores }[]
  /** Lower bounds of the scores; 0: none is known. */
  readonly bounds: Scores
}

/** The policies that have the same information as a player, with the same number of workers. */
const voting: readonly PolicyKind[] = ['leastScore', 'jefferson', 'webster', 'adams', 'hamilton']
const rivals: readonly PolicyKind[] = [...voting, 'longestQueue', 'backpressure', 'sinkFirst', 'onePerStage', 'single']

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

/** Returns how a score compares with the one to beat. */
export function toBeatWords(score: number, { goal, score: toBeat }: ToBeat): string {
  if (score === toBeat) return t('Exactly the score to beat.')
  const by = scoreText(goal, exactDuration(Math.abs(score - toBeat)))
  return score < toBeat ? t('Beaten: {by} faster than the score to beat.', { by }) : t('Not beaten: {by} slower than the score to beat.', { by })
}

/** Returns how the score of a game compares with that of the policy, and with the bound. */
export function comparisonWords({ goal, game }: Playing, { scores, bounds }: Rivals): string {
  const score = game.onward[goal]
  const policy = scores.find(({ kind }) => kind === 'leastScore')?.scores[goal] ?? score
  const values = { mine: scoreText(goal, duration(score)), share: percent(Math.abs(score - policy) / Math.max(1, policy)) }
  const apart = score > policy ? t('You: {mine}, {share} behind least total time.', values) : t('You: {mine}, {share} ahead of least total time.', values)
  const words = score === policy ? t('You: {mine}, level with least total time.', values) : apart
  return bounds[goal] > 0 ? `${words} ${t('No score can be below {bound}.', { bound: duration(bounds[goal]) })}` : words
}

function scoreText(goal: Goal, time: string): string {
  return goal === 'makespan' ? time : t('{mean} per job', { mean: time })
}
