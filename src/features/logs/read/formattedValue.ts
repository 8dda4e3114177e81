/** A number with the unit that stands behind it. */
export interface FormattedValue {
  /** In seconds if it is a time. NaN: nothing was measured. */
  readonly value: number
  readonly isTime: boolean
  /** Whether digits may be missing. */
  readonly rounded: boolean
}

const counts: Readonly<Record<string, number>> = { K: 1e3, k: 1e3, Mil: 1e6, Bil: 1e9 }
/** In microseconds, so that 36 ms are 0.036 s to the last bit. */
const times: Readonly<Record<string, number>> = {
  ns: 0.001,
  µs: 1,
  μs: 1,
  us: 1,
  ms: 1000,
  s: 1_000_000,
  sec: 1_000_000,
  secs: 1_000_000,
  second: 1_000_000,
  seconds: 1_000_000,
  min: 60_000_000,
  mins: 60_000_000,
  minute: 60_000_000,
  minutes: 60_000_000,
  hour: 3_600_000_000,
  hours: 3_600_000_000,
}
const NUMBER = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)\s*([A-Za-zµμ]*)$/i

/**
 * Returns the value of a cell such as `12`, `1.2 K`, `35 ms` or `1.5 mins`, as Grafana formats values; null where it has another unit,
 * or could mean two things: a point may stand before decimals unless `comma` says that a comma does.
 */
export function formattedValue(cell: string, comma: boolean): FormattedValue | null {
  const text = cell.trim()
  if (/^(nan|null|undefined|-)$/i.test(text)) return { value: Number.NaN, isTime: false, rounded: false }
  const [, digits, unit] = NUMBER.exec(text) ?? []
  if (digits === undefined || digits.includes(comma ? '.' : ',')) return null
  const number = Number(digits.replace(',', '.'))
  if (unit === '') return { value: number, isTime: false, rounded: false }
  if (Object.hasOwn(times, unit)) return { value: (number * times[unit]) / 1_000_000, isTime: true, rounded: true }
  return Object.hasOwn(counts, unit) ? { value: number * counts[unit], isTime: false, rounded: true } : null
}
