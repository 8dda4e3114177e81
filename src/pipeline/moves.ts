import { DISCARDED, FAILED, GATHERED, NONE, ROUTED, WITHDRAWN } from './rows.ts'
import { passUnreachable } from './shards.ts'
import { hasFailed, type JobParts, partKey, type State } from './state.ts'
import { joinResourceQueue, leaveResourceQueue } from './workerJobs.ts'

/** Returns a kind of row and a stage (or NONE) as one number: see `due` of State. */
function codeOf(kind: number, stage: number): number {
  return (kind << 9) | (stage + 1)
}

/** Adds a consequence other than a release to `due`. */
export function follows(state: State, kind: number, stage: number, job: number): void {
  state.due.push(-1 - job)
  state.due.push(codeOf(kind, stage))
}

export function enqueue(state: State, stage: number, job: number): void {
  const { buffer, topology } = state
  if (buffer !== null && topology.gated[stage] === 1 && job >= buffer.tail + topology.slots)
    state.early[stage].push(job)
  else state.queues[stage].push(job)
}

export function leave({ queues }: State, stage: number, job: number): void {
  if (queues[stage].peek() === job) queues[stage].take()
  else queues[stage].remove(job)
}

/** Enqueues the job that `countRow` has just admitted, if any. */
export function admit(state: State): void {
  if (state.outside.length > state.counts.outside) enter(state, state.outside.take())
}

export function enter(state: State, job: number): void {
  const { firsts } = state.topology
  if (firsts.length > 1) state.jobParts?.more(job, firsts.length - 1)
  for (const first of firsts) enqueue(state, first, job)
}

/** Moves a finished job on where several ways, a join or a sink that gathers parts follow. */
export function fork(state: State, stage: number, job: number): void {
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
export function come(state: State, stage: number, job: number): void {
  const { jobParts } = state
  const waitsFor = state.topology.joins[stage]
  if (jobParts === null) enqueue(state, stage, job)
  else if (jobParts.failed.has(job)) follows(state, waitsFor > 0 ? DISCARDED : WITHDRAWN, stage, job)
  else if (waitsFor === 0) enqueue(state, stage, job)
  else {
    if (jobParts.gather(stage, job) < waitsFor) return
    jobParts.less(job, waitsFor - 1)
    follows(state, GATHERED, stage, job)
  }
}

/** Moves a job that was finished at its last stage to the sink. */
export function leavePipeline(state: State, job: number): void {
  if (state.buffer === null) state.due.push(job)
  else pass(state, state.buffer.put(job, job))
}

/** Notes that the order buffer released these jobs. Its tail may now reach failed tickets and early jobs. */
export function pass(state: State, released: readonly number[]): void {
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

/** Gives the job's resource to the worker that starts it, or queues the worker for it. */
export function takeResource({ skipping, resourceQueues }: State, stage: number, worker: number, job: number): void {
  skipping[stage]?.hold(job)
  if (resourceQueues !== null) joinResourceQueue(resourceQueues, stage, worker, job)
}

/** Passes the resource of a worker's job on to the next worker in its queue. */
export function giveResource(
  { skipping, resourceQueues, granted }: State,
  stage: number,
  worker: number,
  job: number,
): void {
  skipping[stage]?.free(job)
  const next = resourceQueues === null ? NONE : leaveResourceQueue(resourceQueues, worker)
  if (next !== NONE) granted.push(next)
}

/** Puts jobs back at the head of their queue, in order. If they `threw`, a job alone has failed once more, and others are tried alone from now on. */
export function giveBack(state: State, stage: number, worker: number, jobs: readonly number[], threw: boolean): void {
  const { jobParts } = state
  beginPrefetchLease(state, worker)
  state.queues[stage].putBack(jobParts === null ? jobs : jobs.filter((job) => !jobParts.failed.has(job)))
  if (state.topology.exclusive[stage] === 1) giveResource(state, stage, worker, jobs[0])
  for (const job of jobs) {
    if (jobParts?.failed.has(job)) follows(state, WITHDRAWN, stage, job)
    else if (threw) countTry(state, stage, job, jobs.length === 1 || state.threadEnds !== null ? 1 : 0)
    else if (state.threadEnds?.has(partKey(stage, job))) countTry(state, stage, job, 0)
  }
}

function countTry(state: State, stage: number, job: number, more: number): void {
  const key = partKey(stage, job)
  state.tries.set(key, (state.tries.get(key) ?? 0) + more)
  // When two parts fail at one time, one of them is enough.
  if (!hasFailed(state, stage, job) || state.jobParts?.giveUp(job) === false) return
  follows(state, FAILED, stage, job)
  if (state.buffer === null) return
  state.failedTickets.push(job)
  pass(state, [])
}

/** Removes the waiting parts of a failed job. Parts that a worker has leave when it returns them. */
export function withdraw(state: State, jobParts: JobParts, job: number): void {
  jobParts.failed.add(job)
  jobParts.forget(job)
  for (let stage = 0; stage < state.queues.length; stage++) {
    for (let here = jobParts.scatter(stage, job); here > 0; here--) follows(state, DISCARDED, stage, job)
    state.tries.delete(partKey(stage, job))
    if (state.counts.waiting[stage] === 0) continue
    if (state.queues[stage].remove(job) || state.early[stage].remove(job)) follows(state, WITHDRAWN, stage, job)
  }
}

/** Ends the lease of the batch in front. The prefetched batch, if there is one, now has the worker's lease. */
export function beginPrefetchLease({ counts, leases, prefetchLeases }: State, worker: number): void {
  leases[worker] = counts.jobsInHand[worker] > 0 ? prefetchLeases[worker] : 0
  prefetchLeases[worker] = 0
}
