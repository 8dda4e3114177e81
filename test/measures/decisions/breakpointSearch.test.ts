import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apportion } from '../../../src/allocation/apportion.ts'
import { divisorsOf } from '../../../src/allocation/rules.ts'
import {
  advanceSearch,
  type BreakCause,
  type Condition,
  causesSentence,
  createBreakpointSearch,
  type Hit,
} from '../../../src/measures/decisions/breakpoints.ts'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { decisionTime } from '../../../src/trace/follow.ts'
import { endOf, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../scenarios.ts'

const deserted: Condition = { kind: 'deserted', stage: null }
const jefferson: Condition = { kind: 'disagree', rule: 'jefferson', power: 1 }

function next(trace: Trace, conditions: readonly Condition[], after: number, most?: number): Hit | null {
  const breakpointSearch = createBreakpointSearch(trace, createEstimateHistory(trace), conditions, after)
  if (most === undefined) return advanceSearch(breakpointSearch, Infinity)
  for (;;) {
    const hit = advanceSearch(breakpointSearch, Infinity, most)
    if (hit !== null || breakpointSearch.clearUntil === Infinity) return hit
  }
}

/** All hits in order, each found by a new search, as during playback. */
function all(trace: Trace, conditions: readonly Condition[], most?: number): Hit[] {
  const hits: Hit[] = []
  for (let hit = next(trace, conditions, -1, most); hit !== null; hit = next(trace, conditions, hit.time, most))
    hits.push(hit)
  return hits
}

/** A plain version: looks at every frame and every decision. */
function naive(trace: Trace, conditions: readonly Condition[]): Hit[] {
  const estimateHistory = createEstimateHistory(trace)
  const instants = [...new Set(Array.from({ length: trace.length }, (_, i) => traceRow(trace, i).time))]
  const decisions = Array.from({ length: trace.decisions.length }, (_, d) => decisionAt(trace, estimateHistory, d))
  const order = trace.scenario.stages
    .map((_, s) => s)
    .sort((a, b) => (trace.scenario.stages[a].id < trace.scenario.stages[b].id ? -1 : 1))
  const differ = (d: number): number => {
    if (d < 0) return 0
    const { stages, workers } = decisions[d]
    const seats = order.map(() => 0)
    apportion(
      order.map((s) => stages[s].work),
      order.map((s) => (stages[s].done ? 0 : 1)),
      workers,
      divisorsOf('jefferson', workers),
      seats,
    )
    return order.reduce((sum, s, k) => sum + Math.abs(stages[s].seatsAfter - seats[k]), 0)
  }
  const moves: number[][] = frameAt(trace, 0).workers.map(() => [])
  const within = (w: number, t: number) => moves[w].filter((at) => at > t - 1_000_000 && at <= t).length
  let before = frameAt(trace, -1)
  const hits: Hit[] = []
  for (const time of instants) {
    const now = frameAt(trace, time)
    now.workers.forEach(({ movedFrom, movedAt }, w) => {
      if (movedFrom >= 0 && movedAt === time) moves[w].push(time)
    })
    const causes: BreakCause[] = []
    for (const condition of conditions) {
      if (condition.kind === 'disagree') {
        for (const { index } of decisions.filter((each) => each.time === time))
          if (differ(index) > 0 && differ(index - 1) === 0)
            causes.push({ condition, stage: -1, worker: -1, amount: Math.ceil(differ(index) / 2) })
      } else if (condition.kind === 'moves') {
        for (const w of moves.keys())
          if (within(w, time) >= condition.times && within(w, time - 1) < condition.times)
            causes.push({ condition, stage: -1, worker: w, amount: condition.times })
      } else
        now.stages.forEach(({ staffed, waiting }, s) => {
          if (condition.stage !== null && condition.stage !== s) return
          const was = before.stages[s]
          if (condition.kind === 'deserted' && staffed === 0 && was.staffed > 0)
            causes.push({ condition, stage: s, worker: -1, amount: 0 })
          if (condition.kind === 'queue' && waiting > condition.above && was.waiting <= condition.above)
            causes.push({ condition, stage: s, worker: -1, amount: waiting })
        })
    }
    if (causes.length > 0) hits.push({ time, causes })
    before = now
  }
  return hits
}

describe('the worked example', () => {
  test('has three jobs waiting at A at once, and only its first stage loses a worker, at 2 s', async () => {
    const trace = await playSimulation(workedExample, 0)
    // Two of the three jobs start at the instant of their arrival.
    expect(all(trace, [{ kind: 'queue', stage: null, above: 0 }]).map(({ time }) => time)).toEqual([0, 1_000_000])
    expect(all(trace, [deserted])).toEqual([
      { time: 2_000_000, causes: [{ condition: deserted, stage: 0, worker: -1, amount: 0 }] },
    ])
    expect(all(trace, [{ kind: 'queue', stage: null, above: 3 }])).toEqual([])
    expect(next(trace, [deserted], 2_000_000)).toBe(null)
    expect(next(trace, [], -1)).toBe(null)
  })
})

describe('of any run', () => {
  const conditions: readonly Condition[] = [
    deserted,
    { kind: 'queue', stage: null, above: 2 },
    { kind: 'queue', stage: 0, above: 5 },
    jefferson,
    { kind: 'moves', times: 1 },
    { kind: 'moves', times: 3 },
  ]

  test('finds the same hits as a look at every instant, with any number of rows per step', async () => {
    const met = new Map<Condition, number>()
    await fc.assert(
      fc.asyncProperty(
        scenarios,
        fc.constantFrom(undefined, 1, 7),
        fc.subarray([...conditions], { minLength: 1 }),
        async (scenario, most, asked) => {
          const trace = await playSimulation(scenario, 0)
          const hits = all(trace, asked, most)
          expect(hits).toEqual(naive(trace, asked))
          for (const { causes } of hits)
            for (const { condition } of causes) met.set(condition, (met.get(condition) ?? 0) + 1)
        },
      ),
      { numRuns: repeats(120), seed: 11 },
    )
    for (const condition of conditions) expect(met.get(condition) ?? 0, JSON.stringify(condition)).toBeGreaterThan(0)
  })

  test('changes of stage within a second are counted to the microsecond', async () => {
    // One worker takes each job through both stages, so it changes stage all the time.
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 6 },
      stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 250_000 } })),
      workers: 1,
      policy: { kind: 'single' },
    })
    const trace = await playSimulation(scenario, 0)
    // Changes at 0.25, 0.5, 0.75, ...: never more than four in (t - 1 s, t].
    for (const times of [1, 2, 3, 4, 5])
      expect(all(trace, [{ kind: 'moves', times }])).toEqual(naive(trace, [{ kind: 'moves', times }]))
    expect(all(trace, [{ kind: 'moves', times: 4 }]).map(({ time }) => time)).toEqual([1_000_000])
    expect(all(trace, [{ kind: 'moves', times: 5 }])).toEqual([])
  })

  test('finds the next hit after any instant, although changes up to a second before it count', async () => {
    const seconds = fc.constantFrom(100_000, 250_000, 500_000)
    await fc.assert(
      fc.asyncProperty(
        fc.array(seconds, { minLength: 2, maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (means, workers, single) => {
          const scenario = scenarioWith({
            source: { kind: 'batch', jobs: 7 },
            stages: means.map((mean, s) => ({ id: 'ABC'[s], service: { kind: 'constant', mean } })),
            workers,
            policy: { kind: single ? 'single' : 'sinkFirst' },
          })
          const trace = await playSimulation(scenario, 0)
          const asked: Condition[] = [{ kind: 'moves', times: 2 }, { kind: 'moves', times: 4 }, jefferson]
          const hits = naive(trace, asked)
          for (let i = 0; i < trace.length; i++) {
            const { time } = traceRow(trace, i)
            for (const after of [time - 1, time])
              expect(next(trace, asked, after)).toEqual(hits.find((hit) => hit.time > after) ?? null)
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  test('the searched part may be played: it contains no further hit', async () => {
    const trace = await playSimulation(
      scenarioWith({ ...workedExample, source: { kind: 'poisson', rate: 2, jobs: 60 } }),
      0,
    )
    const hits = all(trace, [deserted]).map(({ time }) => time)
    expect(hits.length).toBeGreaterThan(1)
    const breakpointSearch = createBreakpointSearch(trace, createEstimateHistory(trace), [deserted], -1)
    let clear = -1
    for (;;) {
      const hit = advanceSearch(breakpointSearch, Infinity, 1)
      expect(breakpointSearch.clearUntil).toBeGreaterThanOrEqual(clear)
      expect(breakpointSearch.clearUntil).toBeLessThan(hits[0])
      clear = breakpointSearch.clearUntil
      if (hit !== null) break
    }
    const short = createBreakpointSearch(trace, createEstimateHistory(trace), [deserted], -1)
    expect(advanceSearch(short, hits[0] - 1)).toBe(null)
    expect(short.clearUntil).toBe(hits[0] - 1)
    expect(advanceSearch(short, hits[0])?.time).toBe(hits[0])
    expect(decisionTime(trace, 0)).toBeLessThan(endOf(trace))
  })
})

test('a sentence explains why playback has stopped', () => {
  const causesText = (causes: readonly BreakCause[]) =>
    sentenceText(causesSentence(workedExample, causes, ({ rule }) => (rule === 'jefferson' ? 'Jefferson' : rule)))
  expect(causesText([{ condition: deserted, stage: 0, worker: -1, amount: 0 }])).toBe('A has lost its last worker.')
  expect(
    causesText([
      { condition: { kind: 'queue', stage: null, above: 1200 }, stage: 1, worker: -1, amount: 1203 },
      { condition: jefferson, stage: -1, worker: -1, amount: 1 },
      { condition: { kind: 'moves', times: 4 }, stage: -1, worker: 2, amount: 4 },
      { condition: deserted, stage: 0, worker: -1, amount: 0 },
    ]),
  ).toBe('More than 1,200 wait at B: 1,203. Jefferson would move 1 worker. Worker 3: 4 moves in 1 s. 1 more.')
})
