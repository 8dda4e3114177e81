import { t } from '../../language/translate.ts'
import type { Decision } from '../../measures/decisions/decision.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { type NumberScale, numberScale, scaleFor } from './scale.ts'

/**
 * Returns the scale of a decision's quotients: times if they divide votes, jobs for the longest queue. Those of a power p have no unit, but
 * their p-th roots rank alike and are times, between least total time and Jefferson. The first winner's vote gives the scale.
 */
export function quotientScale({ policy }: Scenario, { rule, rounds, stages }: Decision): NumberScale {
  const quotients = rounds.flatMap((round) => round.quotients)
  if (rule === 'longestQueue') return { ...numberScale(quotients), unit: t('jobs') }
  if (policy.kind !== 'power' || policy.p === 1) return scaleFor(quotients)
  const root = 1 / policy.p
  const { winner, quotients: first } = rounds[0]
  const time = (quotient: number) => (quotient === 0 ? 0 : stages[winner].votes * ((quotient / first[winner]) * (1 - 2 ** -policy.p)) ** root)
  const { unit, text } = scaleFor(quotients.map(time))
  return { unit: t('{unit}, as roots', { unit }), text: (quotient) => text(time(quotient)) }
}
