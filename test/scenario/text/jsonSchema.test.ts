import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compact } from '../../../src/scenario/model/compact.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { type JsonSchema, jsonSchema } from '../../../src/scenario/text/jsonSchema.ts'
import { meanings } from '../../../src/scenario/text/meanings.ts'
import { withBranches } from '../../fixtures/anyBranches.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const schema = jsonSchema()
const accepts = new Ajv2020({ strictTuples: false }).compile(schema)
/** The text in a file. */
const written = (x: unknown): unknown => JSON.parse(JSON.stringify(x))

describe('the JSON Schema', () => {
  test('that is published is the one of this parser; npm run schema writes it', () => {
    expect(JSON.parse(readFileSync('public/scenario.schema.json', 'utf8'))).toEqual(written(schema))
  })

  test('accepts any result of the parser, complete and without its defaults', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyScenario({ graphs: true }).chain(withBranches),
          anyScenario({ policies: elasticPolicies, clients: true }),
        ),
        (scenario) => {
          expect(accepts(written(scenario)), JSON.stringify(accepts.errors)).toBe(true)
          expect(accepts(written(compact(scenario))), JSON.stringify(accepts.errors)).toBe(true)
        },
      ),
      { numRuns: repeats(150) },
    )
  })

  const stage = { id: 'A' }
  const right = { $schema: './scenario.schema.json', version: 1, stages: [stage], workers: 2 }

  test('may be named by a scenario, which does not change its meaning', () => {
    const { $schema, ...without } = right
    expect(accepts(right)).toBe(true)
    expect(parse(right)).toEqual(parse(without))
    expect(parse(right)).toHaveProperty('scenario.workers', 2)
  })

  test.each([
    ['no version', { version: undefined }],
    ['another version', { version: 2 }],
    ['an unknown key', { titel: 'x' }],
    ['a schema that is no text', { $schema: 1 }],
    ['a title with a hidden character', { title: 'a\u202eb' }],
    ['no stages', { stages: [] }],
    ['no workers', { workers: 0 }],
    ['half a worker', { workers: 1.5 }],
    ['a seed out of bounds', { seed: 4_294_967_296 }],
    ['a stage called source', { stages: [{ id: 'source' }] }],
    ['a stage without an id', { stages: [{}] }],
    ['a name of spaces', { stages: [{ ...stage, name: '  ' }] }],
    ['a service of another kind', { stages: [{ ...stage, service: { kind: 'normal', mean: 1 } }] }],
    ['a service without its mean', { stages: [{ ...stage, service: { kind: 'pareto', alpha: 2 } }] }],
    ['a key of another kind', { stages: [{ ...stage, service: { kind: 'constant', mean: 1, k: 2 } }] }],
    ['an unknown discipline', { stages: [{ ...stage, discipline: 'lifo2' }] }],
    ['a weight of nothing', { stages: [{ ...stage, fanOut: { route: { B: 0 } } }] }],
    ['a link to nowhere', { links: [['source']] }],
    ['a rate below 0', { source: { kind: 'poisson', rate: -1, jobs: 3 } }],
    ['points without a time', { source: { kind: 'curve', points: [[1]], jobs: 3 } }],
    ['lending where the policy is pinned', { policy: { kind: 'single', lend: true } }],
    ['three batches in hand', { batch: { inHand: 3 } }],
  ])('refuses %s, as the parser does', (_, patch) => {
    const wrong = written({ ...right, ...patch })
    expect(accepts(wrong)).toBe(false)
    expect(parse(wrong)).toHaveProperty('problems')
  })

  test('has patterns that Python and Go read too: no classes of Unicode, and no lookahead', () => {
    const patterns = [...JSON.stringify(schema).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text) as string,
    )
    expect(patterns.length).toBeGreaterThan(5)
    expect(patterns.filter((pattern) => /\\[^sSx]|\(\?|\\x(?![0-9a-f]{2})/.test(pattern))).toEqual([])
  })

  test('explains every key, and has a key for every explanation', () => {
    const described = new Set<string>()
    const silent: string[] = []
    const walk = (node: JsonSchema, place: string) => {
      for (const [key, value] of Object.entries(node.properties ?? {})) {
        if (value.description === undefined) silent.push(`${place}.${key}`)
        else described.add(value.description)
        walk(value, `${place}.${key}`)
      }
      const below = [
        node.items,
        ...(node.prefixItems ?? []),
        ...(node.anyOf ?? []),
        ...(node.allOf ?? []).map(({ then }) => then),
      ]
      for (const each of below) if (each !== undefined) walk(each, place)
    }
    walk(schema, '')
    expect(silent).toEqual([])
    expect(Object.values(meanings()).filter((words) => !described.has(words))).toEqual([])
  })
})
