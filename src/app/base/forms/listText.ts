import { t } from '../../../language/translate.ts'
import { MAX_ITEMS } from '../../../scenario/model/limits.ts'
import type { Micros, PerSecond } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { type Read, readDuration, writeDuration } from './durationText.ts'
import { commaIsPoint, plainNumber, typedNumber } from './typedNumber.ts'

/** Reads times separated by commas, semicolons, spaces or new lines. */
export function readDurations(text: string): Read<readonly Micros[]> {
  return every(pieces(text), readDuration)
}
export function writeDurations(times: readonly Micros[]): string {
  return times.map(writeDuration).join(commaIsPoint() ? '; ' : ', ')
}

/** Reads whole numbers and ranges of them: '7, 42-45'. */
export function readWholes(text: string): Read<readonly number[]> {
  const numbers: number[] = []
  for (const word of text.split(/[\s,;]+/).filter((each) => each !== '')) {
    const match = /^(\d{1,9})(?:[-–](\d{1,9}))?$/.exec(word)
    if (match === null) return { message: t('"{x}" is no whole number; allowed: numbers such as 7, 42-45', { x: word.slice(0, 20) }) }
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])]
    if (to < from || to - from > 100_000) return { message: t('"{word}" is no stretch of numbers; allowed: at most 100,000, such as 42-45', { word }) }
    for (let n = from; n <= to; n++) numbers.push(n)
  }
  return { value: numbers }
}
export function writeWholes(numbers: readonly number[]): string {
  return numbers.join(', ')
}

/** Reads sizes of groups: '12, 30, 25 x 8' is one of 12, one of 30 and 25 of 8. */
export function readSizes(text: string): Read<readonly number[]> {
  const sizes: number[] = []
  for (const [word, times, size] of text.matchAll(/(\d+)\s*[x×*]\s*(\d+)(?![^\s,;])|[^\s,;]+/gi)) {
    const [many, each] = times === undefined ? [1, word] : [Number(times), size]
    if (!/^\d{1,9}$/.test(each))
      return { message: t('"{x}" is no size; allowed: numbers of jobs such as 12, 30, and 25 × 8 for 25 groups of 8', { x: word.slice(0, 20) }) }
    if (many + sizes.length > MAX_ITEMS) return { message: t('more than {x} groups; allowed: as many as that', { x: countText(MAX_ITEMS) }) }
    for (let k = 0; k < many; k++) sizes.push(Number(each))
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
      return { message: t('"{x}": allowed is a time and a rate on each line, such as 1.5 s 200', { x: line.trim().slice(0, 20) }) }
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
