import { exchangeSeats } from '../allocation/apportion.ts'
import { castAllVotes, castForeseen } from '../allocation/ballot.ts'
import { estimatesOf, observe } from '../allocation/estimate.ts'
import { weightsInto } from '../allocation/rules.ts'
import { apply, applyBatch, enact, finish, settle, startFirst, startJob, startJobs } from '../pipeline/apply.ts'
import { grown } from '../pipeline/column.ts'
import { markDone } from '../pipeline/counts.ts'
import { type Journal, pushChangedSeats, pushDecision } from '../pipeline/journal.ts'
import { lookAhead } from '../pipeline/outlook.ts'
import { ARRIVED, FINISHED, NONE, PHASE, PREFETCH, type Rows, rowTime } from '../pipeline/rows.ts'
import type { Shards } from '../pipeline/shards.ts'
import { MIN_AT_ONCE, roomFor, runnable, servedAlone, servesAtOnce } from '../pipeline/state.ts'
import type { Micros } from '../scenario/model/scenario.ts'
import { canGive, choosePlaces, matchWorkers, prefetchTaker } from './assignments.ts'
import { sizeAt } from './batches.ts'
import { askCode } from './codePolicy.ts'
import { beginPhase, type Core } from './core.ts'
import { type Pools, resize } from './resize.ts'
import { carryOn } from './stealing.ts'

/** The only entry to the core: takes one instant's facts, rows from `from` on (law 11), appends consequences, a decision, orders; returns their row. */
export function dispatch(core: Core, journal: Journal, from: number): number {
  const { state, estimators } = core
  const { rows } = journal
  const facts = rows.length
  const time = rowTime(rows, facts - 1)
  state.counts.time = time
  if (core.starting.any) core.starting.end(time, (worker) => core.roster.note(state.counts, worker))
  for (let i = from; i < facts; ) {
    const worker = rows.worker[i]
    const kind = rows.kind[i]
    if (kind === FINISHED) {
      const batch = core.scenario.batch.size === 1 ? 0 : applyBatch(state, rows, i, facts)
      const stage = rows.stage[i]
      if (batch === 0) finish(state, time, stage, worker, rows.job[i], rows.lasted[i])
      const end = i + (batch || 1)
      for (; i < end; i++) for (let e = 0; e < estimators.length; e++) observe(estimators[e], stage, rows.lasted[i])
      noteWorker(core, worker)
      continue
    }
    apply(state, rows, i++)
    if (kind === ARRIVED) noteArrival(core)
    else if (kind === PHASE) beginPhase(core)
    if (worker !== NONE) noteWorker(core, worker)
  }
  if (state.due.length > 0) settle(state, rows, time)
  if (core.pools !== null && !state.counts.stopped) resizePools(core, core.pools, journal, time, facts)
  const { roundTrips, carrying } = core
  if (roundTrips !== null) roundTrips.take(rows, from)
  if (carrying !== null) carrying.take(rows, from, state)
  const orders = rows.length
  if (!state.counts.stopped && hasWork(core)) decide(core, journal, time)
  if (roundTrips !== null) roundTrips.take(rows, orders)
  if (carrying !== null) carrying.take(rows, orders, state)
  return facts
}

function resizePools(core: Core, pools: Pools, journal: Journal, time: Micros, facts: number): void {
  const { state } = core
  const { rows } = journal
  const from = rows.length
  resize(pools, core.starting, state, core.stageOf, core.estimates, journal, facts)
  for (let i = from; i < rows.length; i++) noteWorker(core, rows.worker[i])
  // A dismissed worker may return a part of a failed job.
  if (state.due.length > 0) settle(state, rows, time)
}

function noteWorker({ roster, takers, state, starting }: Core, worker: number): void {
  // It may have been dismissed from another pool at this instant.
  if (starting.any && starting.isAt(state.counts, worker)) roster.take(worker)
  else roster.note(state.counts, worker)
  if (takers !== null) takers.note(state.counts, worker)
}

function noteArrival(core: Core): void {
  if (core.arrivals === null) return
  const { arrived, time } = core.state.counts
  if (arrived > core.arrivals.length) core.arrivals = grown(core.arrivals, arrived)
  core.arrivals[arrived - 1] = time
}

/** Fills in how many jobs may start and how many workers are busy at each stage. Returns whether a worker can take a batch. */
function hasWork(core: Core): boolean {
  const { state, stageOf, assignments, ballot } = core
  const { busy, waiting, live } = state.counts
  const { runnable: ready, staffed } = assignments
  let idle = live
  for (let stage = 0; stage < busy.length; stage++) idle -= busy[stage]
  idle -= core.starting.count
  assignments.idle = idle
  if (idle === 0 && !core.prefetches) return false
  let any = 0
  for (let k = 0; k < stageOf.length; k++) {
    const stage = stageOf[k]
    const jobs = waiting[stage]
    const may = state.direct || jobs === 0 ? jobs : runnable(state, stage)
    ballot.waiting[k] = jobs
    ready[k] = may
    staffed[k] = busy[stage]
    any |= may
  }
  if (any === 0) return false
  return idle > 0 || canGive(assignments, state, stageOf, core.takers)
}

