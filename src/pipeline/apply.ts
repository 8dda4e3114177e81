import type { Micros } from '../scenario/model/scenario.ts'
import { countArrived, countFinished, countRare, countReleased, countStarted } from './countRow.ts'
import { BUSY, frontOf } from './counts.ts'
import {
  admit,
  beginPrefetchLease,
  come,
  enqueue,
  enter,
  fork,
  giveBack,
  giveResource,
  leave,
  leavePipeline,
  takeResource,
  withdraw,
} from './moves.ts'
import * as log from './rows.ts'
import { MIN_AT_ONCE, partKey, type State, servesAtOnce } from './state.ts'
import { FORK, SINK } from './topology.ts'
import { dropJob, putBackJobs } from './workerJobs.ts'

/** Applies row `i` to the state. Its consequences wait in `due` until `settle` makes rows of them. */
export function apply(state: State, rows: log.Rows, i: number): void {
  const time = log.rowTime(rows, i)
  state.counts.time = time
  switch (rows.kind[i]) {
    case log.ARRIVED:
      arrive(state, rows.job[i])
      return
    case log.STARTED:
      begin(state, time, rows.stage[i], rows.worker[i], rows.job[i])
      return
    case log.FINISHED:
      finish(state, time, rows.stage[i], rows.worker[i], rows.job[i], rows.lasted[i])
      return
    case log.RELEASED:
      countReleased(state.counts)
      return
    default:
      change(state, time, rows.kind[i], rows.stage[i], rows.worker[i], rows.job[i])
  }
}

/** Gives a worker a job of a stage: appends the row, counts it and moves the job. */
export function startJob(state: State, rows: log.Rows, time: Micros, stage: number, worker: number, job: number): void {
  log.pushRow(rows, time, log.STARTED, stage, worker, job)
  state.counts.time = time
  begin(state, time, stage, worker, job)
}

/** Gives a worker the first job in the queue of a stage. The queue must have one. */
export function startFirst(state: State, rows: log.Rows, time: Micros, stage: number, worker: number): void {
  const job = state.queues[stage].take()
  log.pushRow(rows, time, log.STARTED, stage, worker, job)
  state.counts.time = time
  receive(state, time, stage, worker, job)
}

/** Gives a worker this many jobs of a stage at once. Call it only where `servesAtOnce`; the queue must have them. */
export function startJobs(
  state: State,
  rows: log.Rows,
  time: Micros,
  stage: number,
  worker: number,
  many: number,
): void {
  const { topology, counts } = state
  const queue = state.queues[stage]
  const jobs: number[] = []
  for (let k = 0; k < many; k++) jobs.push(queue.take())
  if (state.clients !== null) for (const job of jobs) state.clients.unstarted.delete(job)
  log.pushRows(rows, time, log.STARTED, stage, worker, jobs)
  counts.time = time
  state.workerJobs[worker].push(...jobs)
  countStarted(topology, counts, time, stage, worker, many)
  if (counts.jobsInHand[worker] === many) state.leases[worker] = ++state.batches
}

/** Applies the rows from `i` to `to` that report a whole batch in its order. Returns how many; 0 if they must be applied one by one. */
export function applyBatch(state: State, rows: log.Rows, i: number, to: number): number {
  const { topology, counts } = state
  const worker = rows.worker[i]
  const many = frontOf(counts, worker)
  if (many < MIN_AT_ONCE || i + many > to) return 0
  const stage = rows.stage[i]
  const next = topology.next[stage]
  if (next === FORK || !servesAtOnce(state, stage)) return 0
  const hand = state.workerJobs[worker]
  let lasted = 0
  for (let k = 0; k < many; k++) {
    if (rows.kind[i + k] !== log.FINISHED || rows.worker[i + k] !== worker || rows.job[i + k] !== hand[k]) return 0
    lasted += rows.lasted[i + k]
  }
  const time = log.rowTime(rows, i)
  counts.time = time
  countFinished(topology, counts, time, stage, worker, lasted, many)
  endLease(state, worker)
  for (const job of hand.splice(0, many)) {
    if (next === SINK) leavePipeline(state, job)
    else enqueue(state, next, job)
  }
  return many
}

export function enact(
  state: State,
  rows: log.Rows,
  time: Micros,
  kind: number,
  stage: number,
  worker: number,
  job: number,
): void {
  log.pushRow(rows, time, kind, stage, worker, job)
  state.counts.time = time
  change(state, time, kind, stage, worker, job)
}

/** Appends the consequences that are due as rows and applies them, and those that follow from these. */
export function settle(state: State, rows: log.Rows, time: Micros): void {
  const { due } = state
  while (due.length > 0) {
    const job = due.take()
    if (job >= 0) release(state, rows, time, job)
    else {
      const code = due.take()
      enact(state, rows, time, code >> 9, (code & 511) - 1, log.NONE, -1 - job)
    }
  }
}

/** Drops the consequences that are due: a record that is folded again has their rows already. */
export function skipConsequences({ due }: State): void {
  while (due.length > 0) due.take()
}

function release({ counts }: State, rows: log.Rows, time: Micros, job: number): void {
  log.pushRow(rows, time, log.RELEASED, log.NONE, log.NONE, job)
  counts.time = time
  countReleased(counts)
}

