import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Flip } from '../../../src/allocation/flip.ts'
import { isDivisorRule } from '../../../src/allocation/rules.ts'
import { savedWithin } from '../../../src/allocation/switchAware.ts'
import { loadCode } from '../../../src/features/code/sandbox/loadCode.ts'
import { type Decision, decisionAt } from '../../../src/measures/decisions/decision.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { flipSentenceOf } from '../../../src/measures/decisions/flipWords.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { costsOf } from '../../../src/measures/figures/serviceCosts.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { policies, startingParams } from '../../../src/scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { decisionIndexAt } from '../../../src/trace/findRows.ts'
import { catchUp } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../scenarios.ts'

/** A line of constant services, in milliseconds, under which worker 3 moves from B at 1.04 s. */
const line = scenarioWith({
  source: { kind: 'batch', jobs: 40 },
  stages: [
    ['A', 60],
    ['B', 80],
    ['C', 100],
  ].map(([id, ms]) => ({ id, service: { kind: 'constant', mean: Number(ms) * 1000 } })),
  workers: 4,
})

const told = (scenario: Scenario, decision: Decision) => sentenceText(flipSentenceOf(scenario, decision, (us) => `${Math.round(us / 100) / 10} ms`))

async function decisionsOf(scenario: Scenario): Promise<Decision[]> {
  const trace = await playSimulation(scenario, 0, undefined, loadCode)
  const estimateHistory = createEstimateHistory(trace)
  return Array.from({ length: trace.decisions.length }, (_, d) => decisionAt(trace, estimateHistory, d))
}

describe('what would have changed a decision', () => {
  test('of a stage whose target fell it says the queue and the mean that would have kept it, and who would have paid', async () => {
    const trace = await playSimulation(line, 0)
    const decision = decisionAt(trace, createEstimateHistory(trace), decisionIndexAt(trace, 1_040_000))
    expect([decision.time, sentenceText(sentenceOf(line, decision))]).toEqual([
      1_040_000,
      'Workers 2 and 3 finished a job each. Targets: C 1 to 2 and B 2 to 1. By quotient, C comes before B. Worker 2 stays at B. Worker 3 moves from B to C.',
    ])
    expect(told(line, decision)).toBe(
      'The target for B would not have fallen with 14 waiting instead of 12, or above 91.7 ms a service instead of 80 ms; at the cost of C.',
    )
    // 14 x 80 / 6 = 186.7 beats C's claim to the same seat, 11 x 100 / 6 = 183.3; 13 x 80 / 6 = 173.3 does not.
    expect(decision.stages.map(({ waiting, seatsBefore, seatsAfter }) => [waiting, seatsBefore, seatsAfter])[1]).toEqual([12, 2, 1])
    expect(decision.stages[2].work / 6 / 80_000).toBeCloseTo(183.3 / 80, 2)
  })

  test('a stage that is done has the target 0, and the closest call is named if no target changed', async () => {
    const [first, second, third] = await decisionsOf(workedExample)
    expect(told(workedExample, third)).toBe('A is done: its target is 0.')
    expect(told(workedExample, second)).toBe(
      'The target for A would not have fallen with 6 waiting instead of 1, or above 6000 ms a service instead of 1000 ms; at the cost of B.',
    )
    expect(told(workedExample, first)).toBe('Closest call: with 2 waiting instead of none, the target for B would be one higher; at the cost of A.')
    const [, fixed] = await decisionsOf(scenarioWith({ ...workedExample, policy: { kind: 'onePerStage' } }))
    expect(told(workedExample, fixed)).toBe('Nothing would have changed it: queues and service times are not looked at.')
  })

  test('every policy has an answer: how far it was by its votes, or what it looks at instead', async () => {
    const others: Record<string, object> = {
      fixed: { allocation: { A: 1, B: 1 } },
      greenThreads: { perStage: 1 },
      byHand: { allocations: [[1, 1]] },
      code: { source: 'export default () => [1, 1]' },
    }
    for (const kind of Object.keys(policies) as PolicyKind[]) {
      const scenario = scenarioWith({ ...workedExample, policy: { kind, ...startingParams(kind), ...others[kind] } })
      const [decision] = await decisionsOf(scenario)
      expect([kind, told(scenario, decision)]).toEqual([kind, expect.stringMatching(/^[A-Z].+\.$/)])
      expect(decision.flips.length > 0).toBe(isDivisorRule(kind) || kind === 'hamilton' || kind === 'exhaustive')
    }
  })

  test('least total time by trying all is as far from another answer as by quotients', async () => {
    const [, tried] = await decisionsOf(scenarioWith({ ...workedExample, policy: { kind: 'exhaustive' } }))
    const [, dealt] = await decisionsOf(workedExample)
    expect(tried.flips).toEqual(dealt.flips)
  })

  test('of any decision by quotients it is a sentence, and names every stage whose target fell', async () => {
    const openings = new Set<string>()
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        for (const decision of await decisionsOf(scenario)) {
          const text = told(scenario, decision)
          if (text !== '') expect(text).toMatch(/^([A-Z]|[a-z] ).*\.$/)
          if (decision.flips.length === 0) expect(text).toMatch(decision.policy === 'switchAware' ? /^(?:One worker fewer|No other move) / : /^N/)
          const losers = decision.stages.flatMap(({ seatsBefore, seatsAfter }, s) => (seatsAfter < seatsBefore ? [s] : []))
          for (const s of losers.slice(0, 3)) {
            const gain = decision.flips[s]?.gain
            if (decision.flips.length === 0 || gain === null) continue
            expect(text).toContain(`${scenario.stages[s].name} ${decision.stages[s].done ? 'is done' : ''}`.trim())
            if (gain !== undefined && gain.waiting !== null) expect(text).toContain(`with ${String(gain.waiting).replace(/\B(?=(\d{3})+$)/g, ',')} waiting`)
          }
          openings.add(text.replace(/ with .*/, '').replace(/\b(q|B|a|C)\b/g, '*'))
        }
      }),
      { numRuns: 60, seed: 3 },
    )
    for (const opening of ['The target for * would not have fallen', 'The target for * would have been one higher']) expect([...openings]).toContain(opening)
  })
})

