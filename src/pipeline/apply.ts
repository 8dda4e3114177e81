import type { Micros } from '../scenario/model/scenario.ts'
import { countRow } from './countRow.ts'
import { frontOf } from './counts.ts'
import type { JobParts } from './jobParts.ts'
import { joinResourceQueue, leaveResourceQueue } from './resourceQueues.ts'
import {
  ARRIVED,
  DISCARDED,
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
import { passUnreachable } from './shards.ts'
import { isWaiting, partKey, type State } from './state.ts'
import { FORK, SINK } from './topology.ts'
import { updateWorkerJobs } from './workerJobs.ts'

/** Applies row `i` to the state. What follows from it waits in `due` until `settle` makes rows of it. */
export function apply(state: State, rows: Rows, i: number): void {
  const { topology, counts } = state
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const job = rows.job[i]
  const kind = rows.kind[i]
  const laidBack = updateWorkerJobs(state.workerJobs, counts, rows, i)
  // Read before the counts change, and only for rows that have a worker: reading outside a column is slow.
  const heldAt = laidBack.length > 0 ? counts.stage[worker] : NONE
  // A worker that finishes a batch and is lost at the same time has not begun its next.
  const tried = kind === THREW || (kind === LOST && laidBack.length > 0 && counts.since[worker] < rowTime(rows, i)) ? frontOf(counts, worker) : 0
  countRow(topology, counts, rows, i)
  switch (kind) {
    case ARRIVED:
      if (counts.outside > state.outside.length) state.outside.push(job)
      else enter(state, job)
      return
    case STARTED:
      leave(state, stage, job)
      state.shards?.queues[stage].hold(job, worker)
      if (topology.exclusive[stage] === 1) takeResource(state, stage, worker, job)
      if (counts.jobsInHand[worker] === 1) state.leases[worker] = ++state.batches
      return
    case FINISHED: {
      const next = topology.next[stage]
      if (topology.exclusive[stage] === 1) giveResource(state, stage, worker, job)
      if (state.tries.size > 0) state.tries.delete(partKey(stage, job))
      state.shards?.queues[stage].pass(job)
      if (counts.jobsInHand[worker] === 0) state.leases[worker] = 0
      else if (state.prefetchLeases[worker] > 0 && counts.prefetching[worker] === 0) beginPrefetchLease(state, worker)
      if (next === FORK) fork(state, stage, job)
      else if (next !== SINK && state.jobParts === null) enqueue(state, next, job)
      else if (next !== SINK) come(state, next, job)
      else leavePipeline(state, job)
      return
    }
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

/** Appends the consequences that are due as rows and applies them. */
export function settle(state: State, rows: Rows, time: Micros): void {
  const { due } = state
  if (due.length === 1) {
    pushRow(rows, time, RELEASED, NONE, NONE, due.pop() ?? NONE)
    apply(state, rows, rows.length - 1)
    return
  }
  for (let k = 0; k < due.length; k++) {
    const job = due[k]
    if (job >= 0) pushRow(rows, time, RELEASED, NONE, NONE, job)
    else {
      const code = due[++k]
      pushRow(rows, time, code >> 9, (code & 511) - 1, NONE, -1 - job)
    }
    apply(state, rows, rows.length - 1)
  }
  due.length = 0
}

/** Returns a kind of row and a stage (or NONE) as one number. */
function codeOf(kind: number, stage: number): number {
  return (kind << 9) | (stage + 1)
}

/** Notes a consequence other than a release. */
function follows(state: State, kind: number, stage: number, job: number): void {
  state.due.push(-1 - job, codeOf(kind, stage))
}

/** Gives the job's resource to the worker that starts it, or queues the worker for it. */
function takeResource({ skipping, resourceQueues }: State, stage: number, worker: number, job: number): void {
  skipping[stage]?.hold(job)
  if (resourceQueues !== null) joinResourceQueue(resourceQueues, stage, worker, job)
}

/** Passes the resource of a worker's job on to the next worker in its queue. */
function giveResource({ skipping, resourceQueues, granted }: State, stage: number, worker: number, job: number): void {
  skipping[stage]?.free(job)
  const next = resourceQueues === null ? NONE : leaveResourceQueue(resourceQueues, worker)
  if (next !== NONE) granted.push(next)
}

function enqueue(state: State, stage: number, job: number): void {
  const { buffer, topology } = state
  if (buffer !== null && topology.gated[stage] === 1 && job >= buffer.tail + topology.slots) state.early[stage].push(job)
  else state.queues[stage].push(job)
}

function leave(state: State, stage: number, job: number): void {
  const queue = state.queues[stage]
  if (queue.peek() === job) queue.take()
  else queue.remove(job)
  admit(state)
}

/** Enqueues the job that `countRow` has just admitted, if any. */
function admit(state: State): void {
  if (state.outside.length > state.counts.outside) enter(state, state.outside.take())
}

/** Moves a job from the source to each first stage. */
function enter(state: State, job: number): void {
  const { firsts } = state.topology
  if (firsts.length > 1) state.jobParts?.more(job, firsts.length - 1)
  for (let i = 0; i < firsts.length; i++) enqueue(state, firsts[i], job)
}

/** Moves a finished job on where several ways, a join or a sink that gathers parts follow. */
function fork(state: State, stage: number, job: number): void {
  const { routes, ways } = state.topology
  const { jobParts } = state
  if (routes[stage] === 1) {
    if (jobParts?.failed.has(job)) return
    const to = state.routeOf(stage, job)
    follows(state, ROUTED, to, job)
    if (state.shards !== null) passUnreachable(state.shards, state.topology, stage, to, job)
    return
  }
  for (const way of ways[stage]) come(state, way, job)
  if (jobParts === null || jobParts.failed.has(job)) return
  if (ways[stage].length > 1) jobParts.more(job, ways[stage].length - 1)
  else if (ways[stage].length === 0 && jobParts.less(job, 1) === 0) follows(state, GATHERED, NONE, job)
}

/** Moves a part of a job to a stage: into its queue, or to the parts that wait for the others. */
function come(state: State, stage: number, job: number): void {
  const { jobParts } = state
  const waitsFor = state.topology.joins[stage]
  if (jobParts === null) enqueue(state, stage, job)
  else if (jobParts.failed.has(job)) follows(state, waitsFor > 0 ? DISCARDED : WITHDRAWN, stage, job)
  else if (waitsFor === 0) enqueue(state, stage, job)
  else {
    const key = partKey(stage, job)
    const here = (jobParts.gathered.get(key) ?? 0) + 1
    jobParts.gathered.set(key, here)
    if (here < waitsFor) return
    jobParts.less(job, waitsFor - 1)
    follows(state, GATHERED, stage, job)
  }
}

/** Removes the waiting parts of a failed job. Parts that a worker has leave when it returns them. */
function withdraw(state: State, jobParts: JobParts, job: number): void {
  jobParts.failed.add(job)
  jobParts.forget(job)
  for (let stage = 0; stage < state.queues.length; stage++) {
    const key = partKey(stage, job)
    for (let here = jobParts.gathered.get(key) ?? 0; here > 0; here--) follows(state, DISCARDED, stage, job)
    jobParts.gathered.delete(key)
    state.tries.delete(key)
    if (state.counts.waiting[stage] === 0) continue
    if (state.queues[stage].remove(job) || state.early[stage].remove(job)) follows(state, WITHDRAWN, stage, job)
  }
}

/** Moves a job that was finished at its last stage to the sink. */
function leavePipeline(state: State, job: number): void {
  if (state.buffer === null) state.due.push(job)
  else pass(state, state.buffer.put(job, job))
}

/** Ends the lease of the batch in front. The prefetched batch, if there is one, now has the worker's lease. */
function beginPrefetchLease({ counts, leases, prefetchLeases }: State, worker: number): void {
  leases[worker] = counts.jobsInHand[worker] > 0 ? prefetchLeases[worker] : 0
  prefetchLeases[worker] = 0
}

/**
 * Puts jobs from a worker's hands back at the head of their queue, in order. The first `tried` of them are the batch in front: a job that was alone
 * in it has failed once more. A prefetched batch, which a lost worker lays back too, has not been tried.
 */
function giveBack(state: State, stage: number, worker: number, jobs: readonly number[], tried: number): void {
  const { jobParts } = state
  beginPrefetchLease(state, worker)
  state.queues[stage].putBack(jobParts === null ? jobs : jobs.filter((job) => !jobParts.failed.has(job)))
  // A job that waited for its resource was never begun, so it has not failed.
  const begun = isWaiting(state, worker) ? 0 : tried
  if (state.topology.exclusive[stage] === 1) giveResource(state, stage, worker, jobs[0])
  for (const [k, job] of jobs.entries()) {
    if (jobParts?.failed.has(job)) follows(state, WITHDRAWN, stage, job)
    else if (k < begun) countTry(state, stage, job, begun === 1 ? 1 : 0)
  }
}

function countTry(state: State, stage: number, job: number, more: number): void {
  const key = partKey(stage, job)
  const tries = (state.tries.get(key) ?? 0) + more
  state.tries.set(key, tries)
  // When two parts fail at one time, one of them is enough.
  if (tries < state.triesAllowed[stage] || state.jobParts?.giveUp(job) === false) return
  follows(state, FAILED, stage, job)
  if (state.buffer === null) return
  state.failedTickets.push(job)
  pass(state, [])
}

/** Notes that the order buffer released these jobs. Its tail may now reach failed tickets and early jobs. */
function pass(state: State, released: readonly number[]): void {
  const { buffer, failedTickets, topology } = state
  for (const job of released) state.due.push(job)
  if (buffer === null) return
  while (failedTickets.length > 0 && failedTickets.peek() < buffer.tail + topology.slots)
    for (const job of buffer.trash(failedTickets.take())) state.due.push(job)
  for (let stage = 0; stage < topology.stages; stage++) {
    const early = state.early[stage]
    while (early.length > 0 && early.peek() < buffer.tail + topology.slots) state.queues[stage].push(early.take())
  }
}
