import * as v from 'valibot'
import { t } from '../../language/translate.ts'
import { MAX_ITEMS, MAX_PROBLEMS, MAX_TEXT } from '../model/limits.ts'
import { countText, foundText, listed, numberText, objectText, quoted } from '../model/words.ts'

/** Checks name what was found and what is allowed, read own keys only and stop at as many problems as are shown, however long the input. */

export type Check<T> = v.GenericSchema<unknown, T>
export type CheckedBy<C extends Check<unknown>> = v.InferOutput<C>
export type Entries = Readonly<Record<string, Check<unknown>>>
type Output<E extends Entries> = { -readonly [K in keyof E]: v.InferOutput<E[K]> }

/** What a check accepts, in the words of JSON Schema, with checks where JSON Schema has schemas. jsonSchema.ts writes it out. */
export interface Form
  extends Readonly<
    Partial<Record<'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems' | 'maxProperties', number>>
  > {
  readonly type?: string
  readonly enum?: readonly unknown[]
  /** A regular expression of the kind that Python and Go read too: without `\p{...}`, and without looking ahead. */
  readonly pattern?: string
  readonly not?: { readonly enum: readonly string[] }
  readonly items?: Check<unknown>
  readonly prefixItems?: readonly Check<unknown>[]
  readonly anyOf?: readonly Check<unknown>[]
  /** For each value of an object with free keys. */
  readonly each?: Check<unknown>
  readonly entries?: Entries
  readonly variants?: Readonly<Record<string, Entries>>
}

/** Attaches a form to a check. `v.pipe` keeps it. */
export function formed<T>(check: Check<T>, form: Form): Check<T> {
  return Object.assign(check, { form })
}

/** What is allowed, in the current language. It ends the sentence `found ...; allowed: ...`. */
type Words = () => string

/** A value of this form. The contents of a list or an object are not checked. */
export function value<T>(form: Form, allowed: Words): Check<T> {
  const message: v.ErrorMessage<v.CustomIssue> = (issue) => foundText(issue.input, allowed())
  return formed(v.custom<T>(accepts(form), message), form)
}

