import { t } from '../../language/translate.ts'
import { entries } from '../parse/schema.ts'
import type { Check, Entries, Form } from '../parse/shape.ts'
import { meanings } from './meanings.ts'

/** The part of JSON Schema that a scenario needs. */
export interface JsonSchema extends Omit<Form, 'items' | 'prefixItems' | 'anyOf' | 'each' | 'entries' | 'variants'> {
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  /** One for each kind of an object: if it is of this kind, then it has these keys. */
  readonly allOf?: readonly { readonly if: JsonSchema; readonly then: JsonSchema }[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

/** Returns the JSON Schema (draft 2020-12), with descriptions in the current language. It does not check rules over several keys. */
export function jsonSchema(): JsonSchema {
  return {
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: t('Apportion scenario') },
    description: t('Times are whole microseconds, rates are jobs per second.'),
    ...objectOf(entries, [], meanings()),
  }
}

/** The properties of a check: valibot's own keys, and our form. */
interface Plain {
  readonly type: string
  readonly form?: Form
  readonly wrapped?: Check<unknown>
  readonly default?: unknown
  readonly literal?: unknown
}

type Meanings = ReturnType<typeof meanings>

/** `place`: the key whose value this is, then the kind of the object it is in, if any. */
function schemaOf(check: Check<unknown>, place: readonly string[], texts: Meanings): JsonSchema {
  const { type, form, wrapped, default: byDefault, literal } = check as unknown as Plain
  if (form !== undefined) return schemaOfForm(form, place, texts)
  if (type === 'optional' && wrapped !== undefined)
    return { ...schemaOf(wrapped, place, texts), ...(byDefault === undefined ? {} : { default: plain(byDefault) }) }
  if (type === 'nullable' && wrapped !== undefined)
    return { anyOf: [schemaOf(wrapped, place, texts), { type: 'null' }] }
  if (type === 'literal') return { const: literal }
  throw new Error(`a check of type ${type} at ${place.join('.')} has no form`)
}

function schemaOfForm(
  { items, prefixItems, anyOf, each, entries, variants, ...rest }: Form,
  place: readonly string[],
  texts: Meanings,
): JsonSchema {
  if (entries !== undefined) return objectOf(entries, place, texts)
  if (variants !== undefined) return kindsOf(variants, place, texts)
  return {
    ...rest,
    ...(items === undefined ? {} : { items: schemaOf(items, place, texts) }),
    ...(prefixItems === undefined ? {} : { prefixItems: prefixItems.map((item) => schemaOf(item, place, texts)) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => schemaOf(one, place, texts)) }),
    ...(each === undefined ? {} : { additionalProperties: schemaOf(each, place, texts) }),
  }
}

function objectOf(own: Entries, place: readonly string[], texts: Meanings): JsonSchema {
  const keys = Object.keys(own)
  return {
    type: 'object',
    properties: Object.fromEntries(
      keys.map((key) => [key, { ...meaning(place, key, texts), ...schemaOf(own[key], [key], texts) }]),
    ),
    required: keys.filter((key) => (own[key] as unknown as Plain).type !== 'optional'),
    additionalProperties: false,
  }
}

/** The first kind is the default. One list of kinds lets a validator name them where the kind is wrong; alternatives would be refused as a whole. */
function kindsOf(variants: Readonly<Record<string, Entries>>, place: readonly string[], texts: Meanings): JsonSchema {
  const kinds = Object.keys(variants)
  // An object that every kind may have is described once.
  const common = Object.entries(variants[kinds[0]]).filter(
    ([key, check]) =>
      (check as unknown as Plain).wrapped !== undefined &&
      kinds.every((kind) => variants[kind][key] === check) &&
      isRecord(check),
  )
  const shared = common.map(([key]) => key)
  return {
    type: 'object',
    properties: {
      kind: { ...meaning([...place, kinds[0]], 'kind', texts), enum: kinds, default: kinds[0] },
      ...objectOf(Object.fromEntries(common), place, texts).properties,
    },
    allOf: kinds.map((kind, i) => ({
      if: { properties: { kind: { const: kind } }, ...(i === 0 ? {} : { required: ['kind'] }) },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: variantOf(kind, variants[kind], shared, place, texts),
    })),
  }
}

function isRecord(check: Check<unknown>): boolean {
  return (check as unknown as { readonly wrapped: Plain }).wrapped.form?.entries !== undefined
}

function variantOf(
  kind: string,
  all: Entries,
  shared: readonly string[],
  place: readonly string[],
  texts: Meanings,
): JsonSchema {
  const own = Object.fromEntries(Object.entries(all).filter(([key]) => !shared.includes(key)))
  const { properties, ...rest } = objectOf(own, [...place, kind], texts)
  const allowed = Object.fromEntries(shared.map((key) => [key, meaning([...place, kind], key, texts)]))
  return {
    ...rest,
    properties: { kind: { ...meaning([...place, kind], 'kind', texts), const: kind }, ...properties, ...allowed },
  }
}

function meaning([holder, kind]: readonly string[], key: string, texts: Meanings): { readonly description?: string } {
  // A start-up and the patience of clients are described as a service is.
  const owner = holder === 'startUp' || holder === 'after' ? 'service' : holder
  // A branch and a phase change keys of the scenario.
  const inherited = owner === undefined || owner === 'branches' || owner === 'later' ? texts[key] : undefined
  const description = texts[`${owner}.${kind}.${key}`] ?? texts[`${owner}.${key}`] ?? inherited
  return description === undefined ? {} : { description }
}

/** Drops undefined values, which JSON does not have. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
