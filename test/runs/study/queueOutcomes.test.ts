import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDivisorRule } from '../../../src/allocation/rules.ts'
import { createReplayer, takePiece } from '../../../src/features/replay/study/replay.ts'
import { type Decision, decisionAt } from '../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { rangeAround } from '../../../src/measures/workers/queueOutcome.ts'
import { workerSentence } from '../../../src/measures/workers/workerWords.ts'
import { createJournal } from '../../../src/pipeline/journal.ts'
import {
  FINISHED,
  isFact,
  NONE,
  PREFETCH,
  pushFinished,
  pushRow,
  RELEASED,
  rowAt,
  STARTED,
} from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { queueOutcomesOf } from '../../../src/runs/study/queueOutcomes.ts'
import { policyKinds } from '../../../src/scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { dispatch } from '../../../src/scheduler/dispatch.ts'
import { decisionTime } from '../../../src/trace/follow.ts'
import { beginning, journalBetween } from '../../../src/trace/journalBetween.ts'
import { type Trace, timeOf, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** The range of facts of the dispatch that took decision d. */
function factsBefore(trace: Trace, d: number): readonly [from: number, to: number] {
  let to = trace.decisions.row[d]
  const time = decisionTime(trace, d)
  const kindOf = (row: number) => traceRow(trace, row).kind
  const isOrder = (row: number) => kindOf(row) >= STARTED && (kindOf(row) < RELEASED || kindOf(row) === PREFETCH)
  while (to > 0 && !isFact(kindOf(to - 1))) to--
  let from = to
  while (from > 0 && timeOf(trace, from - 1) === time && !isOrder(from - 1)) from--
  return [from, to]
}

/** Lets the scheduler take decision d again, with this many more jobs at a stage. Returns the target there and the next stage of each worker. */
function decideAgain(scenario: Scenario, trace: Trace, decision: Decision, stage: number, more: number) {
  const d = decision.index
  const [from, to] = factsBefore(trace, d)
  const replayer = createReplayer(scenario)
  if (from > 0 && !takePiece(replayer, journalBetween(trace, beginning, { rows: from, decisions: d })))
    throw new Error('the record is not reproduced')
  const { core } = replayer
  const { counts, queues } = core.state
  // Jobs without a slot in the order buffer are not in the queue.
  if (queues[stage].length + more < 0) return null
  for (let k = 0; k < Math.abs(more); k++) {
    if (more > 0) queues[stage].push(1000 + k)
    else queues[stage].take()
  }
  counts.waiting[stage] += more
  const { rows } = journalBetween(trace, { rows: from, decisions: d }, { rows: to, decisions: d })
  const journal = createJournal()
  for (let i = 0; i < rows.length; i++) {
    const { kind, time, stage: at, worker, job, began, ended } = rowAt(rows, i)
    if (kind === FINISHED) pushFinished(journal.rows, time, at, worker, job, began, ended)
    else if (isFact(kind)) pushRow(journal.rows, time, kind, at, worker, job)
  }
  const facts = journal.rows.length
  dispatch(core, journal, 0)
  // A job that reaches a fuller or emptier queue may wait elsewhere, so the decision would depend on other queues too.
  const seen = journal.decisions.length > 0 ? core.ballot.waiting : Array.from(core.stageOf, (s) => counts.waiting[s])
  if (core.stageOf.some((s, k) => seen[k] !== decision.stages[s].waiting + (s === stage ? more : 0))) return null
  const assignments = new Map<number, number>()
  for (let i = facts; i < journal.rows.length; i++) {
    const { kind, worker, stage: at } = rowAt(journal.rows, i)
    if (kind === STARTED && !assignments.has(worker)) assignments.set(worker, at)
  }
  return { target: core.seats[core.stageOf.indexOf(stage)], assignments }
}

test('with another queue the scheduler itself would have set this target and sent the worker there', async () => {
  const seen = { same: 0, elsewhere: 0, idle: 0, unknown: 0, bounded: 0, raised: 0 }
  // Not by deadline: the ages of other jobs would be unknown.
  const kinds = policyKinds.filter((kind) => kind !== 'deadline' && (isDivisorRule(kind) || kind === 'hamilton'))
  const agrees = (some: readonly PolicyKind[]) =>
    fc.asyncProperty(
      anyScenario({
        jobs: 16,
        stages: 4,
        workers: 5,
        workerEvents: false,
        fails: false,
        policies: some,
        capacity: true,
      }),
      fc.integer({ min: -12, max: 12 }),
      async (scenario, more) => {
        if (scenario.source.kind === 'groups' || scenario.order.kind === 'shard') return
        const trace = await playSimulation(scenario, 0)
        const history = createEstimateHistory(trace)
        for (let d = 0; d < trace.decisions.length; d += 3) {
          const decision = decisionAt(trace, history, d)
          for (const { worker, stage, job, jobs, prefetch } of decision.orders.slice(0, 1)) {
            const outcome = queueOutcomesOf(trace, decision, worker, { decision: d, stage, job, jobs, prefetch })
            const waiting = decision.stages[stage].waiting + more
            const truth = waiting < 0 ? null : decideAgain(scenario, trace, decision, stage, more)
            if (truth === null || outcome === null) continue
            const predicted = outcome(waiting)
            const range = rangeAround(outcome, waiting)
            for (const far of [waiting + 1, 2 * waiting + 3, 517, 5000, 400_000]) {
              const there = outcome(far)
              const same =
                predicted.destination === null
                  ? there.target === predicted.target
                  : there.destination === predicted.destination
              if (far <= range.to) expect(same, `${far} waiting`).toBe(true)
              if (far === range.to + 1) expect(same, `${far} waiting`).toBe(false)
            }
            // Only if an empty queue would not have raised the target did the queue raise it.
            const raised = /That raised its target from (\d+)/.exec(
              sentenceText(
                workerSentence(scenario, decision, worker, { decision: d, stage, job, jobs, prefetch }, String),
              ),
            )
            if (raised !== null) expect(outcome(0).target).toBeLessThanOrEqual(Number(raised[1]))
            if (raised !== null) seen.raised++
            const where = `decision ${d}, worker ${worker}, ${more} more at ${stage}`
            expect(predicted.target, where).toBe(truth.target)
            if (predicted.destination !== null)
              expect(predicted.destination, where).toBe(truth.assignments.get(worker) ?? NONE)
            seen[
              predicted.destination === null
                ? 'unknown'
                : predicted.destination < 0
                  ? 'idle'
                  : predicted.destination === stage
                    ? 'same'
                    : 'elsewhere'
            ]++
            if (trace.topology.bounded && predicted.destination !== null) seen.bounded++
          }
        }
      },
    )
  await fc.assert(agrees(['preallocate']), { numRuns: 30 })
  for (const kind of Object.keys(seen) as (keyof typeof seen)[]) seen[kind] = 0
  await fc.assert(agrees(kinds), { numRuns: 120, seed: 7 })
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(0)
})

test('if no worker could get a job, the targets stay', async () => {
  // Both workers have a second batch at A. Two jobs wait at B, which has no worker: without jobs at A no worker could take any.
  const stages = [10, 20].map((ms, s) => ({ id: 'AB'[s], service: { kind: 'constant', mean: ms * 1000 } }))
  const policy = { kind: 'longestQueue', lend: false }
  const scenario = scenarioWith({
    source: { kind: 'batch', jobs: 8 },
    stages,
    workers: 2,
    policy,
    batch: { size: 1, inHand: 2 },
  })
  expect(await predictedAndTrue(scenario, 1, 0)).toEqual({
    before: 2,
    after: 2,
    predicted: { target: 2, destination: null },
    target: 2,
    destination: NONE,
  })
})

test('a job without a slot in the order buffer gets no worker', async () => {
  // Job 0 is in service at B. Jobs 1 and 2 wait there for a slot: without jobs at A no worker could take any.
  const stages = [10, 100].map((ms, s) => ({ id: 'AB'[s], service: { kind: 'constant', mean: ms * 1000 } }))
  const scenario = scenarioWith({
    source: { kind: 'batch', jobs: 6 },
    stages,
    workers: 2,
    order: { kind: 'buffer', slots: 1 },
  })
  expect(await predictedAndTrue(scenario, 2, 0)).toEqual({
    before: 1,
    after: 1,
    predicted: { target: 1, destination: NONE },
    target: 1,
    destination: NONE,
  })
})

/** The prediction for the first order of decision d with that many waiting jobs, and the choice of the scheduler. */
async function predictedAndTrue(scenario: Scenario, d: number, waiting: number) {
  const trace = await playSimulation(scenario, 0)
  const decision = decisionAt(trace, createEstimateHistory(trace), d)
  const { worker, stage, job, jobs, prefetch } = decision.orders[0]
  const { waiting: recorded, seatsBefore: before, seatsAfter: after } = decision.stages[stage]
  const predicted = queueOutcomesOf(trace, decision, worker, { decision: d, stage, job, jobs, prefetch })?.(waiting)
  const truth = decideAgain(scenario, trace, decision, stage, waiting - recorded)
  return { before, after, predicted, target: truth?.target, destination: truth?.assignments.get(worker) ?? NONE }
}
