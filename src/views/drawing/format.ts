import { numbersOf, t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'

// The only place where microseconds become milliseconds, seconds and minutes. Numbers follow the language of the page, not the browser's.

const MS = 1_000
const SECOND = 1_000_000
/** Up to ten minutes people read seconds: a lesson, a table and a status line say '110 s' alike. From then on minutes are easier. */
export const LONG: Micros = 600 * SECOND

const whole = numbersOf({ maximumFractionDigits: 0 })
const three = numbersOf({ maximumSignificantDigits: 3 })
const six = numbersOf({ maximumSignificantDigits: 6 })

/** Returns a whole number with separators: 1268 -> '1,268'. */
export function count(n: number): string {
  return Number.isFinite(n) ? whole(n) : '–'
}

/**
 * Returns a length of time in three digits: '850 µs', '3.6 ms', '1.04 s', '125 s', '12 min 05 s', '1 h 02 min'; '–' if it is not finite.
 * `round`: Math.floor or Math.ceil for a bound, which must stay true as it is written.
 */
export function duration(us: Micros, round?: (x: number) => number): string {
  if (!Number.isFinite(us)) return '–'
  if (us < 0) return `−${duration(-us)}`
  if (round !== undefined && us > 0) {
    const [, digits] = us.toExponential().split('e')
    const unit = us < LONG ? Number(`1e${Number(digits) - 2}`) : us < 3600 * SECOND ? SECOND : 60 * SECOND
    return duration(round(us / unit) * unit)
  }
  if (us < 999.5) return microsecondsText(three(us))
  if (us < 999.5 * MS) return millisecondsText(three(us / MS))
  if (us < LONG - 0.5 * SECOND) return secondsText(three(us / SECOND))
  const seconds = Math.round(us / SECOND)
  if (seconds < 3600) return `${minutesText(Math.floor(seconds / 60))} ${secondsText(two(seconds % 60))}`
  const minutes = Math.round(us / (60 * SECOND))
  return `${hoursText(count(Math.floor(minutes / 60)))} ${minutesText(two(minutes % 60))}`
}

/** Returns a length of time in up to six digits, for calculations that come out exactly: '332.5 ms', '2.002 s', '600.25 s'. */
export function exactDuration(us: Micros): string {
  if (!Number.isFinite(us)) return '–'
  if (us < SECOND) return us < MS ? microsecondsText(six(us)) : millisecondsText(six(us / MS))
  return secondsText(six(us / SECOND))
}

/** Returns an instant of a run to the millisecond, so that its width stays steady as it ticks: '0.250 s', '125.250 s', '12 min 05.250 s'. */
export function clock(us: Micros): string {
  if (!Number.isFinite(us)) return '–'
  const ms = Math.round(us / MS)
  if (ms < LONG / MS) return secondsText(fixed(ms / 1000, 3))
  const seconds = (ms % 60_000) / 1000
  const m = Math.floor(ms / 60_000)
  const s = `${seconds < 10 ? '0' : ''}${fixed(seconds, 3)}`
  return m < 60
    ? `${minutesText(m)} ${secondsText(s)}`
    : `${hoursText(count(Math.floor(m / 60)))} ${minutesText(two(m % 60))} ${secondsText(s)}`
}

export const hoursText = (x: string | number) => t('{x} h', { x })
export const minutesText = (x: string | number) => t('{x} min', { x })
export const secondsText = (x: string) => t('{x} s', { x })
export const millisecondsText = (x: string) => t('{x} ms', { x })
const microsecondsText = (x: string) => t('{x} µs', { x })

/** Returns a time in seconds for a caption: '1.04 s'. */
export function seconds(us: Micros, digits = 2): string {
  return Number.isFinite(us) ? secondsText(fixed(us / SECOND, digits)) : '–'
}

/** Returns milliseconds without their unit, for a column whose head names it: 3600 -> '3.6'. */
export function milliseconds(us: Micros, digits = 1): string {
  return Number.isFinite(us) ? fixed(us / MS, digits) : '–'
}

/** Returns a share in percent: 0.273 -> '27.3%'. */
export function percent(share: number, digits = 1): string {
  return Number.isFinite(share) ? t('{x}%', { x: fixed(share * 100, digits) }) : '–'
}

/** Returns a share in percent as an upper bound, so rounded up: 0.03948 -> '4.0%'. */
export function percentUp(share: number): string {
  return percent(Math.max(0, Math.ceil(share * 1000 - 1e-9)) / 1000)
}

/** Returns a share of workers, and how many there are on average: '79.3% of 3', '62% of 2.45'. */
export function shareOf(share: number, workers: number, digits = 1): string {
  return t('{share} of {n}', { share: percent(share, digits), n: workers < 100 ? three(workers) : count(workers) })
}

/** Returns a relative change in percent with its sign: 0.027 -> '+2.7%'. */
export function signedPercent(share: number, digits = 1): string {
  return Number.isFinite(share) ? `${share < 0 ? '−' : '+'}${percent(Math.abs(share), digits)}` : '–'
}

/** From this ratio on a time is a multiple of another: "5.3 times as long", not "426.6% longer". */
export const MULTIPLE = 2

export function timesAsLong(ratio: number): string {
  return t('{times} times as long', { times: fixed(ratio, 1) })
}

/** Returns how a time changes, by its ratio to the time before: '+2.7%', '5.3 times as long'. */
export function timeChange(ratio: number): string {
  return ratio >= MULTIPLE ? timesAsLong(ratio) : signedPercent(ratio - 1)
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

const fixedTo: ((x: number) => string)[] = []

/** Returns a number with `digits` digits after the decimal point. */
export function fixed(x: number, digits: number): string {
  fixedTo[digits] ??= numbersOf({ minimumFractionDigits: digits, maximumFractionDigits: digits })
  return fixedTo[digits](x)
}

/** Returns a number in two digits: 5 -> '05'. */
export function two(n: number): string {
  return n < 10 ? `0${n}` : `${n}`
}
