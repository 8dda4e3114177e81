import { numbersOf, t } from '../../../language/translate.ts'
import { MAX_ITEMS, MAX_MICROS } from '../../../scenario/model/limits.ts'
import type { Micros, PerSecond } from '../../../scenario/model/scenario.ts'
import { allowedText, countText, foundText } from '../../../scenario/model/words.ts'

/** Numbers as people type them: `1,500.5` in English is `1 500,5` in Russian. */

const formatDecimal = numbersOf({ minimumFractionDigits: 1 })

/** Returns whether decimals follow a comma in the language of the page. */
export const commaIsPoint = (): boolean => formatDecimal(0.5).includes(',')

/** Returns a typed number as JavaScript writes it. Other text comes back unchanged. */
export function plainNumber(text: string): string {
  if (!commaIsPoint()) return text.trim().replaceAll(',', '')
  return text
    .trim()
    .replaceAll(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .replaceAll(',', '.')
}

/** Returns a number as text for a field, without separators between thousands. */
export const typedNumber = (value: number): string => (commaIsPoint() ? String(value).replace('.', ',') : String(value))

/** The value of a text, or why it cannot be read. Times are typed as '4 ms', '250 us', '1.5 s', '2 min', '1,5 с'; a bare number is in milliseconds. */
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

const timeText = (least: number) => t('a time from {least} µs to 142 years, such as 4 ms or 1.5 h', { least })
const noTimes = () => ({ message: allowedText(timeText(0)) })

/** Reads a time, rounded to microseconds. `parse` checks its bounds. */
export function readDuration(text: string): Read<Micros> {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-zа-яµμ]*)$/i.exec(plainNumber(text))
  const unit = match === null || match[2] === '' ? 1000 : units[match[2].toLowerCase()]
  return match === null || unit === undefined ? noTimes() : { value: Math.round(Number(match[1]) * unit) }
}

/** Returns a time as exact text, in the largest unit of us, ms and s that is not greater than it. */
export function writeDuration(us: Micros): string {
  if (us > 0 && us < 1000) return t('{x} µs', { x: us })
  return us < 1e6 ? t('{x} ms', { x: typedNumber(us / 1000) }) : t('{x} s', { x: typedNumber(us / 1e6) })
}

/** Returns a message of `parse` with times instead of microseconds. */
export function inTimes(message: string): string {
  const least = [0, 1].find((least) =>
    message.endsWith(
      t('a whole number{unit} from {least} to {most}', {
        unit: t(' of microseconds'),
        least,
        most: countText(MAX_MICROS),
      }),
    ),
  )
  return least === undefined ? message : allowedText(timeText(least))
}

/** Reads times separated by commas, semicolons, spaces or new lines. */
export const readDurations = (text: string): Read<readonly Micros[]> => every(pieces(text), readDuration)
export function writeDurations(times: readonly Micros[]): string {
  return times.map(writeDuration).join(commaIsPoint() ? '; ' : ', ')
}

export function readNumber(text: string): Read<number> {
  const plain = plainNumber(text)
  const value = Number(plain)
  return plain === '' || Number.isNaN(value) ? { message: t('allowed: a number') } : { value }
}

/** Reads numbers separated by commas, semicolons, spaces or new lines. */
export const readNumbers = (text: string): Read<readonly number[]> => every(pieces(text), readNumber)
export const writeNumbers = (numbers: readonly number[]): string =>
  numbers.map(typedNumber).join(commaIsPoint() ? '; ' : ', ')

