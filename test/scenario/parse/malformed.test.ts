import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { withBranches } from '../../fixtures/anyBranches.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'

/** Scenarios with every kind of source, service, policy, fault, phase and branch among them; a fixed list. */
const many: readonly Scenario[] = [
  ...fc.sample(anyScenario({ graphs: true }).chain(withBranches), { seed: 1, numRuns: 30 }),
  ...fc.sample(anyScenario({ policies: elasticPolicies }), { seed: 2, numRuns: 10 }),
  ...fc.sample(anyScenario({ shards: true, policies: ['leastScore', 'fixed'] }), {
    seed: 3,
    numRuns: 6,
  }),
  ...presets.filter((_, i) => i % 3 === 0).map(({ scenario }) => scenario),
]

/** Without placeholders or blanks in place of words. */
const inWords =
  /^(?!.*( {2,}| ,|;$|: ?$|\{\w*\}|undefined|Stryker))(found .+; allowed: .*[\w)}\]"]|unknown key; allowed keys?: \w.*)$/

type Path = readonly (string | number)[]

/** Every place of plain JSON, except the whole. */
function* placesOf(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  // The values of a source may be anything that JSON can say.
  if (typeof value !== 'object' || value === null || isFree(path)) return
  // The first items of a long list represent the others.
  const keys = Array.isArray(value) ? [...value.keys()].slice(0, 3) : Object.keys(value)
  for (const key of keys) yield* placesOf((value as Record<string | number, unknown>)[key], [...path, key])
}

const isFree = (path: Path) => path[0] === 'source' && path[1] === 'values' && path.length > 2

function withValue(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
  copy[key] = withValue(copy[key], rest, put)
  return copy
}

const problemsOf = (input: unknown) => {
  const parsed = parse(input)
  return 'problems' in parsed ? parsed.problems : []
}
const spelled = (path: Path) =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )

describe('a value of the wrong kind', () => {
  test('of any key is the only problem in any scenario: no check reads it that needs a valid value', () => {
    for (const scenario of many) {
      const whole = { ...scenario } as Readonly<Record<string, unknown>>
      for (const key of Object.keys(whole)) {
        if (key === 'version') continue
        for (const wrong of [true, [true]]) {
          const problems = problemsOf({ ...whole, [key]: wrong })
          expect(
            problems.map(({ path }) => path.replace(/\[0\]$/, '')),
            `${key} of ${scenario.title}, ${scenario.seed}`,
          ).toEqual([key])
          expect(problems[0].message).toMatch(inWords)
        }
      }
    }
  })

  test('anywhere is found at its path or at the object around it, and the message says which values are allowed', () => {
    const places = new Set<string>()
    for (const scenario of many)
      for (const path of placesOf(JSON.parse(JSON.stringify(scenario)))) {
        // If kinds are alike, one scenario is enough.
        const kind = path.map((key) => (typeof key === 'number' ? '#' : key)).join('.')
        const around = path
          .slice(0, -1)
          .reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], scenario)
        const place = `${kind} ${String((around as { readonly kind?: unknown }).kind)}`
        if (path[0] === 'version' || places.has(place)) continue
        places.add(place)
        const problems = problemsOf(withValue(scenario, path, Symbol.iterator))
        expect(problems, place).toHaveLength(1)
        // Ids of stages that are no words are in quotes.
        if (!/(allocation|route)\./.test(kind)) expect(problems[0].path, place).toBe(spelled(path))
        expect(problems[0].message, place).toMatch(inWords)
      }
    expect(places.size).toBeGreaterThan(120)
  })

  test('next to a key of another kind is named together with the allowed keys', () => {
    for (const scenario of many.slice(0, 20))
      for (const path of placesOf(JSON.parse(JSON.stringify(scenario)))) {
        const value = path.reduce<unknown>((around, key) => (around as Record<string | number, unknown>)[key], scenario)
        if (
          typeof value !== 'object' ||
          value === null ||
          Array.isArray(value) ||
          /allocation|route/.test(String(path.at(-1))) ||
          isFree(path)
        )
          continue
        const problems = problemsOf(withValue(scenario, [...path, 'strange'], 1))
        expect(problems.map((problem) => problem.path)).toEqual([spelled([...path, 'strange'])])
        expect(problems[0].message).toMatch(inWords)
      }
  })
})
