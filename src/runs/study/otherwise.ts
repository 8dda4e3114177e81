import { type Ballot, castForeseen } from '../../allocation/ballot.ts'
import { divisorsOf } from '../../allocation/rules.ts'
import { weightsInto } from '../../allocation/weights.ts'
import { ballotOf, type Decision, foreseenIn, policyOf } from '../../measures/decisions/decision.ts'
import { powerOf, ruleOf, seatsBy } from '../../measures/decisions/ruleComparison.ts'
import type { Otherwise } from '../../measures/workers/otherwise.ts'
import type { WorkerOrder } from '../../measures/workers/workerOrder.ts'
import { type Counts, copyCounts, IDLE } from '../../pipeline/counts.ts'
import { looksAhead } from '../../pipeline/outlook.ts'
import { NONE } from '../../pipeline/rows.ts'
import { roomFor } from '../../pipeline/state.ts'
import type { Policy } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { tieOrder } from '../../scenario/model/tieOrder.ts'
import { createPosting, drawPosts, matchPosts, type Posting } from '../../scheduler/posts.ts'
import { stateBefore, type Trace } from '../../trace/trace.ts'

/**
 * Returns what a decision would have done for a worker if so many jobs had waited at a stage, all else unchanged. The scheduler's own code
 * decides again. Null where the policy does not look at queues or votes alone. Where this would not lead to what the record says for the
 * queue as it was, no post is told.
 */
export function otherwiseOf(trace: Trace, decision: Decision, worker: number, order: WorkerOrder): ((waiting: number) => Otherwise) | null {
  if (decision.flips.length === 0) return null
  const { counts } = stateBefore(trace, decision.row)
  const { stage } = order
  const decide = (waiting: number): Otherwise => {
    const changed = copyCounts(counts)
    changed.waiting[stage] = waiting
    return decidedOn(trace, decision, changed, stage, worker)
  }
  // A policy that looks ahead gives targets by what comes, and its workers may wait for it: only the target is told.
  const told = isPlain(trace) && !looksAhead({ kind: decision.policy })
  const known = told && !order.prefetch && decide(counts.waiting[stage]).post === stage
  return known ? decide : (waiting) => ({ ...decide(waiting), post: null })
}

function decidedOn(trace: Trace, decision: Decision, counts: Counts, stage: number, worker: number): Otherwise {
  const stageOf = Int16Array.from(tieOrder(trace.scenario))
  const posting = freePosting(trace, counts, stageOf)
  // Where no job could start, the scheduler would not have been asked.
  if (posting.runnable.every((jobs) => jobs === 0)) return { target: decision.stages[stage].seatsBefore, post: NONE }
  const means = Float64Array.from(decision.stages, ({ mean }) => mean)
  const ballot = ballotOf(trace, { counts }, means, [...stageOf])
  // What was on its way, and how old jobs were, stays.
  castForeseen(ballot, stageOf, foreseenIn(decision), 0)
  const policy = policyOf(trace.scenario, decision.phase, decision.index)
  const seats = seatsBy(policy.kind === 'hamilton' ? policy.kind : (ruleOf(policy.kind) ?? 'leastScore'), powerOf(policy), ballot)
  const table = tableOf(trace, decision, policy, ballot)
  const seated = { ...table, stageOf, state: { counts, shards: null }, seats: Int32Array.from(seats) }
  drawPosts(posting, seated)
  matchPosts(posting, seated)
  // Where queues are bounded, the scheduler may draw once more.
  const p = posting.worker.subarray(0, posting.posts).indexOf(worker)
  const post = p >= 0 ? stageOf[posting.place[p]] : trace.topology.bounded ? null : NONE
  return { target: seats[stageOf.indexOf(stage)], post }
}

/** Returns the free workers, and how many jobs may start at each place. */
function freePosting({ topology }: Trace, counts: Counts, stageOf: Int16Array): Posting {
  const posting = createPosting(stageOf.length, counts.status.length)
  stageOf.forEach((stage, k) => {
    posting.runnable[k] = roomFor({ topology, counts }, stage, counts.waiting[stage])
    posting.staffed[k] = counts.busy[stage]
  })
  for (const status of counts.status) if (status === IDLE) posting.idle++
  return posting
}

/** Returns how the policy weighs the stages, and what batches are sized by. */
function tableOf({ scenario }: Trace, { phase, stages }: Decision, policy: Policy, ballot: Ballot) {
  const rule = ruleOf(policy.kind)
  const weights = ballot.votes.slice()
  if (rule !== null) weightsInto(rule, ballot, powerOf(policy), weights)
  const estimates = { count: Float64Array.from(stages, ({ measured }) => measured), mean: Float64Array.from(stages, ({ mean }) => mean) }
  return { scenario: scenarioAtPhase(scenario, phase), estimates, weights, divisors: divisorsOf(rule ?? 'leastScore', ballot.workers, powerOf(policy)) }
}

/** Whether waiting jobs are all that a post depends on: not with shards, skipped jobs, or jobs that are tried again alone. */
function isPlain({ scenario: { order, stages, workerEvents }, failures }: Trace): boolean {
  const steady = stages.every(({ fails, resource, whenTaken }) => fails === null && (resource === null || whenTaken === 'wait'))
  return steady && order.kind !== 'shard' && failures.length === 0 && workerEvents.length === 0
}
