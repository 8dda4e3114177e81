import type { Micros } from '../scenario/model/scenario.ts'
import { countArrived, countFinished, countReleased, countRow, countStarted } from './countRow.ts'
import { frontOf } from './counts.ts'
import { beginPrefetchLease, giveBack, withdraw } from './failures.ts'
import { admit, come, enqueue, enter, fork, giveResource, leave, leavePipeline, takeResource } from './moves.ts'
import {
  ARRIVED,
  DISMISSED,
  FAILED,
  FINISHED,
  GATHERED,
  LOST,
  NONE,
  PREFETCH,
  pushRow,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
  THREW,
  WITHDRAWN,
} from './rows.ts'
import { partKey, type State } from './state.ts'
import { FORK, SINK } from './topology.ts'
import { dropJob, updateWorkerJobs } from './workerJobs.ts'

/** Applies row `i` to the state. What follows from it waits in `due` until `settle` makes rows of it. */
export function apply(state: State, rows: Rows, i: number): void {
  const time = rowTime(rows, i)
  state.counts.time = time
  switch (rows.kind[i]) {
    case ARRIVED:
      arrive(state, rows.job[i])
      return
    case STARTED:
      begin(state, time, rows.stage[i], rows.worker[i], rows.job[i])
      return
    case FINISHED:
      finish(state, time, rows.stage[i], rows.worker[i], rows.job[i], rows.lasted[i])
      return
    case RELEASED:
      countReleased(state.counts)
      return
    default:
      applyRare(state, rows, i, time)
  }
}

/** Gives a worker the next job of a stage: appends the row, counts it and moves the job. */
export function startJob(state: State, rows: Rows, time: Micros, stage: number, worker: number, job: number): void {
  pushRow(rows, time, STARTED, stage, worker, job)
  state.counts.time = time
  begin(state, time, stage, worker, job)
}

/** Appends a row of any kind and applies it. */
export function enact(state: State, rows: Rows, time: Micros, kind: number, stage: number, worker: number, job: number): void {
  pushRow(rows, time, kind, stage, worker, job)
  apply(state, rows, rows.length - 1)
}

/** Appends the consequences that are due as rows and applies them. */
export function settle(state: State, rows: Rows, time: Micros): void {
  const { due } = state
  for (let k = 0; k < due.length; k++) {
    const job = due[k]
    if (job >= 0) release(state, rows, time, job)
    else {
      const code = due[++k]
      enact(state, rows, time, code >> 9, (code & 511) - 1, NONE, -1 - job)
    }
  }
  due.length = 0
}

function release({ counts }: State, rows: Rows, time: Micros, job: number): void {
  pushRow(rows, time, RELEASED, NONE, NONE, job)
  counts.time = time
  countReleased(counts)
}

function arrive(state: State, job: number): void {
  const { counts } = state
  countArrived(state.topology, counts)
  if (counts.outside > state.outside.length) state.outside.push(job)
  else enter(state, job)
}

function begin(state: State, time: Micros, stage: number, worker: number, job: number): void {
  const { topology, counts } = state
  state.workerJobs[worker].push(job)
  countStarted(topology, counts, time, stage, worker)
  leave(state, stage, job)
  if (state.shards !== null) state.shards.queues[stage].hold(job, worker)
  if (topology.exclusive[stage] === 1) takeResource(state, stage, worker, job)
  if (counts.jobsInHand[worker] === 1) state.leases[worker] = ++state.batches
}

function finish(state: State, time: Micros, stage: number, worker: number, job: number, lasted: Micros): void {
  const { topology, counts } = state
  const next = topology.next[stage]
  dropJob(state.workerJobs[worker], job)
  countFinished(topology, counts, time, stage, worker, lasted)
  if (topology.exclusive[stage] === 1) giveResource(state, stage, worker, job)
  if (state.tries.size > 0) state.tries.delete(partKey(stage, job))
  if (state.shards !== null) state.shards.queues[stage].pass(job)
  if (counts.jobsInHand[worker] === 0) state.leases[worker] = 0
  else if (state.prefetchLeases[worker] > 0 && counts.prefetching[worker] === 0) beginPrefetchLease(state, worker)
  if (next === FORK) fork(state, stage, job)
  else if (next === SINK) leavePipeline(state, job)
  else if (state.jobParts === null) enqueue(state, next, job)
  else come(state, next, job)
}

function applyRare(state: State, rows: Rows, i: number, time: Micros): void {
  const { counts } = state
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const job = rows.job[i]
  const kind = rows.kind[i]
  const laidBack = updateWorkerJobs(state.workerJobs, counts, rows, i)
  // Read before the counts change, and only for rows that have a worker: reading outside a column is slow.
  const heldAt = laidBack.length > 0 ? counts.stage[worker] : NONE
  // A worker that finishes a batch and is lost at the same time has not begun its next.
  const tried = kind === THREW || (kind === LOST && laidBack.length > 0 && counts.since[worker] < time) ? frontOf(counts, worker) : 0
  countRow(state.topology, counts, rows, i)
  switch (kind) {
    case THREW:
    case LOST:
    case DISMISSED:
      if (laidBack.length > 0) giveBack(state, heldAt, worker, laidBack, tried)
      return
    case PREFETCH:
      state.prefetchLeases[worker] = ++state.batches
      return
    case FAILED:
      leave(state, stage, job)
      state.tries.delete(partKey(stage, job))
      if (state.jobParts !== null) withdraw(state, state.jobParts, job)
      if (state.shards !== null) for (const queue of state.shards.queues) queue.pass(job)
      return
    case ROUTED:
      come(state, stage, job)
      return
    case GATHERED:
      if (stage === NONE) leavePipeline(state, job)
      else {
        state.jobParts?.gathered.delete(partKey(stage, job))
        enqueue(state, stage, job)
      }
      return
    case WITHDRAWN:
      // The part was taken out of its queue when its job failed, or never entered it.
      admit(state)
  }
}
