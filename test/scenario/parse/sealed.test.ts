import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { removeStage, writePart } from '../../../src/scenario/edit/edits.ts'
import { readFragment, toJsonFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { seal, unsealedText, withHidden, withoutHidden } from '../../../src/scenario/model/hidden.ts'
import type { Hidden, Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { readPart, withPart } from '../../../src/scenario/parse/part.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const two = {
  version: 1,
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 73_100 } },
    { id: 'B', service: { kind: 'constant', mean: 73_100 } },
  ],
  workers: 2,
  policy: { kind: 'adams' },
}
const policy: Hidden = { kind: 'policy' }
const ofA: Hidden = { kind: 'service', stage: 'A' }

/** Scenarios of every kind that hide the policy, the service times of some stages, or both. */
const anyMystery = anyScenario({ graphs: true }).chain((scenario) =>
  fc
    .subarray<Hidden>([policy, ...scenario.stages.map(({ id }): Hidden => ({ kind: 'service', stage: id }))], {
      minLength: 1,
    })
    .map((hidden): Scenario => ({ ...scenario, hidden })),
)

interface Sealed {
  readonly stages: readonly Record<string, unknown>[]
  readonly hidden: readonly { readonly sealed: string }[]
}
const written = (scenario: Scenario) => compact(scenario) as unknown as Sealed