function arrive(state: State, job: number): void {
  const { counts } = state
  countArrived(state.topology, counts)
  send(state, job)
}

/** Moves a job that a client sends, and that was counted, into the first queues or outside. */
function send(state: State, job: number): void {
  state.clients?.unstarted.add(job)
  if (state.counts.outside > state.outside.length) state.outside.push(job)
  else enter(state, job)
}

function begin(state: State, time: Micros, stage: number, worker: number, job: number): void {
  leave(state, stage, job)
  receive(state, time, stage, worker, job)
}

function receive(state: State, time: Micros, stage: number, worker: number, job: number): void {
  const { topology, counts } = state
  state.workerJobs[worker].push(job)
  if (state.clients !== null) state.clients.unstarted.delete(job)
  countStarted(topology, counts, time, stage, worker)
  admit(state)
  if (state.shards !== null) state.shards.queues[stage].hold(job, worker)
  if (topology.exclusive[stage] === 1) takeResource(state, stage, worker, job)
  if (counts.jobsInHand[worker] === 1) state.leases[worker] = ++state.batches
}

export function finish(state: State, time: Micros, stage: number, worker: number, job: number, lasted: Micros): void {
  const { topology, counts } = state
  const next = topology.next[stage]
  dropJob(state.workerJobs[worker], job)
  countFinished(topology, counts, time, stage, worker, lasted)
  if (topology.exclusive[stage] === 1) giveResource(state, stage, worker, job)
  if (state.tries.size > 0) forgetTries(state, stage, job)
  if (state.shards !== null) state.shards.queues[stage].pass(job)
  endLease(state, worker)
  if (next === FORK) fork(state, stage, job)
  else if (next === SINK) leavePipeline(state, job)
  else if (state.jobParts === null) enqueue(state, next, job)
  else come(state, next, job)
}

function forgetTries({ tries, threadEnds }: State, stage: number, job: number): void {
  tries.delete(partKey(stage, job))
  threadEnds?.delete(partKey(stage, job))
}

function endLease(state: State, worker: number): void {
  const { counts } = state
  if (counts.jobsInHand[worker] === 0) state.leases[worker] = 0
  else if (state.prefetchLeases[worker] > 0 && counts.prefetching[worker] === 0) beginPrefetchLease(state, worker)
}

function change(state: State, time: Micros, kind: number, stage: number, worker: number, job: number): void {
  const { topology, counts } = state
  if (kind === log.THREW || kind === log.LOST || kind === log.DISMISSED) {
    putBack(state, time, kind, worker, job)
    return
  }
  countRare(topology, counts, time, kind, stage, worker, job)
  switch (kind) {
    case log.PREFETCH:
      state.prefetchLeases[worker] = ++state.batches
      return
    case log.FAILED:
      leave(state, stage, job)
      admit(state)
      forgetTries(state, stage, job)
      if (state.jobParts !== null) withdraw(state, state.jobParts, job)
      if (state.shards !== null) for (const queue of state.shards.queues) queue.pass(job)
      return
    case log.ROUTED:
      come(state, stage, job)
      return
    case log.GATHERED:
      if (stage === log.NONE) leavePipeline(state, job)
      else {
        state.jobParts?.scatter(stage, job)
        enqueue(state, stage, job)
      }
      return
    case log.WITHDRAWN:
      // The part was taken out of its queue when its job failed, or never entered it.
      admit(state)
      return
    case log.RENEGED:
    case log.GAVE_UP:
      state.clients?.unstarted.delete(job)
      if (stage === log.NONE) state.outside.remove(job)
      else leave(state, stage, job)
      admit(state)
      return
    case log.RETRIED:
      send(state, job)
  }
}

/** Returns the jobs of a worker that throws, is lost or is dismissed to their queue. */
function putBack(state: State, time: Micros, kind: number, worker: number, job: number): void {
  const { topology, counts } = state
  if (kind === log.LOST && state.threadEnds !== null) noteThreadEnd(state, state.threadEnds, time, worker)
  const laidBack = putBackJobs(state.workerJobs, counts, kind, worker, job)
  // Read before the counts change.
  const heldAt = counts.stage[worker]
  countRare(topology, counts, time, kind, heldAt, worker, job)
  if (laidBack.length > 0) giveBack(state, heldAt, worker, laidBack, kind === log.THREW)
}

/**
 * Counts the end of a thread at the batch it was at. It is not known which job it was, or whether its reply was lost and it had begun the next batch:
 * all are served alone from now on.
 */
function noteThreadEnd(state: State, ends: Map<number, number>, time: Micros, worker: number): void {
  const { counts, workerJobs, threadEndsAllowed } = state
  if (counts.status[worker] !== BUSY) return
  const stage = counts.stage[worker]
  // What it began in this very instant may not have reached it.
  const front = counts.since[worker] === time ? 0 : frontOf(counts, worker)
  for (const [k, job] of workerJobs[worker].entries()) {
    const key = partKey(stage, job)
    const count = ends.get(key) ?? 0
    // The end that makes it fail is one where it was alone.
    ends.set(key, count + (k < front && (front === 1 || count + 1 < threadEndsAllowed[stage]) ? 1 : 0))
  }
}
