import { t } from '../../language/translate.ts'
import type { ToBeat } from '../../scenario/link/opening.ts'
import { duration, exactDuration, percent } from '../../views/drawing/format.ts'
import type { Playing } from './game.ts'
import type { Rivals } from './scores.ts'

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
