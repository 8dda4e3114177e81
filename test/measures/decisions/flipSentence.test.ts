import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocateWorkers } from '../../../src/allocation/allocateWorkers.ts'
import { exchangeSeats } from '../../../src/allocation/apportion.ts'
import { type Ballot, castForeseen, castVotes, createBallot } from '../../../src/allocation/ballot.ts'
import { hamilton } from '../../../src/allocation/hamilton.ts'
import { divisorsOf, isDivisorRule, weightsInto } from '../../../src/allocation/rules.ts'
import { savedWithin } from '../../../src/allocation/switchAware.ts'
import { loadCode } from '../../../src/features/code/sandbox/loadCode.ts'
import { type Decision, decisionAt, foreseenIn } from '../../../src/measures/decisions/decision.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { flipSentenceOf } from '../../../src/measures/decisions/flipWords.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { costsOf } from '../../../src/measures/figures/serviceCosts.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { tieOrder } from '../../../src/scenario/model/linearStages.ts'
import { policies, policyKinds, startingParams } from '../../../src/scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../../src/scenario/model/schedule.ts'
import { decisionIndexAt } from '../../../src/trace/follow.ts'
import { catchUp } from '../../../src/trace/trace.ts'
import { duration, exactDuration } from '../../../src/views/drawing/format.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { workedExample } from '../scenarios.ts'

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

const textOf = (scenario: Scenario, decision: Decision) =>
  sentenceText(flipSentenceOf(scenario, decision, (us) => `${Math.round(us / 100) / 10} ms`))

async function decisionsOf(scenario: Scenario): Promise<Decision[]> {
  const trace = await playSimulation(scenario, 0, undefined, loadCode)
  const estimateHistory = createEstimateHistory(trace)
  return Array.from({ length: trace.decisions.length }, (_, d) => decisionAt(trace, estimateHistory, d))
}

describe('what would have changed a decision', () => {
  test('for a stage whose target fell, names the queue and the mean that would have kept it, and the stage that would lose instead', async () => {
    const trace = await playSimulation(line, 0)
    const decision = decisionAt(trace, createEstimateHistory(trace), decisionIndexAt(trace, 1_040_000))
    expect([decision.time, sentenceText(sentenceOf(line, decision))]).toEqual([
      1_040_000,
      'Workers 2 and 3 finished. Targets: C 1 to 2 and B 2 to 1. By quotient, C comes before B. Worker 2 stays at B. Worker 3 moves from B to C.',
    ])
    expect(textOf(line, decision)).toBe('With 14 waiting (not 12), the target for B would be 2 (not 1), from C.')
    // 14 x 80 / 6 = 186.7 beats the quotient of C for this seat, 11 x 100 / 6 = 183.3; 13 x 80 / 6 = 173.3 does not.
    expect(
      decision.stages.map(({ waiting, seatsBefore, seatsAfter }) => [waiting, seatsBefore, seatsAfter])[1],
    ).toEqual([12, 2, 1])
    expect(decision.stages[2].work / 6 / 80_000).toBeCloseTo(183.3 / 80, 2)
  })

  test('a stage that is done has the target 0, and the closest call is named if no target changed', async () => {
    const [first, second, third] = await decisionsOf(workedExample)
    expect(textOf(workedExample, third)).toBe('A is done: its target is 0.')
    expect(textOf(workedExample, second)).toBe('With 6 waiting (not 1), the target for A would be 2 (not 1), from B.')
    expect(textOf(workedExample, first)).toBe(
      'Closest call: with 2 waiting (not 0), the target for B would be 1 (not 0), from A.',
    )
    const [, fixed] = await decisionsOf(scenarioWith({ ...workedExample, policy: { kind: 'onePerStage' } }))
    expect(textOf(workedExample, fixed)).toBe('This policy sets targets without votes.')
  })

  test('every policy has an answer: the distance in votes, or its own criterion', async () => {
    const others: Record<string, object> = {
      fixed: { allocation: { A: 1, B: 1 } },
      byHand: { allocations: [[1, 1]] },
      code: { source: 'export default () => [1, 1]' },
    }
    for (const kind of Object.keys(policies) as PolicyKind[]) {
      const scenario = scenarioWith({ ...workedExample, policy: { kind, ...startingParams(kind), ...others[kind] } })
      const [decision] = await decisionsOf(scenario)
      expect([kind, textOf(scenario, decision)]).toEqual([kind, expect.stringMatching(/^[A-Z].+\.$/)])
      expect(decision.flips.length > 0).toBe(isDivisorRule(kind) || kind === 'hamilton')
    }
  })

  test('switch-aware policies name the best move that was not made', () => {
    const aware = scenarioWith({
      source: { kind: 'batch', jobs: 1 },
      stages: ['A', 'B', 'C'].map((id) => ({ id })),
      workers: 9,
      policy: { kind: 'switchAware', horizon: 4000 },
      switchCost: 700,
    })
    const best = (alternative: Decision['alternative']) =>
      textOf(aware, {
        policy: 'switchAware',
        phase: 0,
        stages: [],
        orders: [],
        flips: [],
        scoreAfter: 8000,
        alternative,
      } as unknown as Decision)
    const move = (scoreAfter: number) => ({ from: 0, to: 2, scoreBefore: 8000, scoreAfter })
    const saved = Math.round(savedWithin(4000, 2000, 8000) / 100) / 10
    expect(best(move(6000))).toBe(`A move from A to C would have saved ${saved} ms within 4 ms, for 0.7 ms.`)
    expect(best(move(8000))).toBe('No other move would have saved time.')
    expect(best(null)).toBe('No other move would have saved time.')
  })
})

