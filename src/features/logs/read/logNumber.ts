import { fromUtf8 } from '../../../scenario/link/bytes.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'

const PLUS = 43
const COMMA = 44
const MINUS = 45
const DOT = 46
const ZERO = 48
const COLON = 58
const UPPER_T = 84
const LOWER_T = 116
const SPACE = 32
const UPPER_Z = 90
const LOWER_Z = 122

const TENS = Float64Array.from({ length: 17 }, (_, k) => Number(`1e${k}`))

/** The decimal mark. `unknown`: either, but a point before three digits is refused, since it may separate thousands. */
export type Decimal = 'point' | 'comma' | 'unknown'

/** Matches what may be a number of thousands, with a point before the last three digits. */
export const maybeThousands = /^[+-]?[1-9]\d{0,2}\.\d{3}$/

/**
 * Returns the number in bytes `from` to `to`, or NaN. Up to 15 digits are read as a whole number over a power of ten, both exact, so one
 * division rounds as `Number` does (Clinger 1990). Longer ones are left to `Number`.
 */
export function numberIn(bytes: Uint8Array, from: number, to: number, decimal: Decimal = 'point'): number {
  let i = from
  const negative = bytes[i] === MINUS
  if (negative || bytes[i] === PLUS) i++
  let digits = 0
  let value = 0
  let point = -1
  for (; i < to; i++) {
    const code = bytes[i]
    if (code >= ZERO && code < COLON) {
      value = value * 10 + (code - ZERO)
      digits++
    } else if (point < 0 && (code === DOT ? decimal === 'point' : code === COMMA && decimal !== 'point')) point = i
    else break
  }
  if (i === to && digits > 0 && digits < 16) {
    if (point >= 0) value /= TENS[to - point - 1]
    return negative ? -value : value
  }
  return longNumber(bytes, from, to, decimal)
}

function longNumber(bytes: Uint8Array, from: number, to: number, decimal: Decimal): number {
  if (to - from > 400) return Number.NaN
  const text = fromUtf8(bytes.subarray(from, to))
  if (decimal === 'unknown' && maybeThousands.test(text)) return Number.NaN
  const whole = decimal === 'comma' && /^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text) ? text.replaceAll('.', '') : text
  if (decimal === 'comma' && whole.includes('.')) return Number.NaN
  const plain = decimal === 'point' ? whole : whole.replace(',', '.')
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN
}

/**
 * Returns an instant such as 2026-03-01T12:00:00.250+01:00 (ISO 8601) in microseconds since 1970, or NaN. A space may replace the T, and
 * 1.3.2026 is a day too. Without a zone it is UTC.
 */
export function instantIn(bytes: Uint8Array, from: number, to: number): Micros {
  const at = { bytes, to, i: from }
  const [year, month, day] =
    bytes[from + 1] === DOT || bytes[from + 2] === DOT
      ? dottedDay(at)
      : [digits(at, 4), part(at, MINUS, 1, 12), part(at, MINUS, 1, 31)]
  if (at.i < to && bytes[at.i] !== UPPER_T && bytes[at.i] !== LOWER_T && bytes[at.i] !== SPACE) return Number.NaN
  let [hour, minute, second, fraction] = [0, 0, 0, 0]
  if (at.i < to) {
    at.i++
    hour = digits(at, 2)
    minute = part(at, COLON, 0, 59)
    if (bytes[at.i] === COLON && at.i < to) second = part(at, COLON, 0, 60)
    if (at.i < to && (bytes[at.i] === DOT || bytes[at.i] === COMMA)) fraction = fractionAt(at)
  }
  const zone = zoneAt(at)
  // Refuses days that the month does not have.
  if (at.i !== to || !(hour < 24) || day > daysIn(year, month)) return Number.NaN
  return (((daysUntil(year, month, day) * 24 + hour) * 60 + minute - zone) * 60 + second) * 1_000_000 + fraction
}

/** Takes a day such as 1.3.2026 or 01.03.2026. */
function dottedDay(at: Place): [year: number, month: number, day: number] {
  const [text, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(
    fromUtf8(at.bytes.subarray(at.i, Math.min(at.to, at.i + 10))),
  ) ?? ['']
  at.i += text.length
  return [
    Number(year),
    Number(month) >= 1 && Number(month) <= 12 ? Number(month) : Number.NaN,
    Number(day) >= 1 ? Number(day) : Number.NaN,
  ]
}

type Place = { readonly bytes: Uint8Array; readonly to: number; i: number }

function digits(at: Place, count: number): number {
  let value = 0
  for (let k = 0; k < count; k++, at.i++) {
    const code = at.i < at.to ? at.bytes[at.i] : 0
    if (code < ZERO || code >= COLON) return Number.NaN
    value = value * 10 + (code - ZERO)
  }
  return value
}

function part(at: Place, mark: number, min: number, max: number): number {
  if (at.i >= at.to || at.bytes[at.i] !== mark) return Number.NaN
  at.i++
  const value = digits(at, 2)
  return value >= min && value <= max ? value : Number.NaN
}

function fractionAt(at: Place): Micros {
  const from = ++at.i
  while (at.i < at.to && at.bytes[at.i] >= ZERO && at.bytes[at.i] < COLON) at.i++
  const shown = Math.min(at.i - from, 15)
  return shown === 0 ? Number.NaN : Math.round((numberIn(at.bytes, from, from + shown) / TENS[shown]) * 1_000_000)
}

/** Returns the minutes ahead of UTC. */
function zoneAt(at: Place): number {
  const code = at.i < at.to ? at.bytes[at.i] : UPPER_Z
  if (code === UPPER_Z || code === LOWER_Z) {
    if (at.i < at.to) at.i++
    return 0
  }
  if (code !== PLUS && code !== MINUS) return Number.NaN
  at.i++
  const hours = digits(at, 2)
  const minutes = at.i < at.to && at.bytes[at.i] === COLON ? part(at, COLON, 0, 59) : at.i < at.to ? digits(at, 2) : 0
  return (code === MINUS ? -1 : 1) * (hours * 60 + minutes)
}

function daysIn(year: number, month: number): number {
  return daysUntil(month === 12 ? year + 1 : year, month === 12 ? 1 : month + 1, 1) - daysUntil(year, month, 1)
}

/**
 * Returns the days since 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day is a year's
 * last (as in Hinnant 2013).
 */
function daysUntil(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const m = month > 2 ? month - 3 : month + 9
  return (
    365 * y +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) +
    Math.floor((153 * m + 2) / 5) +
    day -
    719_469
  )
}