function decide(core: Core, journal: Journal, time: Micros): void {
  const { ballot, seats, previous, row, assignments } = core
  ballot.workers = core.state.counts.live
  if (core.state.counts.exhausted) closeStages(core)
  const hash = castVotes(core)
  const changed = fillSeats(core, time)
  if (core.problem !== null) return
  pushDecision(journal.decisions, journal.rows.length, hash)
  core.taken.decisions++
  if (changed) pushChangedSeats(journal.decisions, core.stageOf, seats, previous)
  if (core.state.shards !== null) dealShards(core, core.state.shards)
  if (row.carries && core.carrying !== null) {
    carryOn(core.view, core.carrying, (worker, stage, size, ticket, jobs) => {
      if (jobs === null) startBatch(core, journal, time, worker, stage, size, ticket)
      else for (const job of jobs) startJob(core.state, journal.rows, time, stage, worker, job)
      noteWorker(core, worker)
    })
    return
  }
  assignments.held = row.holds ? heldBack(core) : 0
  // A job that goes alone makes a batch smaller than planned, and a start may make room in a bounded queue. Then more workers can be assigned.
  let given = 0
  do {
    choosePlaces(assignments, core)
    matchWorkers(assignments, core)
    given = assignments.count
    for (let p = 0; p < assignments.count; p++)
      startBatch(
        core,
        journal,
        time,
        assignments.worker[p],
        core.stageOf[assignments.place[p]],
        assignments.size[p],
        assignments.ticket[p],
      )
    // A job that may end its thread takes no other with it.
    if (core.prefetches && !core.state.threadEnds?.size) given += givePrefetches(core, journal, time)
  } while (given > 0 && (core.state.tries.size > 0 || core.state.topology.bounded) && hasWork(core))
}

/** Fills in the seats as the policy wants them for the votes that are cast. Returns whether they may have changed. */
export function fillSeats(core: Core, time: Micros): boolean {
  const { ballot, seats, row, weights } = core
  if (row.rule !== undefined) {
    if (weights !== ballot.votes) weightsInto(row.rule, ballot, core.power, weights)
    return exchangeSeats(weights, ballot.eligible, ballot.workers, core.divisors, seats)
  }
  if (row.allocate) row.allocate(core.view, seats)
  else if (core.code !== null) core.problem = askCode(core, core.code, seats, time)
  return true
}

/** Casts the votes of all stages, with what the policy sees ahead. Returns the hash of all. */
function castVotes({
  ballot,
  stageOf,
  estimates,
  scratch,
  outlook,
  arrivals,
  state,
  scenario: { policy },
}: Core): number {
  const hash = castAllVotes(ballot, stageOf, estimatesOf(estimates, scratch))
  if (outlook === null) return hash
  // After a phase that looked ahead, nothing more is seen ahead.
  lookAhead(policy, state.topology, state.counts, arrivals ?? [], outlook)
  return castForeseen(ballot, stageOf, outlook, hash)
}

/** Returns how many idle workers stay idle. One of them helps if no worker is busy and no job arrives, since the run would stop otherwise. */
function heldBack({ seats, assignments: { idle, staffed }, state: { counts } }: Core): number {
  let without = idle
  for (let k = 0; k < seats.length; k++) without -= Math.max(0, seats[k] - staffed[k])
  return Math.max(0, Math.min(without, idle < counts.live || !counts.exhausted ? idle : idle - 1))
}

/** Gives busy workers a second batch, so that they do not wait for messages, where jobs remain and the stage has a seat for each. Returns how many. */
function givePrefetches(core: Core, journal: Journal, time: Micros): number {
  const { state, stageOf, seats } = core
  const { rows } = journal
  let given = 0
  for (let k = 0; k < stageOf.length; k++) {
    const stage = stageOf[k]
    const busy = state.counts.busy[stage]
    if (busy === 0 || seats[k] < busy) continue
    for (let jobs = runnable(state, stage); jobs > 0; jobs = runnable(state, stage)) {
      const worker = prefetchTaker(core.takers, state, stage)
      if (worker === NONE) break
      enact(state, rows, time, PREFETCH, stage, worker, NONE)
      startBatch(core, journal, time, worker, stage, sizeAt(core, k, jobs, seats[k]), NONE)
      given++
    }
  }
  return given
}

function closeStages({ ballot, state, stageOf, done }: Core): void {
  markDone(state.topology, state.counts, done)
  for (let k = 0; k < stageOf.length; k++) ballot.eligible[k] = 1 - done[stageOf[k]]
}

/** The seats of a stage are its shards. Other shards let other jobs start. */
function dealShards(core: Core, { queues }: Shards): void {
  for (let k = 0; k < core.seats.length; k++) queues[core.stageOf[k]].deal(core.seats[k])
  hasWork(core)
}

/** Gives a worker its next batch from the queue of a stage. With shards it begins at this ticket. */
function startBatch(
  core: Core,
  { rows }: Journal,
  time: Micros,
  worker: number,
  stage: number,
  size: number,
  ticket: number,
): void {
  const { state } = core
  if (size === 1 && state.direct && state.tries.size === 0) startFirst(state, rows, time, stage, worker)
  else startJobsOf(core, rows, time, worker, stage, size, ticket)
  noteWorker(core, worker)
}

function startJobsOf(
  { state }: Core,
  rows: Rows,
  time: Micros,
  worker: number,
  stage: number,
  size: number,
  ticket: number,
): void {
  const queue = state.queues[stage]
  const shard = state.shards === null ? null : state.shards.queues[stage]
  // A worker started just now may have taken the last place in a queue that two stages feed.
  const most =
    size === 1 && (state.topology.linear || !state.topology.bounded)
      ? 1
      : roomFor(state, stage, shard === null ? Math.min(size, queue.length) : size)
  if (most >= MIN_AT_ONCE && servesAtOnce(state, stage)) {
    startJobs(state, rows, time, stage, worker, most)
    return
  }
  let job = ticket
  for (let taken = 0; taken < most; taken++) {
    if (shard === null) job = queue.peek()
    else if (taken > 0) job = shard.following(job)
    const alone = servedAlone(state, stage, job)
    if (job === NONE || (alone && taken > 0)) return
    startJob(state, rows, time, stage, worker, job)
    if (alone) return
  }
}
