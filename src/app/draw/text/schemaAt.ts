import type { JsonSchema } from '../../../scenario/text/jsonSchema.ts'
import { textOf, type Value } from './outline.ts'

/** Returns what a schema allows at the end of a path of keys; `around` are the values on the way, from the outermost. */
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

/** Returns all alternatives of a schema. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf !== undefined ? schema.anyOf.flatMap(alternativesOf) : (schema.allOf?.map(({ then }) => then) ?? [schema])
}

/** Returns the alternative for the `kind` of an object; the first if it has none. */
export function fitting(text: string, schema: JsonSchema, value: Value | null): readonly JsonSchema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => fitting(text, each, value))
  if (schema.allOf === undefined) return [schema]
  const said = textOf(text, value, 'kind')
  const kinds = alternativesOf(schema)
  if (said === undefined) return kinds.slice(0, 1)
  const fits = kinds.filter(({ properties }) => properties?.kind.const === said)
  // While a kind is being typed, all kinds are offered but no other keys.
  return fits.length > 0 ? fits : [{ properties: schema.properties ?? {} }]
}
