import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keysOf, outline, spanOf, spotOf } from '../../../../src/app/draw/text/outline.ts'
import { compact } from '../../../../src/scenario/model/compact.ts'
import { pathOf } from '../../../../src/scenario/model/words.ts'
import { formatJson } from '../../../../src/scenario/text/formatJson.ts'
import { anyScenario } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'

/** Every word and number of a plain value, with the keys that lead there. */
function leaves(
  value: unknown,
  keys: readonly (string | number)[] = [],
): { keys: readonly (string | number)[]; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ keys, value }]
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((each, i) => [i, each])
    : Object.entries(value)
  return entries.flatMap(([key, each]) => leaves(each, [...keys, key]))
}

const quick = { numRuns: repeats(100) }
const anyText = anyScenario({ graphs: true }).map((scenario) => formatJson(compact(scenario)))

describe('a path', () => {
  test('leads to the exact word or number in the text, in either format', () => {
    fc.assert(
      fc.property(anyScenario({ graphs: true }), (scenario) => {
        const plain = JSON.parse(JSON.stringify(compact(scenario)))
        for (const text of [formatJson(plain), JSON.stringify(plain, null, 2)]) {
          const root = outline(text)
          for (const { keys, value } of leaves(plain)) {
            const { from, to } = spanOf(root, pathOf(keys))
            const last = keys.at(-1)
            const there = text.slice(from, to)
            expect(there.endsWith(JSON.stringify(value))).toBe(true)
            expect(there.startsWith(typeof last === 'string' ? JSON.stringify(last) : JSON.stringify(value))).toBe(true)
          }
        }
      }),
      quick,
    )
  })

  test('is split into the keys it was made of', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter((key) => !/^\d+$/.test(key))
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(99), word)), (keys) => void expect(keysOf(pathOf(keys))).toEqual(keys)),
    )
  })

  test.each([
    ['to a part that is long leads to its key', 'stages[0].service', '"service"'],
    ['to a stage leads to its bracket', 'stages[1]', '{'],
    ['to what is missing leads to where it belongs', 'stages[0].service.mean', '"service"'],
    ['to the whole leads to its beginning', '', '{'],
    ['of two keys alike leads to the one that counts', 'seed', '"seed": 2'],
  ])('%s', (_, path, there) => {
    const text = '{ "seed": 1, "stages": [{ "id": "A", "service": { "kind": "constant" } }, { "id": "B" }], "seed": 2 }'
    const { from, to } = spanOf(outline(text), path)
    expect(text.slice(from, to)).toBe(there)
  })
})

describe('a text that is being typed', () => {
  test('has an outline wherever it is cut off, and a spot for every cursor', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (whole, cut, cursor) => {
        const text = whole.slice(0, cut % (whole.length + 1))
        const at = cursor % (text.length + 1)
        const spot = spotOf(text, outline(text), at)
        if (spot !== null)
          expect(spot.token.from <= at && spot.token.to >= at && spot.token.to <= text.length).toBe(true)
      }),
      quick,
    )
  })

  test.each([
    ['{ "stages": [{ | }] }', 'key', ['stages', 0]],
    ['{ "policy": { "kind": "le|" } }', 'value', ['policy']],
    ['{ "policy": |', 'value', []],
    ['{ "version": 1, po|', 'key', []],
    ['{ "version": 1 |', 'nothing', []],
    ['{ "links": [["source", "|"]] }', 'value', ['links', 0]],
    ['{ "links": [["source", |]] }', 'value', ['links', 0]],
  ])('%s wants a %s', (marked, wants, keys) => {
    const at = marked.indexOf('|')
    const text = marked.replace('|', '')
    expect(spotOf(text, outline(text), at)).toMatchObject({ wants, keys })
  })
})
