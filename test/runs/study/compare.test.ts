import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playSimulation, summarise } from '../../../src/runs/play/play.ts'
import { firstChoice, MAX_COMPARED, mayRecord, playCompared, underPolicy } from '../../../src/runs/study/compare.ts'
import { comparisonKey } from '../../../src/scenario/model/compact.ts'
import { policies } from '../../../src/scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { append, createTrace } from '../../../src/trace/trace.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { workedExample } from '../../measures/scenarios.ts'
import { digestOf } from '../../trace/digestOf.ts'

function under(scenario: Scenario, kind: PolicyKind): Scenario {
  const parsed = underPolicy(scenario, kind)
  if ('problems' in parsed) throw new Error(parsed.problems[0].message)
  return parsed.scenario
}

describe('a comparison', () => {
  test('has the same results as the headless summaries, digit for digit, for every policy', async () => {
    const scenario = valid({ ...workedExample, source: { kind: 'poisson', rate: 2, jobs: 40 }, workers: 4, seed: 9 })
    for (const kind of Object.keys(policies) as PolicyKind[]) {
      const asked = under(scenario, kind)
      const { metrics: figures, bound } = await playCompared(asked, false)
      const { policy, lowerBound, ...summary } = summarise(await playSimulation(asked, 0))
      expect([kind, figures, bound.time]).toEqual([policy, summary, lowerBound])
    }
  })

  test('returns all events on request: the journals rebuild the same trace', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyScenario({ graphs: true, workerEvents: true, fails: true, capacity: true }),
        async (scenario) => {
          const compared = await playCompared(scenario, true)
          const trace = createTrace(scenario, 'simulation', 0)
          for (const journal of compared.journals ?? []) append(trace, journal)
          const once = await playSimulation(scenario, 0)
          expect(digestOf(trace)).toBe(digestOf(once))
          expect(compared.ending).toBe(once.ending)
          expect(compared.failures).toEqual(once.failures)
        },
      ),
      { numRuns: repeats(40) },
    )
    expect((await playCompared(workedExample, false)).journals).toBeNull()
  })

  test('plays a policy with sensible parameters, keeps the setting for lending, and leaves the own policy as it is', () => {
    const own = valid({ ...workedExample, policy: { kind: 'power', p: 7, lend: false } })
    expect(under(own, 'power')).toBe(own)
    expect(under(own, 'webster').policy).toEqual({ kind: 'webster', lend: false })
    expect(under(own, 'single').policy).toMatchObject({ kind: 'single' })
    expect(under(under(own, 'single'), 'power').policy).toEqual({ kind: 'power', p: 2, lend: true })
    expect(under(own, 'fixed').policy).toMatchObject({ allocation: { A: 1, B: 1 } })
    expect(
      underPolicy(valid({ ...own, workers: 1, cores: 1, policy: { kind: 'adams' } }), 'onePerStage'),
    ).toMatchObject({ problems: [{ path: 'workers' }] })
  })

  test('drops the policies of the phases under another policy, and nothing else of the phases', () => {
    const later = [
      { at: 100, policy: { kind: 'adams', lend: true }, switchCost: 7 },
      { at: 200, policy: { kind: 'webster', lend: true } },
    ]
    const own = valid({ ...workedExample, later })
    expect(under(own, 'jefferson').later).toEqual([{ at: 100, switchCost: 7 }])
    expect(under(own, own.policy.kind).later).toEqual(own.later)
  })

  test('keeps the setting for lending between policies that allow both values', () => {
    const lending = (kind: string, lend: boolean, to: PolicyKind) =>
      under(valid({ ...workedExample, workers: 4, policy: { kind, lend } }), to).policy
    expect(lending('adams', false, 'webster')).toMatchObject({ lend: false })
    expect(lending('adams', true, 'webster')).toMatchObject({ lend: true })
    expect(lending('adams', true, 'onePerStage')).toMatchObject({ lend: false })
    expect(
      under(valid({ ...workedExample, workers: 4, policy: { kind: 'onePerStage' } }), 'adams').policy,
    ).toMatchObject({ lend: true })
  })

  test('keeps records up to exactly two million services of all runs together', () => {
    const of = (jobs: number, stages: number) =>
      valid({
        version: 1,
        source: { kind: 'batch', jobs },
        stages: Array.from({ length: stages }, (_, s) => ({ id: `S${s}` })),
        workers: 4,
      })
    expect([mayRecord(of(250_000, 4), 2), mayRecord(of(250_001, 4), 2), mayRecord(of(250_000, 4), 3)]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('begins with at most six policies, the own one first, that can all play the scenario', () => {
    fc.assert(
      fc.property(anyScenario({ graphs: true }), (scenario) => {
        const kinds = firstChoice(scenario)
        expect(kinds[0]).toBe(scenario.policy.kind)
        expect(new Set(kinds).size).toBe(kinds.length)
        expect(kinds.length).toBeLessThanOrEqual(MAX_COMPARED)
        for (const kind of kinds) expect('scenario' in parse(under(scenario, kind))).toBe(true)
      }),
    )
    expect(firstChoice(workedExample)).toEqual([
      'leastScore',
      'jefferson',
      'longestQueue',
      'backpressure',
      'onePerStage',
      'sinkFirst',
    ])
    const alone = valid({ ...workedExample, workers: 1, cores: 1, policy: { kind: 'webster' } })
    expect(firstChoice(alone)).toEqual([
      'webster',
      'leastScore',
      'jefferson',
      'longestQueue',
      'backpressure',
      'sinkFirst',
    ])
  })

  test('changes if the run changes, not if a card moves or a title changes', () => {
    const key = comparisonKey(workedExample)
    const [first, ...rest] = workedExample.stages
    expect(
      comparisonKey({ ...workedExample, title: 'Other', stages: [{ ...first, position: { x: 1, y: 2 } }, ...rest] }),
    ).toBe(key)
    expect(comparisonKey({ ...workedExample, seed: 2 })).not.toBe(key)
    expect(comparisonKey(under(workedExample, 'adams'))).not.toBe(key)
  })
})