/** Returns a predicate: whether a value has the form. Contents of lists and objects are not checked. */
function accepts(form: Form): (x: unknown) => boolean {
  const { type, enum: words, not, pattern = '', maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = form
  const { minItems = 0, maxItems = Infinity, maxProperties = Infinity } = form
  const wanted = new RegExp(pattern)
  if (words !== undefined) return (x) => words.includes(x)
  switch (type) {
    case 'boolean':
      return (x) => typeof x === 'boolean'
    case 'integer':
      return (x) => Number.isInteger(x) && (x as number) >= minimum && (x as number) <= maximum
    case 'number':
      return (x) => typeof x === 'number' && x >= minimum && x <= maximum
    case 'string':
      return (x) => typeof x === 'string' && x.length <= maxLength && wanted.test(x) && !not?.enum.includes(x)
    case 'array':
      return (x) => Array.isArray(x) && x.length >= minItems && x.length <= maxItems
    case 'object':
      return (x) => typeof x === 'object' && x !== null && !Array.isArray(x) && Object.keys(x).length <= maxProperties
    default:
      return isPlainObject
  }
}

export const anything: Check<unknown> = v.unknown()

const noUnit: Words = () => ''

export function checkWhole(least: number, most: number, unit = noUnit): Check<number> {
  return value({ type: 'integer', minimum: least, maximum: most }, () => wholeText(least, most, unit()))
}

export function wholeText(least: number, most: number, unit = ''): string {
  return least === most
    ? countText(least)
    : t('a whole number{unit} from {least} to {most}', { unit, least: countText(least), most: countText(most) })
}

export function real(least: number, most: number, unit = noUnit): Check<number> {
  return value({ type: 'number', minimum: least, maximum: most }, () => numberText(least, most, unit()))
}

/** A whole number from 0 to 2^53 - 1. */
export const wholeNumber = checkWhole(0, Number.MAX_SAFE_INTEGER)

/** A text of any characters, counted in UTF-16 units. */
export function checkText(most = MAX_TEXT): Check<string> {
  return value({ type: 'string', maxLength: most }, () => textText(0, most))
}

export function textText(least: number, most: number): string {
  return t('a text of {least} to {most} characters', { least, most: countText(most) })
}

/** One of a few words. A word of a later version is refused with that reason. */
export function checkOneOf<const T extends string>(words: readonly T[], later: readonly string[] = []): Check<T> {
  const form: Form = { enum: words }
  return formed(
    v.custom<T>(accepts(form), (issue) => wrongWord(issue.input, words, later)),
    form,
  )
}

function wrongWord(given: unknown, words: readonly string[], later: readonly string[]): string {
  if (typeof given === 'string' && later.includes(given))
    return t('found {given}; this version can play {words}', {
      given: quoted(given),
      words: listed(words),
    })
  return foundText(given, listed(words, 'or'))
}

/** A check with a default: the key may be left out. */
export function defaulted<T>(check: Check<T>, byDefault: T): Check<T> {
  return v.optional(check, byDefault as never) as Check<T>
}

/** A key that may be left out, and whose default depends on other keys. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return v.optional(check) as Check<T | undefined>
}

/** A key that may be null, or left out, which means null. */
export function orNull<T>(check: Check<T>): Check<T | null> {
  return defaulted<T | null>(v.nullable(check), null)
}

/** A list. Its length is checked before its items. */
export function checkList<T>(item: Check<T>, most = MAX_ITEMS, least = 0): Check<readonly T[]> {
  return v.pipe(
    value<unknown[]>({ type: 'array', items: item, minItems: least, maxItems: most }, () =>
      t('a list of {least} to {most}', { least, most: countText(most) }),
    ),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const read: T[] = []
      let problems = 0
      for (let i = 0; i < dataset.value.length && problems <= MAX_PROBLEMS; i++) {
        const result = run(item, dataset.value[i])
        if (result.issues === undefined) read.push(result.value)
        else problems += pass(result.issues, addIssue, i, dataset.value)
      }
      return problems > 0 ? NEVER : read
    }),
  )
}

/** `form`: its items, such as `[from, to]`. */
export function checkPair<A, B>(first: Check<A>, second: Check<B>, form: string): Check<readonly [A, B]> {
  return v.pipe(
    value<unknown[]>({ type: 'array', prefixItems: [first, second], minItems: 2, maxItems: 2 }, () =>
      t('a pair {form}', { form }),
    ),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const a = run(first, dataset.value[0])
      const b = run(second, dataset.value[1])
      if (a.issues) pass(a.issues, addIssue, 0, dataset.value)
      if (b.issues) pass(b.issues, addIssue, 1, dataset.value)
      return a.issues || b.issues ? NEVER : ([a.value, b.value] as const)
    }),
  )
}

/** An object with exactly these keys. If the page itself stored it, keys of other versions are dropped. */
export function checkRecord<E extends Entries>(
  entries: E,
  others: 'refused' | 'left out' = 'refused',
): Check<Output<E>> {
  const read = recordReader(entries, others)
  return readWith<Output<E>>(
    value<object>({ entries }, () => objectText(Object.keys(entries))),
    read,
  )
}

type Variants = Readonly<Record<string, Entries>>
type OneOf<Key extends string, V extends Variants> = {
  [K in keyof V]: { readonly [_ in Key]: K } & Output<V[K]>
}[keyof V]

/** An object whose `kind` (by default the first of `variants`) decides which other keys it has. */
export function checkByKind<V extends Variants>(variants: V): Check<OneOf<'kind', V>> {
  return checkByKey('kind', variants, Object.keys(variants)[0])
}

