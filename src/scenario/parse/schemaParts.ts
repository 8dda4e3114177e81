import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import * as limit from '../model/limits.ts'
import { type Check, checkWhole, value } from './shape.ts'

export const idPattern = /^[A-Za-z0-9.-]{1,40}$/
export const id = value<string>(
  (x) => typeof x === 'string' && idPattern.test(x) && x !== 'source' && x !== 'sink',
  () => t('1 to 40 letters, digits, dots and dashes, other than "source" and "sink"'),
  { type: 'string', pattern: `^(?!(source|sink)$)${idPattern.source.slice(1)}` },
)
export const micros = (least: number) => checkWhole(least, limit.MAX_MICROS, () => t(' of microseconds'))

export const boolean = value<boolean>(
  (x) => typeof x === 'boolean',
  () => t('true or false'),
  { type: 'boolean' },
)

/** A number for each of some stage ids. Which ids are allowed is checked in rules.ts. */
export function byStage(number: Check<number>, what: () => string): Check<Map<string, number>> {
  return v.pipe(
    value<Record<string, unknown>>(
      (x) => typeof x === 'object' && x !== null && !Array.isArray(x) && Object.keys(x).length <= limit.MAX_STAGES,
      () => t('an object of at most {most} stage ids with {what} each', { most: limit.MAX_STAGES, what: what() }),
      { type: 'object', maxProperties: limit.MAX_STAGES, each: number },
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