/** The input of a decision, in tie order; `with` one stage changed. */
function ballotIf(
  scenario: Scenario,
  decision: Decision,
  stage: number,
  change: { readonly waiting?: number; readonly mean?: number },
): Ballot {
  const stageOf = tieOrder(scenario)
  const ballot = createBallot(stageOf.length)
  ballot.workers = decision.workers
  stageOf.forEach((s, k) => {
    const { waiting, mean, done } = { ...decision.stages[s], ...(s === stage ? change : {}) }
    castVotes(ballot, k, waiting, mean, done)
  })
  castForeseen(ballot, stageOf, foreseenIn(decision), 0)
  return ballot
}

/** The targets by stage from the function of the policy, starting with those of the decision; for least total time, the function of the article. */
function targetsIf(
  scenario: Scenario,
  decision: Decision,
  stage: number,
  change: { readonly waiting?: number; readonly mean?: number },
): number[] {
  const { policy } = scenarioAtPhase(scenario, decision.phase)
  const { kind } = policy
  const stageOf = tieOrder(scenario)
  const ballot = ballotIf(scenario, decision, stage, change)
  const { votes, eligible, workers, waiting, means } = ballot
  const seats = stageOf.map((s) => decision.stages[s].seatsAfter)
  if (kind === 'hamilton') hamilton(votes, eligible, workers, seats)
  else if (kind === 'leastScore' && means.every(Number.isInteger)) {
    const ids = stageOf.map((_, k) => `s${String(k).padStart(3, '0')}`)
    const stats = new Map(ids.map((id, k) => [id, { queueLength: waiting[k], serviceTimesPicos: [means[k] * 1e6] }]))
    const given = allocateWorkers(workers, stats, new Set(ids.filter((_, k) => eligible[k] === 0)))
    ids.forEach((id, k) => {
      seats[k] = given?.get(id) ?? 0
    })
  } else {
    const rule = isDivisorRule(kind) ? kind : 'leastScore'
    const p = policy.kind === 'power' ? policy.p : 1
    const weights = new Float64Array(seats.length)
    weightsInto(rule, ballot, p, weights)
    exchangeSeats(weights, eligible, workers, divisorsOf(rule, workers, p), seats)
  }
  const targets: number[] = []
  stageOf.forEach((s, k) => {
    targets[s] = seats[k]
  })
  return targets
}

const number = (text: string) => Number(text.replaceAll(',', ''))
const units: Readonly<Record<string, number>> = { µs: 1, ms: 1000, s: 1_000_000 }

