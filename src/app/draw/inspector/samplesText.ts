import { t } from '../../../language/translate.ts'
import { MAX_ITEMS, MAX_MICROS } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { type Read, readDuration } from '../../base/forms/durationText.ts'
import { commaIsPoint } from '../../base/forms/typedNumber.ts'

/** Returns the units that a number without one may have. */
export const sampleUnits = () => ({ us: t('microseconds'), ms: t('milliseconds'), s: t('seconds') })
export type SampleUnit = keyof ReturnType<typeof sampleUnits>

/** How many wrong lines are listed. */
const MOST_TOLD = 3

/**
 * Reads pasted times, separated by lines, commas, semicolons, tabs or spaces, each with or without a unit. Returns all wrong lines; no value
 * is skipped silently.
 */
export function readSamples(text: string, unit: SampleUnit): Read<readonly Micros[]> {
  const values: Micros[] = []
  const told: string[] = []
  let wrong = 0
  text.split(/\r\n|\r|\n/).forEach((line, k) => {
    const faulty = lineInto(values, line, unit)
    if (faulty === null) return
    wrong++
    if (told.length < MOST_TOLD) told.push(t('line {k}: {faulty}', { k: count(k + 1), faulty }))
  })
  if (wrong > 0)
    return {
      message: `${told.join('; ')}${wrong > told.length ? t('; and {wrong, plural, one {# more line} other {# more lines}}', { wrong: wrong - told.length }) : ''}`,
    }
  if (values.length === 0) return { message: t('allowed: times such as 12.5, 4 ms or 250 us, one at least') }
  if (values.length > MAX_ITEMS) return { message: t('{length} times; allowed: {MAX_ITEMS}', { length: count(values.length), MAX_ITEMS: count(MAX_ITEMS) }) }
  return { value: values }
}

const words = /[^\s,;]*\d[^\s,;]*(?:[ \t]+(?:us|[µμ]s|ms|s|sec|min|m|h)(?![^\s,;]))?|[^\s,;]+/gi
/** Words of a list in languages with a decimal comma: a comma before a digit does not separate. */
const wordsWithCommas = /(?:[^\s,;]|,(?=\d))*\d(?:[^\s,;]|,(?=\d))*(?:[ \t]+(?:[µμ]s|[um]?s|sec|min|[mh]|мк?с|с|сек|мин|[мч])(?![^\s,;]))?|[^\s,;]+/gi

/** Adds the times of a line. Returns what is wrong with the first unreadable one, or null. */
function lineInto(values: Micros[], line: string, unit: SampleUnit): string | null {
  for (const word of line.match(commaIsPoint() ? wordsWithCommas : words) ?? []) {
    const read = readDuration(/^[+-]?[\d.,]+(e[+-]?\d+)?$/i.test(word) ? word + unit : word)
    if ('message' in read || !Number.isFinite(read.value)) return t('"{x}" is no time', { x: word.slice(0, 20) })
    if (read.value < 1) return t('"{x}" is less than 1 µs', { x: word.slice(0, 20) })
    if (read.value > MAX_MICROS) return t('"{x}" is more than 142 years', { x: word.slice(0, 20) })
    values.push(read.value)
  }
  return null
}
