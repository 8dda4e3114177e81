import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import * as limit from '../model/limits.ts'
import { type Kinds, type Param, paramsIn } from '../model/params.ts'
import { policies, policyKinds } from '../model/policies.ts'
import type { Policy, PolicyKind } from '../model/scenario.ts'
import { foundText, listed } from '../model/words.ts'
import { newer } from './checked.ts'
import {
  type Check,
  checkByKind,
  checkList,
  checkOneOf,
  checkPair,
  checkText,
  checkWhole,
  defaulted,
  type Entries,
  formed,
  isPlainObject,
  real,
  textText,
  value,
} from './shape.ts'

export const idPattern = /^[A-Za-z0-9.-]{1,40}$/
export const id = value<string>({ type: 'string', pattern: idPattern.source, not: { enum: ['source', 'sink'] } }, () =>
  t('1 to 40 letters, digits, dots and dashes, not "source" or "sink"'),
)
export const micros = (least: number) => checkWhole(least, limit.MAX_MICROS, () => t(' of microseconds'))

export const boolean = value<boolean>({ type: 'boolean' }, () => listed(['true', 'false'], 'or'))

/** A number of which -0 becomes 0, as in links. */
export function withoutMinusZero(number: Check<number>): Check<number> {
  const plus: (x: number) => number = (x) => x + 0
  return v.pipe(number, v.transform(plus))
}

/** A rate over time. That the times ascend is checked where it is used: see `ascend`. */
const rates = checkList(
  checkPair(
    micros(0),
    real(0, limit.MAX_RATE, () => t(' of jobs per second')),
    '[time, rate]',
  ),
  limit.MAX_ITEMS,
  1,
)

export const workerCount = checkWhole(1, limit.MAX_WORKERS)

/** Control characters, lone surrogates, and marks that change the direction of text. They can disguise a name, or break a link. */
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
        const isHidden = typeof input === 'string' && hidden.test(input)
        return foundText(input, isHidden ? t('visible characters and spaces') : textText(least, limit.MAX_NAME))
      },
    ),
    {
      type: 'string',
      maxLength: limit.MAX_NAME,
      pattern: `^[^${hiddenMarks}]*${least === 1 ? `[^\\s${hiddenMarks}][^${hiddenMarks}]*` : ''}$`,
    },
  )
}

/** The version of a format. A newer one is refused with that reason. */
export function checkVersion(newest: number): Check<number> {
  return formed(
    v.custom<number>(
      (x) => x === newest,
      ({ input }) =>
        typeof input === 'number' && input > newest ? newer(input, newest) : foundText(input, String(newest)),
    ),
    { enum: [newest] },
  )
}

/** A number for each of some stage ids. Which ids are allowed is checked in rules.ts. */
export function byStage(number: Check<number>): Check<Map<string, number>> {
  return v.pipe(
    value<Record<string, unknown>>({ type: 'object', maxProperties: limit.MAX_STAGES, each: number }, () =>
      t('an object with a number for each of at most {most} stage ids', { most: limit.MAX_STAGES }),
    ),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const numbers = new Map<string, number>()
      for (const [key, given] of Object.entries(dataset.value)) {
        const result = v.safeParse(number, given)
        if (result.success) numbers.set(key, result.output)
        else
          addIssue({
            message: result.issues[0].message,
            path: [{ type: 'unknown', origin: 'value', input: given, key, value: given }],
          })
      }
      return dataset.issues ? NEVER : numbers
    }),
  )
}

/** A policy as written in a text: an allocation may still name stages that do not exist. */
export type PolicyDraft =
  | Exclude<Policy, { kind: 'fixed' }>
  | { readonly kind: 'fixed'; readonly allocation: ReadonlyMap<string, number>; readonly lend: boolean }

const never = value<false>({ enum: [false] }, () => 'false')

/** Some policies, each with its own keys, as model/policies.ts describes them. */
export function checkPolicy(kinds: readonly PolicyKind[] = policyKinds): Check<PolicyDraft> {
  const table = Object.fromEntries(kinds.map((kind) => [kind, policies[kind]]))
  return checkTable(table, (kind) => ({
    lend: table[kind].lends ? defaulted(boolean, true) : defaulted(never, false),
  }))
}

/** An object of one of the kinds of a table, with the parameters of its kind and then `more`. */
export function checkTable<T>(table: Kinds, more: (kind: string) => Entries = () => ({})): Check<T> {
  const own = (kind: string) =>
    Object.fromEntries(paramsIn(table[kind]).map(([key, param]) => [key, paramCheck(param)]))
  return checkByKind(
    Object.fromEntries(Object.keys(table).map((kind) => [kind, { ...own(kind), ...more(kind) }])),
  ) as unknown as Check<T>
}

function paramCheck(param: Param): Check<unknown> {
  const check = 'orNone' in param ? v.nullable(valueCheck(param)) : valueCheck(param)
  return param.byDefault === undefined ? check : defaulted<unknown>(check, param.byDefault)
}

const limits = { jobs: limit.MAX_JOBS, workers: limit.MAX_WORKERS }
const seats = checkWhole(0, limit.MAX_WORKERS)
const digest = value<string>({ type: 'string', pattern: '^([0-9a-f]{64})?$' }, () =>
  t('64 hexadecimal digits of SHA-256, or ""'),
)

const json = formed(
  v.pipe(
    v.custom<unknown>(
      (x) => isJson(x, limit.MAX_VALUE_DEPTH),
      ({ input }) => foundText(input, t('JSON, brackets at most {most} deep', { most: limit.MAX_VALUE_DEPTH })),
    ),
    v.transform(copied),
  ),
  {},
)

function isJson(x: unknown, deep: number): boolean {
  if (x === null || typeof x === 'string' || typeof x === 'boolean') return true
  if (typeof x === 'number') return Number.isFinite(x)
  if (deep === 0 || typeof x !== 'object') return false
  // `Array.from` fills holes, which `every` would skip.
  if (Array.isArray(x)) return Array.from(x).every((each) => isJson(each, deep - 1))
  return isPlainObject(x) && Object.values(x).every((each) => isJson(each, deep - 1))
}

/** Returns a copy, in which -0 is 0, as in a text. */
function copied(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function valueCheck(param: Param): Check<unknown> {
  switch (param.is) {
    case 'allocation':
      return byStage(seats)
    case 'allocations':
      return checkList(checkList(seats, limit.MAX_STAGES), limit.MAX_BY_HAND)
    case 'rates':
      return rates
    case 'samples':
      return checkList(micros(1), limit.MAX_ITEMS, 1)
    case 'times':
      return checkList(micros(0))
    case 'sizes':
      return checkList(checkWhole(0, limit.MAX_JOBS))
    case 'text':
      return checkName(0)
    case 'code':
      return checkText(limit.MAX_CODE)
    case 'digest':
      return digest
    case 'values':
      return checkList(json, limit.MAX_VALUES)
    case 'choice':
      return checkOneOf(Object.keys(param.options))
    case 'micros':
      return micros(param.min)
  }
  const { is, min, max = limit.MAX_MICROS, counts } = param
  const most = typeof max === 'number' ? max : limits[max]
  return is === 'whole' ? checkWhole(min, most, counts) : withoutMinusZero(real(min, most, counts))
}
