import { numbersOf } from '../../language/numbers.ts'
import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { roundUp } from './round.ts'

// The only place where microseconds become milliseconds, seconds and minutes. Numbers follow the language of the page, not the browser's.

const MS = 1_000
const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const whole = numbersOf({ maximumFractionDigits: 0 })
const three = numbersOf({ maximumSignificantDigits: 3 })
const six = numbersOf({ maximumSignificantDigits: 6 })

/** Returns a whole number with separators: 1268 -> '1,268'. */
export function count(n: number): string {
  return Number.isFinite(n) ? whole(n) : '–'
}

/** Returns a length of time in three digits: '850 µs', '3.6 ms', '1.04 s', '2 min 05 s', '1 h 02 min'; '–' if it is not finite. */
export function duration(us: Micros): string {
  if (!Number.isFinite(us)) return '–'
  if (us < 0) return `−${duration(-us)}`
  if (us < 999.5) return t('{x} µs', { x: three(us) })
  if (us < 999.5 * MS) return t('{x} ms', { x: three(us / MS) })
  if (us < 59.95 * SECOND) return t('{x} s', { x: three(us / SECOND) })
  const seconds = Math.round(us / SECOND)
  if (seconds < 3600) return t('{m} min {s} s', { m: Math.floor(seconds / 60), s: two(seconds % 60) })
  const minutes = Math.round(us / MINUTE)
  return t('{h} h {m} min', { h: count(Math.floor(minutes / 60)), m: two(minutes % 60) })
}

/** Returns a length of time in up to six digits, for calculations that come out exactly: '332.5 ms', '2.002 s', '600.25 s'. */
export function exactDuration(us: Micros): string {
  if (!Number.isFinite(us)) return '–'
  if (us < SECOND) return us < MS ? t('{x} µs', { x: six(us) }) : t('{x} ms', { x: six(us / MS) })
  return t('{x} s', { x: six(us / SECOND) })
}

/** Returns an instant of a run to the millisecond, so that its width stays steady as it ticks: '0.250 s', '2 min 05.250 s'. */
export function clock(us: Micros): string {
  if (!Number.isFinite(us)) return '–'
  const ms = Math.round(us / MS)
  const seconds = (ms % 60_000) / 1000
  if (ms < 60_000) return t('{x} s', { x: fixed(seconds, 3) })
  const m = Math.floor(ms / 60_000)
  const s = `${seconds < 10 ? '0' : ''}${fixed(seconds, 3)}`
  return m < 60 ? t('{m} min {s} s', { m, s }) : t('{h} h {m} min {s} s', { h: count(Math.floor(m / 60)), m: two(m % 60), s })
}

/** Returns a time in seconds for a caption: '1.04 s'. */
export function seconds(us: Micros, digits = 2): string {
  return Number.isFinite(us) ? t('{x} s', { x: fixed(us / SECOND, digits) }) : '–'
}

/** Returns milliseconds without their unit, for a column whose head names it: 3600 -> '3.6'. */
export function milliseconds(us: Micros, digits = 1): string {
  return Number.isFinite(us) ? fixed(us / MS, digits) : '–'
}

/** Returns a share in percent: 0.273 -> '27.3%'. */
export function percent(share: number, digits = 1): string {
  return Number.isFinite(share) ? t('{x}%', { x: fixed(share * 100, digits) }) : '–'
}

/** Returns a relative change in percent with its sign: 0.027 -> '+2.7%'. */
export function signedPercent(share: number, digits = 1): string {
  return Number.isFinite(share) ? `${share < 0 ? '−' : '+'}${percent(Math.abs(share), digits)}` : '–'
}

/** Returns a rate per second: '260/s', '0.5/s', '12,400/s'. */
export function rate(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return '–'
  return t('{x}/s', { x: perSecond < 100 ? three(perSecond) : count(perSecond) })
}

/** Returns a size in bytes, by powers of a thousand: 3400000 -> '3.4 MB'. */
export function bytes(n: number): string {
  if (!Number.isFinite(n)) return '–'
  const units = [t('B'), t('kB'), t('MB'), t('GB'), t('TB')]
  let k = 0
  let value = n
  while (value >= 999.5 && k < units.length - 1) {
    value /= 1000
    k++
  }
  return `${three(value)} ${units[k]}`
}

export interface Tick {
  readonly time: Micros
  readonly label: string
}

/** Returns at most `most` round instants from `t0` to `t1`, all in one unit: 1, 2 or 5 times a power of ten up to seconds, then as on a clock face. */
export function ticks(t0: Micros, t1: Micros, most: number): Tick[] {
  const step = tickStep((t1 - t0) / Math.max(1, most))
  const all: Tick[] = []
  for (let k = Math.ceil(t0 / step); k * step <= t1; k++) all.push({ time: k * step, label: tickLabel(k * step, step, t1) })
  return all
}

/** Returns the least round step that is `us` or more. */
export function tickStep(us: Micros): Micros {
  const faces = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400].map((s) => s * SECOND)
  if (us > 5 * SECOND) {
    const face = faces.find((step) => step >= us)
    if (face !== undefined) return face
    return 86_400 * SECOND * roundUp(us / (86_400 * SECOND))
  }
  return roundUp(Math.max(us, 1))
}

function tickLabel(us: Micros, step: Micros, last: Micros): string {
  if (last >= HOUR) {
    const s = Math.round(us / SECOND)
    const hours = `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}`
    return step < MINUTE ? `${hours}:${two(s % 60)}` : t('{x} h', { x: hours })
  }
  if (last >= 2 * MINUTE && step >= SECOND) {
    const s = Math.round(us / SECOND)
    return t('{x} min', { x: `${Math.floor(s / 60)}:${two(s % 60)}` })
  }
  let digits = 0
  for (let unit = SECOND; unit > step && digits < 6; unit /= 10) digits++
  if (last < 10 * MS) return t('{x} ms', { x: fixed(us / MS, step < MS ? Math.max(0, digits - 3) : 0) })
  return t('{x} s', { x: fixed(us / SECOND, digits) })
}

const fixedTo: ((x: number) => string)[] = []

/** Returns a number with so many digits after the decimal point. */
export function fixed(x: number, digits: number): string {
  fixedTo[digits] ??= numbersOf({ minimumFractionDigits: digits, maximumFractionDigits: digits })
  return fixedTo[digits](x)
}

function two(n: number): string {
  return n < 10 ? `0${n}` : `${n}`
}
