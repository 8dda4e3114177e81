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
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

/**
 * Returns the JSON Schema (draft 2020-12) of a scenario, made of the checks of `parse`. It accepts whatever `parse` does, and more:
 * it does not check what needs several keys. Descriptions are in the current language.
 */
export function jsonSchema(): JsonSchema {
  return {
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: t('Apportion scenario') },
    description: t('A pipeline, its workers and the policy that shares them. Times are whole microseconds, rates are jobs per second.'),
    ...objectOf(entries, [], meanings()),
  }
}

/** What checks have: valibot's own keys, and our form. */
interface Plain {
  readonly type: string
  readonly form?: Form
  readonly wrapped?: Check<unknown>
  readonly default?: unknown
  readonly literal?: unknown
}

type Meanings = ReturnType<typeof meanings>

/** `place`: the key whose value this is, then the kind of the object it is in, if any. */
function schemaOf(check: Check<unknown>, place: readonly string[], said: Meanings): JsonSchema {
  const { type, form, wrapped, default: byDefault, literal } = check as unknown as Plain
  if (form !== undefined) return schemaOfForm(form, place, said)
  if (type === 'optional' && wrapped !== undefined)
    return { ...schemaOf(wrapped, place, said), ...(byDefault === undefined ? {} : { default: plain(byDefault) }) }
  if (type === 'nullable' && wrapped !== undefined) return { anyOf: [schemaOf(wrapped, place, said), { type: 'null' }] }
  if (type === 'literal') return { const: literal }
  throw new Error(`a check of type ${type} at ${place.join('.')} has no form`)
}

function schemaOfForm({ items, prefixItems, anyOf, each, entries, variants, ...rest }: Form, place: readonly string[], said: Meanings): JsonSchema {
  if (entries !== undefined) return objectOf(entries, place, said)
  if (variants !== undefined) return { oneOf: Object.entries(variants).map(([kind, own], i) => variantOf(kind, own, place, i === 0, said)) }
  return {
    ...rest,
    ...(items === undefined ? {} : { items: schemaOf(items, place, said) }),
    ...(prefixItems === undefined ? {} : { prefixItems: prefixItems.map((item) => schemaOf(item, place, said)) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => schemaOf(one, place, said)) }),
    ...(each === undefined ? {} : { additionalProperties: schemaOf(each, place, said) }),
  }
}

function objectOf(own: Entries, place: readonly string[], said: Meanings): JsonSchema {
  const keys = Object.keys(own)
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, { ...meaning(place, key, said), ...schemaOf(own[key], [key], said) }])),
    required: keys.filter((key) => (own[key] as unknown as Plain).type !== 'optional'),
    additionalProperties: false,
  }
}

/** The first kind is the default. */
function variantOf(kind: string, own: Entries, place: readonly string[], first: boolean, said: Meanings): JsonSchema {
  const { properties, required = [], ...rest } = objectOf(own, [...place, kind], said)
  const named = { ...meaning([...place, kind], 'kind', said), const: kind, ...(first ? { default: kind } : {}) }
  return { ...rest, properties: { kind: named, ...properties }, required: first ? required : ['kind', ...required] }
}

function meaning([owner, kind]: readonly string[], key: string, said: Meanings): { readonly description?: string } {
  const description = owner === undefined ? said[key] : (said[`${owner}.${kind}.${key}`] ?? said[`${owner}.${key}`])
  return description === undefined ? {} : { description }
}

/** Drops undefined values, which JSON does not have. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
