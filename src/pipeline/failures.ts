import type { JobParts } from './jobParts.ts'
import { follows, giveResource, pass } from './moves.ts'
import { DISCARDED, FAILED, WITHDRAWN } from './rows.ts'
import { isWaiting, partKey, type State } from './state.ts'

/**
 * Puts jobs from a worker's hands back at the head of their queue, in order. The first `tried` of them are the batch in front: a job that was alone
 * in it has failed once more. A prefetched batch, which a lost worker lays back too, has not been tried.
 */
export function giveBack(state: State, stage: number, worker: number, jobs: readonly number[], tried: number): void {
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
