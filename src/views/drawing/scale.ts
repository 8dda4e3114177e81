import { max } from 'd3-array'
import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { fixed } from './format.ts'

/** One way to write all numbers of a table, so that its columns can be compared. */
export interface NumberScale {
  readonly unit: string
  text(value: number): string
}

const units = [
  { unit: () => t('s'), size: 1_000_000 },
  { unit: () => t('ms'), size: 1000 },
  { unit: () => t('µs'), size: 1 },
] as const

/** Returns the scale in whose unit the greatest time is 1 or more. `told` is the value that shows three digits, by default the greatest. */
export function scaleFor(values: readonly Micros[], told?: Micros): NumberScale {
  const most = max(values.filter(Number.isFinite)) ?? 0
  // Seconds only where milliseconds would take six digits.
  const { unit, size } = units.find(({ size }) => most >= (size === 1_000_000 ? 100 * size : size)) ?? units[2]
  return { unit: unit(), text: writer(told ?? most, size) }
}

/** Returns a scale for plain numbers. `told` is the value that shows three digits, by default the greatest. */
export function numberScale(values: readonly number[], told = max([0, ...values.filter(Number.isFinite)]) ?? 0): NumberScale {
  return { unit: '', text: writer(told, 1) }
}

function writer(told: number, size: number): (value: number) => string {
  const digits = told / size >= 100 ? 0 : told / size >= 10 ? 1 : 2
  return (value) => {
    if (value === Number.POSITIVE_INFINITY) return '∞'
    return Number.isFinite(value) ? fixed(value / size, digits) : '–'
  }
}