/** Reads whole numbers and ranges of them: '7, 42-45'. */
export function readIntegers(text: string): Read<readonly number[]> {
  const numbers: number[] = []
  for (const word of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const match = /^(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(word)
    const [from, to] = match === null ? [1, 0] : [Number(match[1]), Number(match[2] ?? match[1])]
    if (to < from || to - from > MAX_ITEMS)
      return {
        message: foundText(word, t('whole numbers from 0, and ranges of at most 100,000, such as 7, 42-45')),
      }
    for (let n = from; n <= to; n++) numbers.push(n)
  }
  return { value: numbers }
}
export const writeIntegers = (numbers: readonly number[]): string => numbers.join(', ')

const tooMany = () => ({ message: t('more than {max}', { max: countText(MAX_ITEMS) }) })

/** Reads sizes of groups: '12, 30, 25 x 8' is one of 12, one of 30 and 25 of 8. */
export function readSizes(text: string): Read<readonly number[]> {
  const sizes: number[] = []
  for (const [word, times, size] of text.matchAll(/(\d+)\s*[x×*]\s*(\d+)(?![^\s,;])|[^\s,;]+/gi)) {
    const [count, jobs] = times === undefined ? [1, word] : [Number(times), size]
    if (!/^\d{1,9}$/.test(jobs))
      return {
        message: foundText(word, t('such as 12, 30, 25 × 8 (25 groups of 8)')),
      }
    if (count + sizes.length > MAX_ITEMS) return tooMany()
    for (let k = 0; k < count; k++) sizes.push(Number(jobs))
  }
  return { value: sizes }
}
/** Returns sizes as text. Three or more equal ones in a row become '25 x 8'. */
export function writeSizes(sizes: readonly number[]): string {
  const words: string[] = []
  for (let from = 0, to = 0; from < sizes.length; from = to) {
    while (to < sizes.length && sizes[to] === sizes[from]) to++
    if (to - from < 3) words.push(...sizes.slice(from, to).map(String))
    else words.push(`${to - from} × ${sizes[from]}`)
  }
  return words.join(', ')
}

/** Reads one pair per line: a time, and the rate in jobs per second from then on. */
export function readRates(text: string): Read<readonly (readonly [Micros, PerSecond])[]> {
  const lines = text.split(/[\n;]+/).filter((line) => line.trim() !== '')
  return every(lines, (line) => {
    const match = /^\s*(.*?\S)[\s,:]+([\d.,]+(?:e[+-]?\d+)?)\s*(?:\/\s*[sс])?\s*$/i.exec(line)
    const time = match === null ? null : readDuration(match[1])
    if (match === null || time === null)
      return {
        message: foundText(line.trim(), t('a time and a rate, such as 1.5 s 200')),
      }
    return 'message' in time ? time : { value: [time.value, Number(plainNumber(match[2]))] as const }
  })
}
export function writeRates(pairs: readonly (readonly [Micros, PerSecond])[]): string {
  return pairs.map(([time, rate]) => `${writeDuration(time)}  ${typedNumber(rate)}`).join('\n')
}

/** Splits a list. A number and its unit are one piece: '4 ms 250us, 3' has three. */
function pieces(text: string): string[] {
  return text
    .split(commaIsPoint() ? /[;\n]+|,(?!\d)/ : /[,;\n]+/)
    .flatMap((part) => part.trim().match(/[^\s]*\d[^\s]*(?:\s+[a-zа-яµμ]+(?=\s|$))?|[^\s]+/gi) ?? [])
    .filter((piece) => piece !== '')
}

function every<T>(texts: readonly string[], read: (text: string) => Read<T>): Read<readonly T[]> {
  const values: T[] = []
  for (const [i, text] of texts.entries()) {
    const result = read(text)
    if ('message' in result) return { message: t('item {i}: {message}', { i: i + 1, message: result.message }) }
    values.push(result.value)
  }
  return { value: values }
}

/** Returns the units that a number without one may have. */
export const sampleUnits = () => ({ us: t('microseconds'), ms: t('milliseconds'), s: t('seconds') })
export type SampleUnit = keyof ReturnType<typeof sampleUnits>

/** How many wrong lines are listed. */
const MAX_SHOWN = 3

/** Reads pasted times, separated by lines, commas, semicolons, tabs or spaces, each with or without a unit. No value is skipped silently. */
export function readSamples(text: string, unit: SampleUnit): Read<readonly Micros[]> {
  const values: Micros[] = []
  const messages: string[] = []
  text.split(/\r\n|\r|\n/).forEach((line, k) => {
    const faulty = lineInto(values, line, unit)
    if (faulty !== null && messages.length <= MAX_SHOWN)
      messages.push(t('line {k}: {faulty}', { k: countText(k + 1), faulty }))
  })
  if (messages.length > MAX_SHOWN) return { message: [...messages.slice(0, MAX_SHOWN), '…'].join('; ') }
  if (messages.length > 0) return { message: messages.join('; ') }
  if (values.length === 0) return noTimes()
  return values.length > MAX_ITEMS ? tooMany() : { value: values }
}

const unitNames = Object.keys(units).join('|')
/** Returns the pattern of the words in a list, each with its unit. `letter`: the pattern of a character that does not separate. */
const wordsOf = (letter: string) =>
  new RegExp(`${letter}*\\d${letter}*(?:[ \\t]+(?:${unitNames})(?![^\\s,;]))?|[^\\s,;]+`, 'gi')
const words = wordsOf('[^\\s,;]')
/** In languages with a decimal comma, a comma before a digit does not separate. */
const wordsWithCommas = wordsOf('(?:[^\\s,;]|,(?=\\d))')

/** Adds the times of a line. Returns what is wrong with the first unreadable one, or null. */
function lineInto(values: Micros[], line: string, unit: SampleUnit): string | null {
  for (const word of line.match(commaIsPoint() ? wordsWithCommas : words) ?? []) {
    const read = readDuration(/^[+-]?[\d.,]+(e[+-]?\d+)?$/i.test(word) ? word + unit : word)
    if ('message' in read || !(read.value >= 1 && read.value <= MAX_MICROS)) return foundText(word, timeText(1))
    values.push(read.value)
  }
  return null
}

/** Reads values, one a line: JSON where the line is JSON, otherwise the line as text. Blank lines are left out. */
export function readValues(text: string): Read<readonly unknown[]> {
  return {
    value: text
      .split(/\r\n|\r|\n/)
      .filter((line) => line.trim() !== '')
      .map(valueIn),
  }
}

/** Writes each value on its line, so that `readValues` returns the same values. */
export function writeValues(values: readonly unknown[]): string {
  return values
    .map((value) => (typeof value === 'string' && isPlainLine(value) ? value : JSON.stringify(value)))
    .join('\n')
}

const isPlainLine = (text: string) => text.trim() !== '' && !/[\r\n]/.test(text) && valueIn(text) === text

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
