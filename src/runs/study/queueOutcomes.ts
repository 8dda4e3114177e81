import { type Ballot, castForeseen } from '../../allocation/ballot.ts'
import { divisorsOf, weightsInto } from '../../allocation/rules.ts'
import { ballotOf, type Decision, foreseenIn, policyOf } from '../../measures/decisions/decision.ts'
import { powerOf, ruleOf, seatsBy } from '../../measures/decisions/ruleComparison.ts'
import type { QueueOutcome } from '../../measures/workers/queueOutcome.ts'
import type { WorkerOrder } from '../../measures/workers/workerWords.ts'
import { type Counts, copyCounts, IDLE } from '../../pipeline/counts.ts'
import { looksAtAges } from '../../pipeline/outlook.ts'
import { FINISHED, NONE } from '../../pipeline/rows.ts'
import { roomFor } from '../../pipeline/state.ts'
import { tieOrder } from '../../scenario/model/linearStages.ts'
import type { Policy, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import {
  type Assignments,
  canGive,
  choosePlaces,
  createAssignments,
  matchWorkers,
} from '../../scheduler/assignments.ts'
import { type Messages, prefetches, roundTripsOf, unmeasured } from '../../scheduler/batches.ts'
import { rosterOf, takersOf } from '../../scheduler/roster.ts'
import { beginning, journalBetween } from '../../trace/journalBetween.ts'
import { eachRow, stateBefore, type Trace } from '../../trace/trace.ts'

/** Returns a worker's outcome for other queue lengths, by the scheduler's own code; null if more counts. Unknown where it differs from the record. */
export function queueOutcomesOf(
  trace: Trace,
  decision: Decision,
  worker: number,
  order: WorkerOrder,
): ((waiting: number) => QueueOutcome) | null {
  if (decision.flips.length === 0) return null
  const { counts } = stateBefore(trace, decision.row)
  const { stage } = order
  const late = unslotted(trace, decision.row, counts)
  const messages = messagesBefore(trace, decision.row)
  const decide = (waiting: number): QueueOutcome => {
    const changed = copyCounts(counts)
    changed.waiting[stage] = waiting
    return decidedOn(trace, decision, changed, late, messages, stage, worker)
  }
  const known =
    isPlain(trace, counts) &&
    !looksAtAges({ kind: decision.policy }) &&
    !order.prefetch &&
    decide(counts.waiting[stage]).destination === stage
  return known ? decide : (waiting) => ({ ...decide(waiting), destination: null })
}

function decidedOn(
  trace: Trace,
  decision: Decision,
  counts: Counts,
  late: Int32Array,
  messages: Messages,
  stage: number,
  worker: number,
): QueueOutcome {
  const scenario = scenarioAtPhase(trace.scenario, decision.phase)
  const stageOf = Int16Array.from(tieOrder(trace.scenario))
  const assignments = freeWorkers(trace, counts, late, stageOf)
  // Where no worker could have been given a job, the scheduler would not have decided: the targets stay.
  if (
    !canGive(assignments, { topology: trace.topology, counts }, stageOf, prefetches(scenario) ? takersOf(counts) : null)
  )
    return { target: decision.stages[stage].seatsBefore, destination: NONE }
  const means = Float64Array.from(decision.stages, ({ mean }) => mean)
  const ballot = ballotOf(trace, { counts }, means, [...stageOf])
  // Jobs on their way and the ages of jobs stay the same.
  castForeseen(ballot, stageOf, foreseenIn(decision), 0)
  const policy = policyOf(trace.scenario, decision.phase, decision.index)
  const seats = seatsBy(
    policy.kind === 'hamilton' ? policy.kind : (ruleOf(policy.kind) ?? 'leastScore'),
    powerOf(policy),
    ballot,
  )
  const table = { ...tableOf(scenario, decision, policy, ballot), messages }
  const seated = {
    ...table,
    stageOf,
    state: { counts, shards: null },
    roster: rosterOf(counts),
    seats: Int32Array.from(seats),
  }
  choosePlaces(assignments, seated)
  matchWorkers(assignments, seated)
  // With bounded queues the scheduler may assign workers in another round.
  const p = assignments.worker.subarray(0, assignments.count).indexOf(worker)
  const destination = p >= 0 ? stageOf[assignments.place[p]] : trace.topology.bounded ? null : NONE
  return { target: seats[stageOf.indexOf(stage)], destination }
}

/** Returns the free workers, and how many jobs may start at each place. */
function freeWorkers({ topology }: Trace, counts: Counts, late: Int32Array, stageOf: Int16Array): Assignments {
  const assignments = createAssignments(stageOf.length, counts.status.length)
  stageOf.forEach((stage, k) => {
    assignments.runnable[k] = roomFor({ topology, counts }, stage, Math.max(0, counts.waiting[stage] - late[stage]))
    assignments.staffed[k] = counts.busy[stage]
  })
  for (const status of counts.status) if (status === IDLE) assignments.idle++
  return assignments
}

/** Returns what the scheduler had measured of the messages before a row. */
function messagesBefore(trace: Trace, rows: number): Messages {
  const roundTrips = roundTripsOf(trace.scenario, trace.topology)
  if (roundTrips === null) return unmeasured
  roundTrips.take(journalBetween(trace, beginning, { rows, decisions: 0 }).rows, 0)
  return roundTrips
}

/** Returns how the policy weighs the stages, and what batches are sized by. */
function tableOf(scenario: Scenario, { stages }: Decision, policy: Policy, ballot: Ballot) {
  const rule = ruleOf(policy.kind)
  const weights = ballot.votes.slice()
  if (rule !== null) weightsInto(rule, ballot, powerOf(policy), weights)
  const estimates = {
    count: Float64Array.from(stages, ({ measured }) => measured),
    mean: Float64Array.from(stages, ({ mean }) => mean),
  }
  return { scenario, estimates, weights, divisors: divisorsOf(rule ?? 'leastScore', ballot.workers, powerOf(policy)) }
}

/** Whether a destination depends on waiting jobs alone: not with shards, skipped jobs or repeated tries, nor where `unslotted` cannot tell which jobs wait. */
function isPlain(
  { scenario: { order, stages, workerEvents }, failures, topology }: Trace,
  { arrived, released }: Counts,
): boolean {
  const steady = stages.every(
    ({ fails, resource, whenTaken }) => fails === null && (resource === null || whenTaken === 'wait'),
  )
  const slotted = order.kind === 'none' || topology.linear || arrived - released <= topology.slots
  return steady && slotted && order.kind !== 'shard' && failures.length === 0 && workerEvents.length === 0
}

/** Returns, by stage of a line, how many waiting jobs may not start, since the order buffer has no slot for them yet. */
function unslotted(trace: Trace, row: number, { arrived, outside, released }: Counts): Int32Array {
  const { gated, linear, before, slots } = trace.topology
  const limit = released + slots
  return Int32Array.from(gated, (isGated, stage) => {
    if (isGated === 0 || !linear || arrived - outside <= limit) return 0
    if (before[stage].length === 0) return arrived - outside - limit
    let jobs = 0
    eachRow(trace, 0, row, ({ kind, stage: at, job }, i) => {
      if (kind[i] === FINISHED && at[i] === before[stage][0] && job[i] >= limit) jobs++
    })
    return jobs
  })
}
