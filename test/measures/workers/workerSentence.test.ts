import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import {
  createWorkerMoves,
  extendWorkerMoves,
  workerMoveAfter,
  workerMoveBefore,
} from '../../../src/measures/workers/moves.ts'
import { idleSentence, workerOrderAt, workerSentence } from '../../../src/measures/workers/workerWords.ts'
import { createJournal, pushDecision } from '../../../src/pipeline/journal.ts'
import { FINISHED, kinds, pushFinished, pushRow, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { policies, policyKinds } from '../../../src/scenario/model/policies.ts'
import type { Micros, PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../src/trace/follow.ts'
import { append, createTrace, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { type PlainRecord, plainRecord } from '../decisions/plainRecord.ts'
import { type ChainClaim, readChain } from './readChain.ts'

const named = (scenario: Scenario): Scenario => ({
  ...scenario,
  stages: scenario.stages.map((stage, s) => ({ ...stage, name: `N${s}` })),
})
const micros = (us: Micros) => `${Math.round(us)} us`

/** A batch that a worker was given, read from the rows alone, and the decision before it. */
interface PlainBatch {
  readonly decision: number
  readonly worker: number
  readonly job: number
  readonly jobs: number
  readonly time: Micros
  readonly prefetch: boolean
}

function batchesOf(trace: Trace): PlainBatch[] {
  const batches: { -readonly [K in keyof PlainBatch]: PlainBatch[K] }[] = []
  let d = -1
  let before = { kind: '', worker: -1, stage: -1 }
  for (let row = 0; row < trace.length; row++) {
    while (d + 1 < trace.decisions.length && trace.decisions.row[d + 1] <= row) d++
    const { kind, worker, stage, job, time } = traceRow(trace, row)
    const fresh =
      before.kind !== 'started' || before.worker !== worker || before.stage !== stage || trace.decisions.row[d] === row
    if (kind === STARTED && fresh)
      batches.push({ decision: d, worker, job, jobs: 1, time, prefetch: before.kind === 'second' })
    else if (kind === STARTED) batches[batches.length - 1].jobs++
    before = { kind: kinds[kind], worker, stage }
  }
  return batches
}

/** Returns the same rows on a coarse clock, so that several decisions share an instant, as on real threads. */
function withCoarseClock(trace: Trace, tick: Micros): Trace {
  const journal = createJournal()
  const coarse = (time: Micros) => time - (time % tick)
  for (let row = 0; row < trace.length; row++) {
    const { time, kind, stage, worker, job, began, ended } = traceRow(trace, row)
    if (kind === FINISHED) pushFinished(journal.rows, coarse(time), stage, worker, job, coarse(began), coarse(ended))
    else pushRow(journal.rows, coarse(time), kind, stage, worker, job)
  }
  for (let d = 0; d < trace.decisions.length; d++) pushDecision(journal.decisions, trace.decisions.row[d], 0)
  const copy = createTrace(trace.scenario, trace.engine, 0)
  append(copy, journal)
  return copy
}

/** Returns the claims that the rows contradict. */
function falseIn(
  { targets, targetsBefore, waiting, waitingAfter, orders }: PlainRecord,
  work: number,
  batch: PlainBatch,
  claims: readonly ChainClaim[],
): ChainClaim[] {
  const order = orders.find((each) => each.worker === batch.worker && each.prefetch === batch.prefetch)
  if (order === undefined) return [...claims]
  const { stage, from, busy } = order
  const short = targets.map((n, s) => n - busy[s])
  return claims.filter((claim) => {
    switch (claim.claim) {
      case 'queue':
        return claim.stage !== stage || claim.n !== waiting[stage] || claim.work !== Math.round(work)
      case 'target':
        return (
          claim.from !== targetsBefore[stage] ||
          claim.to !== targets[stage] ||
          (claim.raised && claim.to !== claim.from + 1)
        )
      case 'reason':
        return targets[stage] <= targetsBefore[stage]
      case 'was':
        return claim.worker !== batch.worker || (batch.prefetch ? claim.at !== 'busy' : claim.at !== from)
      case 'short':
        return claim.stage !== stage || claim.n !== short[stage] || claim.n <= 0
      case 'reached':
        return claim.stage !== stage || claim.target !== targets[stage] || short[stage] > 0
      case 'noJob':
        return waitingAfter[claim.stage] !== 0 || short[claim.stage] <= short[stage]
      case 'noFurther':
        return short[claim.stage] !== short[stage]
      case 'less':
        return short[claim.stage] >= short[stage]
      case 'noneBelow':
        return short.some((n) => n > 0)
      case 'so':
        // No stage further below its target had a job left.
        return short.some((n, s) => n > Math.max(0, short[stage]) && waitingAfter[s] > 0)
      case 'went':
        return claim.worker !== batch.worker || claim.from !== from || claim.stage !== stage
      case 'took':
        return claim.job !== batch.job + 1 || claim.n !== batch.jobs
      default:
        return true
    }
  })
}

describe('the reason why a worker is where it is', () => {
  test('every chain of sentences agrees with the rows, from the queue to the job', async () => {
    const seen = new Map<string, number>()
    const everyChain = (kinds: readonly PolicyKind[]) =>
      fc.asyncProperty(anyScenario({ jobs: 14, stages: 4, workers: 6, graphs: true, policies: kinds }), async (any) => {
        const scenario = named(any)
        const trace = await playSimulation(scenario, 0)
        const history = createEstimateHistory(trace)
        for (const batch of batchesOf(trace)) {
          const { decision: d, worker, job, jobs, prefetch } = batch
          const decision = decisionAt(trace, history, d)
          const order = {
            decision: d,
            stage: decision.orders.find((each) => each.worker === worker && each.job === job)?.stage ?? -1,
            job,
            jobs,
            prefetch,
          }
          const text = sentenceText(workerSentence(scenario, decision, worker, order, micros))
          const claims = readChain(text)
          expect(
            falseIn(plainRecord(trace, d), decision.stages[order.stage].work, batch, claims),
            `decision ${d}: ${text}`,
          ).toEqual([])
          for (const needed of ['queue', 'target', 'was', 'took'])
            expect(
              claims.map(({ claim }) => claim),
              text,
            ).toContain(needed)
          for (const { claim } of claims) seen.set(claim, (seen.get(claim) ?? 0) + 1)
        }
      })
    await fc.assert(everyChain(policyKinds), { numRuns: repeats(12) })
    seen.clear()
    // Random runs lead to only some kinds of sentence. These runs lead to all.
    const usual = policyKinds.filter(
      (kind) => policies[kind].group !== 'ahead' && !['aimd', 'adaptive', 'predictive', 'workStealing'].includes(kind),
    )
    await fc.assert(everyChain(usual), { numRuns: repeats(200), seed: 5 })
    for (const kind of ['reason', 'short', 'reached', 'noJob', 'noFurther', 'less', 'noneBelow', 'so', 'went'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
  })

  test('at any time the batch of a worker is the one from the rows, even if other decisions share the instant', async () => {
    let alike = 0
    await fc.assert(
      fc.asyncProperty(anyScenario({ jobs: 14, stages: 3, workers: 5, policies: policyKinds }), async (scenario) => {
        const trace = withCoarseClock(await playSimulation(scenario, 0), 10_000)
        const batches = batchesOf(trace)
        if (batches.some(({ prefetch }) => prefetch)) return
        for (const { worker, time } of batches) {
          const { decision, job, jobs } =
            batches.filter((each) => each.worker === worker && each.time <= time).at(-1) ?? {}
          expect(workerOrderAt(trace, worker, time)).toMatchObject({ decision, job, jobs, prefetch: false })
          if (decision !== decisionIndexAt(trace, time)) alike++
        }
      }),
      { numRuns: repeats(60), seed: 5 },
    )
    expect(alike).toBeGreaterThan(0)
  })

  test('the moves of a worker are the instants at which it gets a batch at another stage', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ jobs: 14, stages: 3, workers: 4, policies: policyKinds }), async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const all = Array.from({ length: trace.decisions.length }, (_, d) => ({
          time: decisionTime(trace, d),
          record: plainRecord(trace, d),
        }))
        for (let worker = 0; worker < scenario.workers; worker++) {
          const batches = all.flatMap(({ time, record }) =>
            record.orders.flatMap((order) =>
              order.worker === worker && order.from >= 0 && order.from !== order.stage ? [time] : [],
            ),
          )
          // A second batch may come in the same instant.
          const times = [...new Set(batches)]
          const moves = createWorkerMoves(trace, worker)
          while (!extendWorkerMoves(moves, 7));
          expect(moves.times).toEqual(times)
          for (const t of [0, ...times]) {
            expect(workerMoveBefore(moves, t)).toBe(times.filter((time) => time < t).at(-1) ?? null)
            expect(workerMoveAfter(moves, t)).toBe(times.find((time) => time > t) ?? null)
          }
        }
      }),
      { numRuns: repeats(40), seed: 2 },
    )
  })

  test('an idle worker says since when, and why if the decision of that instant shows it', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 3 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 1000 } }],
      workers: 2,
    })
    const trace = await playSimulation(scenario, 0)
    const told = (worker: number, t: Micros) =>
      sentenceText(idleSentence(trace, createEstimateHistory(trace), worker, t, micros))
    expect(told(1, 500)).toBe('')
    expect(told(1, 1500)).toBe('Worker 2 has been idle since 1000 us: no other job waits.')
    expect(told(0, 2000)).toBe('Worker 1 has been idle since 2000 us.')
  })
})
