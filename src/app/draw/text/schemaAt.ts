import type { JsonSchema } from '../../../scenario/text/jsonSchema.ts'
import { memberOf, unquoted, type Value } from './outline.ts'

/** What a schema allows at the end of some keys; `around` are the values that the keys lead through, from the outermost. */
export function schemaAt(text: string, schema: JsonSchema, around: readonly (Value | null)[], keys: readonly (string | number)[]): JsonSchema[] {
  return keys.reduce<JsonSchema[]>(
    (found, key, depth) =>
      found
        .flatMap((each) => fitting(text, each, around[depth] ?? null))
        .flatMap(({ properties, additionalProperties, prefixItems, items }) => {
          if (typeof key === 'number') return prefixItems?.[key] ?? items ?? []
          if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key]
          return typeof additionalProperties === 'object' ? additionalProperties : []
        }),
    [schema],
  )
}

/** Every way in which a schema may be met. */
export function ways(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf !== undefined ? schema.anyOf.flatMap(ways) : (schema.oneOf ?? [schema])
}

/** Of the kinds that an object may be, the one that it says it is; the first where it says none. */
export function fitting(text: string, schema: JsonSchema, value: Value | null): readonly JsonSchema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => fitting(text, each, value))
  if (schema.oneOf === undefined) return [schema]
  const kind = memberOf(value, 'kind')?.value
  const said = kind == null ? undefined : unquoted(text.slice(kind.from, kind.to))
  const fits = schema.oneOf.filter(({ properties }) => properties?.kind.const === said)
  if (said === undefined) return schema.oneOf.slice(0, 1)
  // Of a kind that is just being typed there are no keys, but all the kinds.
  return fits.length > 0 ? fits : schema.oneOf.map(({ properties }) => ({ properties: { kind: properties?.kind ?? {} } }))
}
