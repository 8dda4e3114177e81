/** A JSON object whose keys are not known. */
export type Described = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the objects of a list; none if it is no list. */
export function listIn(value: unknown): Described[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Returns a text or a number as text. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

/** Returns a number, which some exporters write as text; NaN if it is none. */
export function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** Returns nanoseconds since 1970, mostly a text, as microseconds. A double holds them to a quarter of one. */
export function microsOfNanos(value: unknown): number {
  if (typeof value !== 'string') return numberIn(value) / 1000
  if (!/^\d+$/.test(value)) return Number.NaN
  return value.length <= 3 ? Number(value) / 1000 : Number(value.slice(0, -3)) + Number(value.slice(-3)) / 1000
}

/** Returns a time that an attribute states, in microseconds since 1970 or of the file's clock; NaN if it is none. `near` is a time of the file. */
export function instantIn(text: string, near: number): number {
  const number = numberIn(text)
  if (Number.isNaN(number)) return dateIn(text)
  for (const unit of [1, 1000, 0.001, 1_000_000]) if (Math.abs(number * unit - near) < 86_400_000_000) return number * unit
  return Number.NaN
}

/** Returns a date such as 2026-03-02T09:05:05.25Z in microseconds since 1970; NaN if it is none. Without a zone it is UTC. */
function dateIn(text: string): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(?:Z|([+-])(\d\d):?(\d\d))?$/.exec(text)
  if (found === null) return Number.NaN
  const [, year, month, day, hour, minute, second = '0', sign, zoneHours = '0', zoneMinutes = '0'] = found
  // March is the first month, so that a leap day is the last day of a year.
  const shifted = Number(month) > 2 ? Number(year) : Number(year) - 1
  const months = (Number(month) + 9) % 12
  const days =
    365 * shifted + Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400) + Math.floor((153 * months + 2) / 5) + Number(day) - 719_469
  const zone = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes))
  return Math.round(((days * 24 + Number(hour)) * 60 + Number(minute) - zone) * 60_000_000 + Number(second) * 1_000_000)
}