describe('told from a decision by hand', () => {
  const scenario = scenarioWith({ source: { kind: 'batch', jobs: 1 }, stages: ['A', 'B', 'C', 'D'].map((id) => ({ id })), workers: 9 })
  type Given = { waiting?: number; had: number; has: number; done?: boolean; gain?: Flip | null; loss?: Flip | null }
  const flip = (waiting: number | null, mean: number | null, other: number): Flip => ({ waiting, mean, with: other })
  const say = (given: readonly Given[], orders: Decision['orders'] = []) =>
    told(scenario, {
      policy: 'leastScore',
      stages: given.map(({ waiting = 5, had, has, done = false }) => ({ waiting, mean: 2000, done, seatsBefore: had, seatsAfter: has })),
      flips: given.map(({ done, gain = null, loss = null }) => (done ? null : { gain, loss })),
      orders,
    } as unknown as Decision)
  const moved = (from: number, stage: number) => ({ worker: 0, from, stage, jobs: 1, job: 0, prefetch: false })

  test('a stage says the queue, the service time or both that would have kept its target, or that none would', () => {
    const fell = (gain: Flip | null, had = 2) =>
      say([
        { had, has: 1, gain },
        { had: 1, has: had },
      ])
    expect(fell(flip(8, null, 1))).toBe('The target for A would not have fallen with 8 waiting instead of 5; at the cost of B.')
    expect(fell(flip(null, 3000, 2))).toBe('The target for A would not have fallen above 3 ms a service instead of 2 ms; at the cost of C.')
    expect(fell(flip(null, 2010, 2))).toBe('The target for A would not have fallen at anything above 2 ms a service; at the cost of C.')
    expect(fell(flip(8, 3000, 1), 4)).toBe(
      'The target for A would have been one higher with 8 waiting instead of 5, or above 3 ms a service instead of 2 ms; at the cost of B.',
    )
    expect(fell(flip(null, null, 1))).toBe('No queue length at A would have kept its target.')
    expect(fell(null)).toBe('')
    expect(
      say([
        { had: 2, has: 0, done: true },
        { had: 0, has: 2 },
      ]),
    ).toBe('A is done: its target is 0.')
  })

  test('three stages whose targets fell are told at most', () => {
    const all = say([0, 1, 2, 3].map((s) => ({ had: 2, has: 1, gain: flip(9, null, (s + 1) % 4) })))
    expect(all.match(/The target for (.)/g)).toEqual(['The target for A', 'The target for B', 'The target for C'])
  })

  test('where only workers left, the stage says what would have raised its target', () => {
    const left = (gain: Flip | null) =>
      say(
        [
          { had: 1, has: 1, gain, loss: flip(1, null, 1) },
          { had: 1, has: 1 },
        ],
        [moved(0, 1)],
      )
    expect(left(flip(8, null, 1))).toBe('The target for A would have been one higher with 8 waiting instead of 5; at the cost of B.')
    expect(left(flip(null, null, 1))).toBe('No queue length at A would have raised its target.')
    // A worker that stays has not left.
    expect(
      say(
        [
          { had: 1, has: 1, gain: flip(8, null, 1) },
          { had: 1, has: 1 },
        ],
        [moved(0, 0)],
      ),
    ).toMatch(/^Closest call: /)
  })

  test('the closest call is the one with the fewest jobs more or less, the first of equals', () => {
    const near = (...given: [gain: Flip | null, loss: Flip | null][]) => say(given.map(([gain, loss]) => ({ had: 1, has: 1, gain, loss })))
    expect(near([flip(9, null, 1), null], [flip(8, null, 2), flip(3, null, 3)])).toBe(
      'Closest call: with 3 waiting instead of 5, the target for B would be one lower; in favour of D.',
    )
    expect(near([flip(7, null, 1), flip(3, null, 2)], [null, null])).toBe(
      'Closest call: with 7 waiting instead of 5, the target for A would be one higher; at the cost of B.',
    )
    expect(near([null, flip(0, null, 2)], [flip(null, 3000, 0), null])).toBe(
      'Closest call: with none waiting instead of 5, the target for A would be one lower; in favour of C.',
    )
    expect(near([flip(null, 3000, 1), null], [null, null])).toBe('Nothing at one stage alone would have changed it.')
  })

  test('switch-aware policies tell the best move that was not made', () => {
    const aware = scenarioWith({ ...scenario, policy: { kind: 'switchAware', horizon: 4000 }, switchCost: 700 })
    const best = (alternative: Decision['alternative']) =>
      told(aware, { policy: 'switchAware', stages: [], orders: [], flips: [], scoreAfter: 8000, alternative } as unknown as Decision)
    const move = (scoreAfter: number) => ({ from: 0, to: 2, scoreBefore: 8000, scoreAfter })
    const saved = Math.round(savedWithin(4000, 2000, 8000) / 100) / 10
    expect(best(move(6000))).toBe(
      `One worker fewer for A and one more for C would have saved ${saved} ms within the horizon of 4 ms; a change of stage costs 0.7 ms.`,
    )
    expect(best(move(8000))).toBe('No other move of a worker would have saved time.')
    expect(best(null)).toBe('No other move of a worker would have saved time.')
  })
})

test('service times are shown as declared and as measured over the whole run', async () => {
  const trace = await playSimulation(
    scenarioWith({
      ...workedExample,
      stages: [
        { id: 'A', service: { kind: 'exponential', mean: 1000 }, changes: [{ from: 2, service: { kind: 'constant', mean: 7 } }] },
        workedExample.stages[1],
      ],
    }),
    0,
  )
  catchUp(trace)
  const [a, b] = costsOf(trace)
  expect(b).toEqual({ declared: 1_000_000, changes: false, measured: 1_000_000, services: 3 })
  expect([a.declared, a.changes, a.services]).toEqual([1000, true, 3])
  expect(a.measured).toBe(trace.head.counts.serviceSum[0] / 3)
  expect(costsOf({ ...trace, head: { ...trace.head, counts: { ...trace.head.counts, finished: new Int32Array(2) } } })[0].measured).toBeNaN()
})