/** Like `checkByKind`, for another key, which may only be left out if there is a default. */
export function checkByKey<Key extends string, V extends Variants>(
  key: Key,
  variants: V,
  byDefault?: string,
): Check<OneOf<Key, V>> {
  const kinds = Object.keys(variants)
  const readers = new Map(
    kinds.map((kind) => [kind, recordReader({ [key]: v.optional(v.literal(kind), kind), ...variants[kind] })]),
  )
  return readWith<OneOf<Key, V>>(
    value<object>({ variants }, () => objectText([key, '...'])),
    (input) => {
      const given: unknown = own(input, key)
      const read = readers.get((given === undefined ? byDefault : given) as string)
      return (
        read?.(input) ?? { output: {}, issues: [{ message: wrongWord(given, kinds, []), path: [step(input, key)] }] }
      )
    },
  )
}

/** A check of an object whose keys another function reads. */
function readWith<T>(check: Check<object>, read: RecordReader): Check<T> {
  return v.pipe(
    check,
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const { output, issues } = read(dataset.value)
      for (const issue of issues) addIssue(issue as never)
      return issues.length > 0 ? NEVER : (output as T)
    }),
  )
}

/** A problem before its path is written: the message and the keys that lead to it. */
export type Issue = { readonly message: string; readonly path: [v.IssuePathItem, ...v.IssuePathItem[]] }

export type RecordReader = (input: object) => { readonly output: Record<string, unknown>; readonly issues: Issue[] }

/** Returns a function that reads the known keys and reports unknown ones. If some are wrong, the output holds the others. */
export function recordReader(entries: Entries, others: 'refused' | 'left out' = 'refused'): RecordReader {
  const known = v.object(entries, (issue) => foundText(undefined, allowedIn(entries, String(issue.path?.at(-1)?.key))))
  return (input) => {
    const issues: Issue[] = []
    const result = known['~run']({ value: input }, {})
    for (const issue of result.issues ?? [])
      if (issue.path !== undefined) issues.push({ message: issue.message, path: issue.path as Issue['path'] })
    if (others === 'refused') issues.push(...unknownKeys(input, entries))
    return { output: result.value as Record<string, unknown>, issues }
  }
}

/** Like `safeParse`, but fast for valid plain values, because lists are long. */
function run<T>(
  check: Check<T>,
  given: unknown,
): { readonly value: T; readonly issues?: readonly v.BaseIssue<unknown>[] | undefined } {
  const { type, check: accepts } = check as { type: string; check?: (x: unknown) => boolean }
  if (type === 'custom' && accepts !== undefined && !('pipe' in check) && accepts(given)) return { value: given as T }
  return check['~run']({ value: given }, {}) as { value: T; issues?: readonly v.BaseIssue<unknown>[] }
}

function unknownKeys(input: object, entries: Entries): Issue[] {
  const issues: Issue[] = []
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(entries, key)) continue
    issues.push({
      message: t('unknown key; allowed keys: {entries}', { entries: listed(Object.keys(entries)) }),
      path: [step(input, key)],
    })
    if (issues.length > MAX_PROBLEMS) break
  }
  return issues
}

/** Returns what a check allows, for the problem of a missing key. */
function allowedIn(entries: Entries, key: string): string {
  const { message } = entries[key] as { message?: unknown }
  const text: unknown = typeof message === 'function' ? message({ input: undefined }) : ''
  return String(text).replace(foundText(undefined, ''), '')
}

export function isPlainObject(x: unknown): boolean {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return false
  const prototype: unknown = Object.getPrototypeOf(x)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function own(input: object, key: string): unknown {
  return Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined
}

function step(input: unknown, key: string | number): v.IssuePathItem {
  return { type: 'unknown', origin: 'value', input, key, value: undefined }
}

/** Passes issues of an inner value on, with its key in front, and returns their number. */
function pass(
  issues: readonly v.BaseIssue<unknown>[],
  addIssue: (issue: never) => void,
  key: number,
  input: unknown,
): number {
  for (const issue of issues)
    addIssue({ message: issue.message, path: [step(input, key), ...(issue.path ?? [])] } as never)
  return issues.length
}
