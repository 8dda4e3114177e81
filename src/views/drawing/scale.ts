import { max } from 'd3-array'
import { t } from '../../language/translate.ts'
import type { Decision } from '../../measures/decisions/decision.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { fixed } from './format.ts'

/** One way to write all numbers of a table, so that its columns can be compared. */
type NumberScale = { readonly unit: string; text(value: number): string }

const units = [
  { unit: () => t('s'), size: 1_000_000 },
  { unit: () => t('ms'), size: 1000 },
  { unit: () => t('µs'), size: 1 },
] as const

/**
 * Returns the scale in whose unit the greatest time is 1 or more. `reference` is the value that shows three digits, by default the greatest.
 * `seconds`: from how many on they are the unit. In a table milliseconds are, as long as they take no six digits.
 */
export function scaleFor(values: readonly Micros[], reference?: Micros, seconds = 100): NumberScale {
  const most = max(values.filter(Number.isFinite)) ?? 0
  const { unit, size } = units.find(({ size }) => most >= (size === 1_000_000 ? seconds * size : size)) ?? units[2]
  return { unit: unit(), text: writer(reference ?? most, size) }
}

/** Returns a scale for plain numbers. `reference` is the value that shows three digits, by default the greatest. */
export function numberScale(
  values: readonly number[],
  reference = max([0, ...values.filter(Number.isFinite)]) ?? 0,
): NumberScale {
  return { unit: '', text: writer(reference, 1) }
}

function writer(reference: number, size: number): (value: number) => string {
  const digits = reference / size >= 100 ? 0 : reference / size >= 10 ? 1 : 2
  return (value) => {
    if (value === Number.POSITIVE_INFINITY) return '∞'
    return Number.isFinite(value) ? fixed(value / size, digits) : '–'
  }
}

/** Returns the scale of a decision's quotients: times, or jobs for the longest queue. Those of a power are shown as roots, scaled by the first winner's vote. */
export function quotientScale({ policy }: Scenario, { rule, rounds, stages }: Decision): NumberScale {
  const quotients = rounds.flatMap((round) => round.quotients)
  if (rule === 'longestQueue') return { ...numberScale(quotients), unit: t('jobs') }
  if (policy.kind !== 'power' || policy.p === 1) return scaleFor(quotients)
  const root = 1 / policy.p
  const { winner, quotients: first } = rounds[0]
  const time = (quotient: number) =>
    quotient === 0 ? 0 : stages[winner].votes * ((quotient / first[winner]) * (1 - 2 ** -policy.p)) ** root
  const { unit, text } = scaleFor(quotients.map(time))
  return { unit: t('{unit}, as roots', { unit }), text: (quotient) => text(time(quotient)) }
}
