import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { decisionIndexAt, decisionTime } from '../../../src/trace/follow.ts'
import { createTrace } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../scenarios.ts'

const seats = (trace: Awaited<ReturnType<typeof playSimulation>>) => {
  const estimateHistory = createEstimateHistory(trace)
  return Array.from({ length: trace.decisions.length }, (_, d) => decisionAt(trace, estimateHistory, d))
}

describe('the decisions of the worked example', () => {
  test('saw (3,0), (1,2), (0,2) seconds of work and gave (2,0), (1,1), (0,2) seats', async () => {
    const decisions = seats(await playSimulation(workedExample, 0))
    expect(decisions.map(({ stages }) => stages.map(({ waiting }) => waiting))).toEqual([
      [3, 0],
      [1, 2],
      [0, 2],
    ])
    expect(decisions.slice(1).map(({ stages }) => stages.map(({ work }) => work))).toEqual([
      [1_000_000, 2_000_000],
      [0, 2_000_000],
    ])
    expect(decisions.map(({ stages }) => stages.map(({ seatsAfter }) => seatsAfter))).toEqual([
      [2, 0],
      [1, 1],
      [0, 2],
    ])
    expect(decisions.map(({ stages }) => stages.map(({ seatsBefore }) => seatsBefore))).toEqual([
      [0, 0],
      [2, 0],
      [1, 1],
    ])
    expect(decisions.map(({ stages }) => stages.map(({ done }) => done))).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ])
    expect(decisions.map(({ time }) => time)).toEqual([0, 1_000_000, 2_000_000])
    expect(decisions.every(({ verified }) => verified)).toBe(true)
  })

  test('show their rounds, with quotients work / ((seats + 1)(seats + 2))', async () => {
    const [, second] = seats(await playSimulation(workedExample, 0))
    expect(second.rounds.map(({ quotients, winner, runnerUp }) => ({ quotients, winner, runnerUp }))).toEqual([
      { quotients: [500_000, 1_000_000], winner: 1, runnerUp: 0 },
      { quotients: [500_000, 1_000_000 / 3], winner: 0, runnerUp: 1 },
    ])
  })

  test('name the facts before them and the orders after them', async () => {
    const [first, second, third] = seats(await playSimulation(workedExample, 0))
    expect(first.facts).toEqual([
      { kind: 'arrived', worker: -1, stage: -1, jobs: 3, job: 0 },
      { kind: 'exhausted', worker: -1, stage: -1, jobs: 1, job: -1 },
    ])
    expect(first.orders.map(({ worker, from, stage, jobs }) => [worker, from, stage, jobs])).toEqual([
      [0, -1, 0, 1],
      [1, -1, 0, 1],
    ])
    expect(second.facts.map(({ kind, worker, stage }) => [kind, worker, stage])).toEqual([
      ['finished', 0, 0],
      ['finished', 1, 0],
    ])
    expect(second.orders.map(({ worker, from, stage }) => [worker, from, stage])).toEqual([
      [1, 0, 1],
      [0, 0, 0],
    ])
    expect(third.orders.length).toBe(2)
  })

  test('tell how far each stage is from losing and from gaining a seat', async () => {
    const [, second, third] = seats(await playSimulation(workedExample, 0))
    // A's second seat: at 6 x 1 s / 6 it equals the 2 s / 2 of B's only seat, and A wins a tie.
    expect(second.flips[0]).toEqual({
      gain: { rival: 1, waiting: 6, mean: 6e6 },
      loss: { rival: 1, waiting: 0, mean: (2e6 / 6) * 2 },
    })
    expect(second.flips[1]?.gain).toEqual({ rival: 0, waiting: 4, mean: 1.5e6 })
    expect(third.flips).toEqual([null, { gain: null, loss: null }])
  })

  test('show quotas under Hamilton, pressures under backpressure, and other powers under the power family', async () => {
    const under = async (policy: object) =>
      seats(await playSimulation(scenarioWith({ ...workedExample, policy }), 0))[1]
    const hamilton = await under({ kind: 'hamilton' })
    // Votes of 1 and 2 s, two seats.
    expect(hamilton.quotas?.map((quota) => quota.toFixed(3))).toEqual(['0.667', '1.333'])
    expect(hamilton.stages.map(({ seatsAfter }) => seatsAfter)).toEqual([1, 1])
    expect([hamilton.rounds, hamilton.pressures]).toEqual([[], null])
    expect(hamilton.others.some(({ rule }) => rule === 'hamilton')).toBe(false)
    expect(hamilton.others.map(({ rule }) => rule)).toContain('leastScore')
    const pressed = await under({ kind: 'backpressure' })
    expect(pressed.pressures).toEqual([-1 / 1e6, 2 / 1e6])
    expect([pressed.quotas, pressed.others]).toEqual([null, []])
    const powers = ({ others }: Awaited<ReturnType<typeof under>>) =>
      others.filter(({ rule }) => rule === 'power').map(({ power }) => power)
    expect(powers(await under({ kind: 'power', p: 2 }))).toEqual([8])
    expect(powers(await under({ kind: 'power', p: 5 }))).toEqual([2, 8])
    const queue = await under({ kind: 'longestQueue' })
    expect(queue.rounds.map(({ quotients }) => quotients)).toEqual([
      [1, 2],
      [1, 1],
    ])
    expect(queue.others).toEqual([])
  })

  test('have a sentence each', async () => {
    const decisions = seats(await playSimulation(workedExample, 0))
    expect(decisions.map((decision) => sentenceText(sentenceOf(workedExample, decision)))).toEqual([
      '3 jobs arrived. Target for A: 0 to 2. All waiting jobs are at A. Workers 1 and 2 start at A.',
      'Workers 1 and 2 finished. Targets: B 0 to 1 and A 2 to 1. By quotient, B comes before A. Worker 2 moves from A to B. Worker 1 stays at A.',
      'Workers 1 and 2 finished. Targets: B 1 to 2 and A 1 to 0. A is done. Worker 2 stays at B. Worker 1 moves from A to B.',
    ])
    expect(sentenceOf(workedExample, decisions[0])).toEqual([
      { text: '3 jobs arrived. Target for ' },
      { text: 'A', stage: 0 },
      { text: ': 0 to 2. All waiting jobs are at ' },
      { text: 'A', stage: 0 },
      { text: '. Workers ' },
      { text: '1', worker: 0 },
      { text: ' and ' },
      { text: '2', worker: 1 },
      { text: ' start at ' },
      { text: 'A', stage: 0 },
      { text: '.' },
    ])
  })

  test('are found by time', async () => {
    const trace = await playSimulation(workedExample, 0)
    expect([-1, 0, 999_999, 1_000_000, 2_500_000].map((t) => decisionIndexAt(trace, t))).toEqual([-1, 0, 0, 1, 2])
    expect([0, 1, 2].map((d) => decisionTime(trace, d))).toEqual([0, 1_000_000, 2_000_000])
    expect(() => decisionAt(trace, createEstimateHistory(trace), 3)).toThrow(RangeError)
    expect(decisionIndexAt(createTrace(workedExample, 'simulation', 0), 5)).toBe(-1)
  })
})

