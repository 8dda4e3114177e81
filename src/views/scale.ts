import type { Micros } from '../scenario/scenario.ts'

/** One way to write the numbers of a whole table, so that its columns can be compared. */
export interface NumberScale {
  readonly unit: string
  text(value: number): string
}

export interface Scale extends NumberScale {
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
  return { unit, text: writer(most, size) }
}

/** Plain numbers, with as many digits as set the small ones apart. */
export function numberScale(values: readonly number[]): NumberScale {
  return { unit: '', text: writer(Math.max(0, ...values.filter(Number.isFinite)), 1) }
}

function writer(most: number, size: number): (value: number) => string {
  const digits = most / size >= 100 ? 0 : most / size >= 10 ? 1 : 2
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return (value) => {
    if (value === Number.POSITIVE_INFINITY) return '∞'
    return Number.isFinite(value) ? format.format(value / size) : '–'
  }
}
