import type { Micros } from '../scenario/scenario.ts'

/** One unit of time for a whole table, so that its columns can be compared. */
export interface Scale {
  readonly unit: 'µs' | 'ms' | 's'
  text(us: Micros): string
}

const units = [
  { unit: 's', size: 1_000_000 },
  { unit: 'ms', size: 1000 },
  { unit: 'µs', size: 1 },
] as const

/** The unit in which the greatest of these reads as a number from 1 on, with as many digits as set the small ones apart. */
export function scaleFor(values: readonly Micros[]): Scale {
  const finite = values.filter((value) => Number.isFinite(value) && value > 0)
  const most = finite.reduce((a, b) => Math.max(a, b), 0)
  // Seconds only where milliseconds would run to six digits.
  const { unit, size } = units.find(({ size }) => most >= (size === 1_000_000 ? 100 * size : size)) ?? units[2]
  const digits = most / size >= 100 ? 0 : most / size >= 10 ? 1 : 2
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return {
    unit,
    text(us) {
      if (us === Number.POSITIVE_INFINITY) return '∞'
      return Number.isFinite(us) ? format.format(us / size) : '–'
    },
  }
}
