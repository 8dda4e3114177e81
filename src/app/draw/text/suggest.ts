import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { type EditorView, hoverTooltip } from '@codemirror/view'
import { type Catalogue, catalogue, t } from '../../../language/translate.ts'
import { countText } from '../../../scenario/model/words.ts'
import { onOneLine } from '../../../scenario/text/formatJson.ts'
import { type JsonSchema, jsonSchema } from '../../../scenario/text/jsonSchema.ts'
import { memberOf, outline, type Span, type Spot, spotOf, textOf, type Value } from './outline.ts'

const schemas = new Map<Catalogue, JsonSchema>()

function schema(): JsonSchema {
  const language = catalogue()
  const made = schemas.get(language) ?? jsonSchema()
  schemas.set(language, made)
  return made
}

/** Returns the completions at the cursor: missing keys, words, kinds, ids of stages. */
export function suggest({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const text = state.doc.toString()
  const root = outline(text)
  const spot = spotOf(text, root, pos)
  if (spot === null || spot.wants === 'nothing' || (!explicit && spot.token.from === spot.token.to)) return null
  const options = spot.wants === 'key' ? keyOptions(text, root, spot, pos) : valueOptions(text, root, spot, pos)
  const from = spot.token.from + (text[spot.token.from] === '"' ? 1 : 0)
  return pos < from ? null : { from, options, validFor: /^[\w.$-]*$/ }
}

function keyOptions(
  text: string,
  root: Value | null,
  { around, keys, token, member }: Spot,
  pos: number,
): Completion[] {
  const inside = around[around.length - 1]
  const usedKeys = new Set(inside.members.filter((each) => each !== member).map(({ key }) => key))
  const colon = member?.value == null && !/^\s*:/.test(text.slice(token.to)) ? ': ' : ''
  return schemaAt(text, schema(), around, keys)
    .flatMap((each) => fitting(text, each, inside))
    .flatMap(({ properties = {}, required = [], additionalProperties }) => [
      ...Object.entries(properties).map(([label, { description: info = '' }]): Completion => {
        return { label, type: 'property', boost: required.includes(label) ? 1 : label === '$schema' ? -1 : 0, info }
      }),
      ...(typeof additionalProperties === 'object'
        ? stageIds(text, root).map((label): Completion => ({ label, type: 'variable' }))
        : []),
    ])
    .filter(({ label }, i, all) => !usedKeys.has(label) && all.findIndex((other) => other.label === label) === i)
    .map((option) => ({ ...option, apply: insertion(token, pos, JSON.stringify(option.label) + colon) }))
}

function valueOptions(
  text: string,
  root: Value | null,
  { around, keys, member, token }: Spot,
  pos: number,
): Completion[] {
  const inside = around[around.length - 1]
  const path = [...keys, member?.key ?? inside.members.filter(({ from }) => from < token.from).length]
  const found =
    path[0] === 'links' && path.length === 3
      ? ['source', ...stageIds(text, root), 'sink']
      : path.at(-1) === 'kind'
        ? schemaAt(text, schema(), around, keys)
            .flatMap(alternativesOf)
            .flatMap(({ properties }) => wordsOf(properties?.kind ?? {}))
        : schemaAt(text, schema(), around, path).flatMap(alternativesOf).flatMap(wordsOf)
  return [...new Map(found.map((each) => [labelOf(each), each]))].map(([label, each]) => ({
    label,
    type: 'enum',
    apply: insertion(token, pos, onOneLine(each)),
  }))
}

function wordsOf({ enum: words, const: only, type, properties, default: byDefault }: JsonSchema): readonly unknown[] {
  if (words !== undefined) return words
  if (only !== undefined) return [only]
  if (type === 'boolean') return [true, false]
  if (type === 'null') return [null]
  const kind = properties?.kind?.const
  if (kind !== undefined) return [{ kind }]
  return byDefault === undefined ? [] : [byDefault]
}

function labelOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : onOneLine(value)
}

function stageIds(text: string, root: Value | null): string[] {
  return (memberOf(root, 'stages')?.value?.members ?? []).flatMap(({ value }) => textOf(text, value, 'id') ?? [])
}

/** Returns an edit that replaces the typed part by the whole word with quotes. Typing after `pos` moves the end of that part. */
function insertion(
  { from, to }: Span,
  pos: number,
  insert: string,
): (view: EditorView, completion: Completion, from: number, cursor: number) => void {
  return (view, _completion, _from, cursor) =>
    view.dispatch({
      changes: { from, to: to + cursor - pos, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    })
}

export const meaningAtPointer = hoverTooltip((view, pos) => {
  const text = view.state.doc.toString()
  const spot = spotOf(text, outline(text), pos)
  if (spot?.wants !== 'key' || spot.member === null) return null
  const found = schemaAt(text, schema(), spot.around, [...spot.keys, spot.member.key])
  const words = [found[0]?.description, ...new Set(found.flatMap(bounds))].filter((each) => each !== undefined)
  if (words.length === 0) return null
  const dom = document.createElement('div')
  dom.className = 'cm-meaning'
  dom.textContent = words.join('. ')
  return { pos: spot.member.from, end: spot.member.to, above: true, create: () => ({ dom }) }
})

function bounds(schema: JsonSchema): string[] {
  const ranges = alternativesOf(schema).flatMap(({ minimum, maximum }) =>
    minimum === undefined || maximum === undefined
      ? []
      : t('{from} to {to}', { from: countText(minimum), to: countText(maximum) }),
  )
  return schema.default === undefined || typeof schema.default === 'object'
    ? ranges
    : [...ranges, t('Default: {default}', { default: String(schema.default) })]
}

/** Returns what a schema allows at the end of a path of keys; `around` are the values on the way, from the outermost. */
function schemaAt(
  text: string,
  schema: JsonSchema,
  around: readonly (Value | null)[],
  keys: readonly (string | number)[],
): JsonSchema[] {
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

function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf !== undefined
    ? schema.anyOf.flatMap(alternativesOf)
    : (schema.allOf?.map(({ then }) => then) ?? [schema])
}

/** Returns the alternative for the `kind` of an object; the first if it has none. */
function fitting(text: string, schema: JsonSchema, value: Value | null): readonly JsonSchema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => fitting(text, each, value))
  if (schema.allOf === undefined) return [schema]
  const kind = textOf(text, value, 'kind')
  const kinds = alternativesOf(schema)
  if (kind === undefined) return kinds.slice(0, 1)
  const fits = kinds.filter(({ properties }) => properties?.kind.const === kind)
  // While a kind is being typed, all kinds are offered but no other keys.
  return fits.length > 0 ? fits : [{ properties: schema.properties ?? {} }]
}