describe('any decision', () => {
  test('is the input of the scheduler: the stored hash agrees, and the rounds lead to the given seats', async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        for (const decision of seats(trace)) {
          seen++
          const { verified, rule, rounds, stages, index } = decision
          expect(verified, `decision ${index}`).toBe(true)
          expect(decisionIndexAt(trace, decision.time)).toBeGreaterThanOrEqual(index)
          const text = sentenceText(sentenceOf(scenario, decision))
          expect(text).toMatch(/^[A-Z0-9].*\.$/)
          if (rule === null) continue
          for (const { tied } of rounds) expect(tied).toEqual([...tied].sort((a, b) => a - b))
          for (const { quotients, winner } of rounds)
            expect(quotients[winner]).toBe(Math.max(...quotients.filter((quotient) => quotient >= 0)))
          expect(stages.map((_, s) => rounds.filter(({ winner }) => winner === s).length)).toEqual(
            stages.map(({ seatsAfter }) => seatsAfter),
          )
          if (rule === 'leastScore' && decision.alternative !== null)
            expect(decision.alternative.scoreAfter).toBeGreaterThan(decision.scoreAfter * (1 - 1e-12))
        }
      }),
      { numRuns: repeats(60) },
    )
    expect(seen).toBeGreaterThan(repeats(400) / 2)
  })
})

describe('a decision that gives second batches', () => {
  test('names the workers that get a prefetched batch, and does not call them helpers', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 6 },
      stages: [{ id: 'A', name: 'Read' }],
      workers: 2,
      batch: { size: 1, inHand: 2 },
      policy: { kind: 'onePerStage' },
    })
    const trace = await playSimulation(scenario, 0)
    const decision = decisionAt(trace, createEstimateHistory(trace), 0)
    expect(decision.orders.map(({ worker, prefetch: ahead }) => [worker, ahead])).toEqual([
      [0, false],
      [0, true],
    ])
    expect(decision.verified).toBe(true)
    expect(sentenceText(sentenceOf(scenario, decision))).toContain(
      'Worker 1 starts at Read. Worker 1 gets its next batch at Read in advance.',
    )
    const lending = scenarioWith({
      source: { kind: 'batch', jobs: 6 },
      stages: [{ id: 'A', name: 'Read' }],
      workers: 2,
      batch: { size: 1, inHand: 2 },
    })
    const other = await playSimulation(lending, 0)
    const first = decisionAt(other, createEstimateHistory(other), 0)
    expect(first.orders).toHaveLength(4)
    expect(sentenceText(sentenceOf(lending, first))).not.toContain('above its target')
  })
})