/** Reads the text about a decision and returns what is false in it; `seen` counts the forms. */
function falseIn(scenario: Scenario, decision: Decision, seen: Map<string, number>): string[] {
  const text = sentenceText(flipSentenceOf(scenario, decision, duration, exactDuration))
  const { stages } = decision
  const wrong: string[] = []
  const count = (form: string) => seen.set(form, (seen.get(form) ?? 0) + 1)
  const is = (holds: boolean, what: string) => holds || wrong.push(`${what}: ${text}`)
  const target = (stage: number, change: { readonly waiting?: number; readonly mean?: number }) =>
    targetsIf(scenario, decision, stage, change)[stage]
  for (const part of text === '' ? [] : text.split(/(?<=\.) (?=[A-Z])/)) {
    const change =
      /^(Closest call: w|W)ith (.+) \(not (.+?)\), the target for N(\d+) would be (\d+) \(not (\d+)\), (from|for) (.+)\.$/.exec(
        part,
      )
    if (change !== null) {
      const [, opening, way, was, named, to, now, side, others] = change
      const s = Number(named)
      is(Number(now) === stages[s].seatsAfter, 'the target now')
      is(Number(to) > Number(now) === (side === 'from'), 'who pays')
      const queue = /^([\d,]+) waiting$/.exec(way)
      const time = /^([\d.,]+) (µs|ms|s) a service$/.exec(way)
      const to_ =
        queue !== null
          ? { waiting: number(queue[1]) }
          : { mean: Math.round(number(time?.[1] ?? '') * units[time?.[2] ?? '']) }
      const targets = targetsIf(scenario, decision, s, to_)
      is(targets[s] === Number(to), `the policy gives ${targets}`)
      const moved = targets.flatMap((n, k) =>
        k !== s && Math.sign(n - stages[k].seatsAfter) === Math.sign(Number(now) - Number(to)) ? [k] : [],
      )
      const textOf =
        moved.length > 3
          ? `${moved.length} stages`
          : moved
              .map((k) => `N${k}`)
              .join(', ')
              .replace(/, ([^,]+)$/, ' and $1')
      is(others === textOf, `others are ${textOf}`)
      if (queue !== null) {
        is(number(was) === stages[s].waiting, 'the queue now')
        const nearer = number(queue[1]) - Math.sign(number(queue[1]) - stages[s].waiting)
        if (nearer !== stages[s].waiting) is(target(s, { waiting: nearer }) === Number(now), 'a nearer queue would do')
        if (opening !== 'W') {
          const less = Math.abs(number(queue[1]) - stages[s].waiting) - 1
          const nearest = stages.every(({ waiting, seatsAfter, done }, k) =>
            [waiting - less, waiting + less].every(
              (n) => done || less === 0 || n < 0 || target(k, { waiting: n }) === seatsAfter,
            ),
          )
          is(nearest, 'not the closest')
        }
        count(opening === 'W' ? 'queue' : to > now ? 'closest, more' : 'closest, fewer')
      }
      count(`${Math.min(2, Math.abs(Number(to) - Number(now)))} apart`)
    } else if (/^N\d+ is done: its target is 0\.$/.test(part)) {
      const s = Number(/\d+/.exec(part))
      is(stages[s].done && stages[s].seatsAfter === 0, 'done')
    } else if (/^No queue at N\d+ would have given it a higher target\.$/.test(part)) {
      const s = Number(/\d+/.exec(part))
      is(target(s, { waiting: 1_000_000 }) <= stages[s].seatsAfter, 'no queue')
      count('no queue')
    } else if (part === 'No single queue would have changed it.') {
      is(
        stages.every(
          ({ done, seatsAfter }, s) => done || [0, 1_000_000].every((waiting) => target(s, { waiting }) === seatsAfter),
        ),
        'a queue would',
      )
      count('none')
    } else wrong.push(`cannot be read: ${part}`)
  }
  return wrong
}

const rules = policyKinds.filter((kind) => isDivisorRule(kind) || kind === 'hamilton')

test.each(rules)('under %s every sentence of any decision says what the policy itself would give', async (kind) => {
  const seen = new Map<string, number>()
  const wanted = repeats(Math.ceil(6000 / rules.length))
  let decisions = 0
  for (let seed = 1; decisions < wanted; seed++)
    for (const drawn of fc.sample(
      anyScenario({
        jobs: 40,
        stages: 5,
        workers: 12,
        graphs: true,
        code: false,
        policies: [kind],
      }),
      {
        numRuns: 10,
        seed,
      },
    )) {
      const scenario = { ...drawn, stages: drawn.stages.map((stage, s) => ({ ...stage, name: `N${s}` })) }
      for (const decision of await decisionsOf(scenario)) {
        if (decision.policy !== kind) continue
        expect(falseIn(scenario, decision, seen)).toEqual([])
        decisions++
      }
    }
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['queue', 'closest, more', '1 apart', '2 apart']))
})

test('service times are shown as declared and as measured over the whole run', async () => {
  const trace = await playSimulation(
    scenarioWith({
      ...workedExample,
      stages: [
        {
          id: 'A',
          service: { kind: 'exponential', mean: 1000 },
          changes: [{ from: 2, service: { kind: 'constant', mean: 7 } }],
        },
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
  expect(
    costsOf({ ...trace, head: { ...trace.head, counts: { ...trace.head.counts, finished: new Int32Array(2) } } })[0]
      .measured,
  ).toBeNaN()
})