function problemsOf(input: unknown): readonly string[] {
  const parsed = parse(input)
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('the hidden part of a scenario', () => {
  test('is unchanged after a link of both forms, a file, and a thread', () => {
    fc.assert(
      fc.property(anyMystery, (scenario) => {
        expect(valid(JSON.parse(JSON.stringify(compact(scenario))))).toEqual(scenario)
        expect(valid(structuredClone(scenario))).toEqual(scenario)
        for (const write of [toJsonFragment, toShortFragment])
          expect(readFragment(write(scenario))).toMatchObject({ scenario, problems: [] })
      }),
      { numRuns: repeats(100) },
    )
  })

  test('is in no text: a stage has neither time nor changes, a seal has letters and no digits', () => {
    fc.assert(
      fc.property(anyMystery, (scenario) => {
        const { stages, hidden, ...rest } = written(scenario)
        for (const secret of scenario.hidden)
          if (secret.kind === 'policy') expect(rest).not.toHaveProperty('policy')
          else
            expect(Object.keys(stages.find(({ id }) => id === secret.stage) ?? {})).not.toEqual(
              expect.arrayContaining(['service']),
            )
        for (const { sealed } of hidden) expect(sealed).toMatch(/^[a-p]+$/)
      }),
    )
    const text = decodeURIComponent(
      toJsonFragment(valid({ ...two, hidden: [policy, ofA, { kind: 'service', stage: 'B' }] })),
    )
    for (const hidden of ['731', '73.1', 'constant', 'mean', 'adams']) expect(text).not.toContain(hidden)
  })

  test('looks different at each stage, and a seal of a short name is as long as that of a long one', () => {
    const [a, b] = written(valid({ ...two, hidden: [ofA, { kind: 'service', stage: 'B' }] })).hidden
    expect(a.sealed).not.toBe(b.sealed)
    const lengths = ['dean', 'adams', 'leastScore', 'huntingtonHill', 'onePerStage'].map(
      (kind) => written(valid({ ...two, policy: { kind }, hidden: [policy] })).hidden[0].sealed.length,
    )
    expect(new Set(lengths).size).toBe(1)
  })

  test('is refused with its place if one letter of the seal differs', () => {
    fc.assert(
      fc.property(anyMystery, fc.nat(), fc.integer({ min: 1, max: 15 }), (scenario, at, by) => {
        const given = written(scenario)
        const { sealed } = given.hidden[0]
        const k = at % sealed.length
        const spoilt =
          sealed.slice(0, k) + String.fromCharCode(97 + ((sealed.charCodeAt(k) - 97 + by) % 16)) + sealed.slice(k + 1)
        const [problem] = problemsOf({
          ...given,
          hidden: [{ ...given.hidden[0], sealed: spoilt }, ...given.hidden.slice(1)],
        })
        expect(problem).toBe(
          'hidden[0].sealed: this seal is damaged or belongs to another place. Copy the whole scenario and try again.',
        )
      }),
    )
  })

  test('is refused if it is at another stage, is also visible, or hides nothing', () => {
    const given = written(valid({ ...two, hidden: [ofA] }))
    const [a] = given.hidden
    const bare = { ...two, stages: [{ id: 'A' }, { id: 'B' }] }
    expect(problemsOf({ ...bare, hidden: [{ ...a, stage: 'B' }] })).toEqual([
      expect.stringMatching(/^hidden\[0\]\.sealed: this seal is damaged/),
    ])
    expect(problemsOf({ ...given, stages: two.stages })).toEqual([
      expect.stringMatching(/^hidden\[0\]\.sealed: the service time of "A" is sealed here and also stands/),
    ])
    expect(
      problemsOf({
        ...two,
        hidden: [{ kind: 'policy', sealed: written(valid({ ...two, hidden: [policy] })).hidden[0].sealed }],
      }),
    ).toEqual([expect.stringMatching(/^hidden\[0\]\.sealed: the policy is sealed here and also stands/)])
    expect(problemsOf({ ...two, hidden: [{ kind: 'service', stage: 'Z' }] })).toEqual([
      'hidden[0].stage: "Z" is not a stage',
    ])
    expect(problemsOf({ ...two, hidden: [policy, policy] })).toEqual([
      'hidden[1]: this is hidden already; name it once',
    ])
    expect(problemsOf({ ...two, hidden: [{ kind: 'title' }] })).toEqual([
      expect.stringMatching(/^hidden\[0\]\.kind: found "title"; allowed: service or policy/),
    ])
    expect(problemsOf({ ...two, hidden: [{ kind: 'policy', sealed: 'Zz9' }] })).not.toEqual([])
  })

  test.each<[string, object]>([
    ['has no stage', { kind: 'service' }],
    ['has a number as its stage', { kind: 'service', stage: 7 }],
    ['has a stage that does not exist', { kind: 'service', stage: 'Z' }],
    ['has a stage by a name that every object has', { kind: 'service', stage: '__proto__' }],
    ['has another kind', { kind: 'constructor', stage: 'A' }],
  ])('is refused if its seal %s, and nothing of the seal is used', (_, hidden) => {
    const sealed = seal({ service: { kind: 'constant', mean: 9 } }, 'service A ')
    for (const stages of [two.stages, [], 'A', [null, 7, { id: 7 }, { id: 'A' }]])
      expect(problemsOf({ ...two, stages, hidden: [{ ...hidden, sealed }] })).not.toEqual([])
  })

  test('is refused if it is of the other kind, or if the stage also has changes', () => {
    const given = written(valid({ ...two, hidden: [policy, ofA] }))
    const [ofPolicy, ofService] = given.hidden
    const bare = { version: 1, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 }
    const damaged = expect.stringMatching(/^hidden\[0\]\.sealed: this seal is damaged or belongs to another place/)
    expect(problemsOf({ ...bare, hidden: [{ kind: 'policy', sealed: ofService.sealed }] })).toEqual([damaged])
    expect(problemsOf({ ...bare, hidden: [{ kind: 'service', stage: 'A', sealed: ofPolicy.sealed }] })).toEqual([
      damaged,
    ])
    const changes = [{ from: 2, service: { kind: 'constant', mean: 5 } }]
    expect(problemsOf({ ...bare, stages: [{ id: 'A', changes }, { id: 'B' }], hidden: [ofService] })).toEqual([
      expect.stringMatching(/^hidden\[0\]\.sealed: the service time of "A" is sealed here and also stands/),
    ])
  })

  test('brings nothing but the service and changes of its own stage', () => {
    const sealed = seal({ service: { kind: 'constant', mean: 9 }, changes: [], id: 'Z', capacity: 1 }, 'service A ')
    const { stages } = valid({
      version: 1,
      stages: [{ id: 'A' }, { id: 'B' }],
      workers: 2,
      hidden: [{ kind: 'service', stage: 'A', sealed }],
    })
    expect(stages.map(({ id, capacity }) => [id, capacity])).toEqual([
      ['A', null],
      ['B', null],
    ])
    expect(stages[0].service).toEqual({ kind: 'constant', mean: 9 })
    for (const value of [[], null, 7, 'x']) {
      const of = {
        version: 1,
        stages: [{ id: 'A' }],
        workers: 2,
        hidden: [{ kind: 'service', stage: 'A', sealed: seal(value, 'service A ') }],
      }
      expect(problemsOf(of)).toEqual([expect.stringMatching(/^hidden\[0\]\.sealed: this seal is damaged/)])
    }
  })

  test('is refused if a branch sets it', () => {
    const at = { at: 500_000 }
    expect(
      problemsOf({
        ...two,
        hidden: [ofA],
        branches: [{ ...at, stages: [{ id: 'A', from: 3, service: { kind: 'constant', mean: 9 } }] }],
      }),
    ).toEqual([expect.stringMatching(/^hidden\[0\]\.stage: a branch says what "A" costs/)])
    expect(problemsOf({ ...two, hidden: [policy], branches: [{ ...at, policy: { kind: 'dean' } }] })).toEqual([
      expect.stringMatching(/^hidden\[0\]: a branch says/),
    ])
    expect(problemsOf({ ...two, hidden: [policy, ofA], branches: [{ ...at, workers: 4 }] })).toEqual([])
  })

  test('covers only the keys of its kind: of a stage its service and changes', () => {
    const scenario = valid({ ...two, hidden: [ofA, policy] })
    const sealed = written(scenario).hidden.map((each, i) =>
      JSON.parse(unsealedText(each.sealed, ['service A ', 'policy '][i]) ?? ''),
    )
    expect(sealed).toEqual([{ service: { kind: 'constant', mean: 73_100 } }, { kind: 'adams' }])
  })

  test('moves with its stage, and a copied stage hides it too', () => {
    const scenario = valid({ ...two, hidden: [policy, ofA] })
    expect(removeStage(scenario, 'A').hidden).toEqual([policy])
    const text = writePart(scenario, ['A'])
    expect(text).not.toContain('73')
    const part = readPart(text)
    if ('problems' in part) throw new Error(part.problems[0].message)
    const pasted = withPart(scenario, part, { x: 0, y: 0 }).scenario
    expect(pasted.hidden).toEqual([policy, ofA, { kind: 'service', stage: 'C' }])
    expect(pasted.stages[2].service).toEqual(two.stages[0].service)
    // A whole scenario may be pasted too; its policy is left out with the other settings.
    const whole = readPart(JSON.stringify(compact(scenario)))
    expect(whole).toMatchObject({ hidden: [ofA], stages: [{ service: two.stages[0].service }, {}] })
  })

  test('becomes visible when it is removed from the list', () => {
    const scenario = valid(two)
    expect(withoutHidden(withHidden(withHidden(scenario, ofA), ofA), ofA)).toEqual(scenario)
    expect(withoutHidden(scenario, policy)).toBe(scenario)
  })
})

describe('a seal', () => {
  test('holds any JSON, for its place only', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, where, other) => {
        const sealed = seal(value, where)
        expect(sealed).toMatch(/^[a-p]+$/)
        expect(JSON.parse(unsealedText(sealed, where) ?? 'null')).toEqual(JSON.parse(JSON.stringify(value)))
        if (other !== where) expect(unsealedText(sealed, other)).toBeNull()
      }),
    )
  })

  test('of any other text does not exist', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[a-p]{0,60}$/)),
        (text) => unsealedText(text, 'policy ') === null,
      ),
    )
  })
})
