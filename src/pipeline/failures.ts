import type { JobParts } from './jobParts.ts'
import { follows, giveResource, pass } from './moves.ts'
import { DISCARDED, FAILED, WITHDRAWN } from './rows.ts'
import { partKey, type State } from './state.ts'

/**
 * Puts jobs from a worker's hands back at the head of their queue, in order. If they `threw`, a job that was alone has failed once more, and jobs
 * in company are tried alone from now on. The loss of a worker says nothing about its jobs, so it is no try.
 */
export function giveBack(state: State, stage: number, worker: number, jobs: readonly number[], threw: boolean): void {
  const { jobParts } = state
  beginPrefetchLease(state, worker)
  state.queues[stage].putBack(jobParts === null ? jobs : jobs.filter((job) => !jobParts.failed.has(job)))
  if (state.topology.exclusive[stage] === 1) giveResource(state, stage, worker, jobs[0])
  for (const job of jobs) {
    if (jobParts?.failed.has(job)) follows(state, WITHDRAWN, stage, job)
    else if (threw) countTry(state, stage, job, jobs.length === 1 ? 1 : 0)
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
