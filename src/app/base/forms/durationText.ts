import { t } from '../../../language/translate.ts'
import { MAX_MICROS } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { plainNumber, typedNumber } from './typedNumber.ts'

/** What a text says, or why it cannot be read. Times are typed as '4 ms', '250 us', '1.5 s', '2 min', '1,5 с'; a bare number is in milliseconds. */
export type Read<T> = { readonly value: T } | { readonly message: string }

const units: Readonly<Record<string, number>> = {
  us: 1,
  µs: 1,
  μs: 1,
  ms: 1000,
  s: 1e6,
  sec: 1e6,
  min: 60e6,
  m: 60e6,
  h: 3600e6,
  ...{ мкс: 1, мс: 1000, с: 1e6, сек: 1e6, мин: 60e6, м: 60e6, ч: 3600e6 },
}

/** Reads a time, rounded to microseconds. `parse` checks its bounds. */
export function readDuration(text: string): Read<Micros> {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-zа-яµμ]*)$/i.exec(plainNumber(text))
  if (match === null) return { message: t('allowed: a time such as 4 ms, 250 us or 1.5 s') }
  const unit = match[2] === '' ? 1000 : units[match[2].toLowerCase()]
  if (unit === undefined) return { message: t('"{x}" is no unit; allowed: us, ms, s, min and h', { x: match[2].slice(0, 10) }) }
  return { value: Math.round(Number(match[1]) * unit) }
}

/** Returns a time as exact text, in the largest unit of us, ms and s that is not greater than it. */
export function writeDuration(us: Micros): string {
  if (us > 0 && us < 1000) return t('{x} µs', { x: us })
  return us < 1e6 ? t('{x} ms', { x: typedNumber(us / 1000) }) : t('{x} s', { x: typedNumber(us / 1e6) })
}

/** Returns a message of `parse` with times instead of microseconds. */
export function inTimes(message: string): string {
  const least = [0, 1].find((least) =>
    message.endsWith(t('a whole number{unit} from {least} to {most}', { unit: t(' of microseconds'), least, most: countText(MAX_MICROS) })),
  )
  return least === undefined ? message : t('allowed: a time from {least} µs to 142 years, such as 4 ms', { least })
}
