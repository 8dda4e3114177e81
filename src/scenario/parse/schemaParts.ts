import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import * as limit from '../model/limits.ts'
import type { Problem } from '../model/scenario.ts'
import { countText, foundText, problemAt, quoted } from '../model/words.ts'
import { type Check, checkList, checkPair, checkWhole, formed, real, value } from './shape.ts'
import { newer } from './upgrades.ts'

export const idPattern = /^[A-Za-z0-9.-]{1,40}$/
export const id = value<string>({ type: 'string', pattern: idPattern.source, not: { enum: ['source', 'sink'] } }, () =>
  t('1 to 40 letters, digits, dots and dashes, other than "source" and "sink"'),
)
export const micros = (least: number) => checkWhole(least, limit.MAX_MICROS, () => t(' of microseconds'))

export const boolean = value<boolean>({ type: 'boolean' }, () => t('true or false'))

/** A number of which -0 becomes 0, as in links. */
export function withoutMinusZero(number: Check<number>): Check<number> {
  const plus: (x: number) => number = (x) => x + 0
  return v.pipe(number, v.transform(plus))
}

export const rateOrNone = real(0, limit.MAX_RATE, () => t(' of jobs per second'))
/** A rate over time. That the times ascend is checked where it is used: see `ascend`. */
export const rates = checkList(
  checkPair(micros(0), rateOrNone, () => t('a pair [time, rate]')),
  limit.MAX_ITEMS,
  1,
)

/** Returns the problem of the first time that is less than the one before. */
export function ascend(path: string, times: readonly number[], inner: string): Problem[] {
  const i = times.findIndex((time, n) => n > 0 && time < times[n - 1])
  return i < 0
    ? []
    : problemAt(`${path}[${i}]${inner}`, foundText(times[i], t('at least {times}, the one before: times stand in order', { times: countText(times[i - 1]) })))
}

/** A number of workers. */
export const workerCount = checkWhole(1, limit.MAX_WORKERS)

/** Control characters, lone surrogates, and marks that change the direction of text. They hide what a name says, or break a link. */
export const hidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
/** The same without surrogates, in characters that every regular expression reads. */
const hiddenMarks = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069'
export function checkName(least: 0 | 1): Check<string> {
  return formed(
    v.custom<string>(
      (x) =>
        typeof x === 'string' &&
        x.length <= 2 * limit.MAX_NAME &&
        Array.from(x).length <= limit.MAX_NAME &&
        (least === 0 || x.trim() !== '') &&
        !hidden.test(x),
      (issue) => {
        const { input } = issue
        if (typeof input === 'string' && hidden.test(input))
          return t('found {input}, which has a character that controls the text; allowed: visible characters and spaces', { input: quoted(input) })
        return foundText(
          input,
          least === 1
            ? t('a text of 1 to {most} characters, not only spaces', { most: limit.MAX_NAME })
            : t('a text of at most {most} characters', { most: limit.MAX_NAME }),
        )
      },
    ),
    { type: 'string', maxLength: limit.MAX_NAME, pattern: `^[^${hiddenMarks}]*${least === 1 ? `[^\\s${hiddenMarks}][^${hiddenMarks}]*` : ''}$` },
  )
}

/** The version of a format. A newer one is refused with that reason. */
export function checkVersion(newest: number): Check<number> {
  return formed(
    v.custom<number>(
      (x) => x === newest,
      ({ input }) => (typeof input === 'number' && input > newest ? newer(input, newest) : foundText(input, String(newest))),
    ),
    { enum: [newest] },
  )
}

/** A number for each of some stage ids. Which ids are allowed is checked in rules.ts. */
export function byStage(number: Check<number>, what: () => string): Check<Map<string, number>> {
  return v.pipe(
    value<Record<string, unknown>>({ type: 'object', maxProperties: limit.MAX_STAGES, each: number }, () =>
      t('an object of at most {most} stage ids with {what} each', { most: limit.MAX_STAGES, what: what() }),
    ),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const numbers = new Map<string, number>()
      for (const [key, given] of Object.entries(dataset.value)) {
        const result = v.safeParse(number, given)
        if (result.success) numbers.set(key, result.output)
        else addIssue({ message: result.issues[0].message, path: [{ type: 'unknown', origin: 'value', input: given, key, value: given }] })
      }
      return dataset.issues ? NEVER : numbers
    }),
  )
}
