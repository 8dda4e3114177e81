import { type Counts, frontOf } from './counts.ts'
import { DISMISSED, FINISHED, LOST, NONE, type Rows, STARTED, THREW } from './rows.ts'

/** By worker: the jobs it has got and not finished, in order of service. Prefetched jobs are last. */
export type WorkerJobs = readonly number[][]

const nothing: readonly number[] = Object.freeze([])

export function createWorkerJobs(workers: number): WorkerJobs {
  return Array.from({ length: workers }, () => [])
}

/**
 * Folds one row into the jobs of the workers. Returns the jobs that a worker puts back into its queue, mostly none. Call it before `countRow`,
 * which forgets the size of the batch in front.
 */
export function updateWorkerJobs(hands: WorkerJobs, counts: Counts, { kind, worker, job }: Rows, i: number): readonly number[] {
  switch (kind[i]) {
    case STARTED:
      hands[worker[i]].push(job[i])
      return nothing
    case FINISHED:
      dropJob(hands[worker[i]], job[i])
      return nothing
    case THREW:
    case LOST:
    case DISMISSED:
      return putBackJobs(hands, counts, kind[i], worker[i], job[i])
    default:
      return nothing
  }
}

/** Takes the jobs that a worker puts back out of its hands, and returns them. The row is of a worker that throws, is lost or is dismissed. */
export function putBackJobs(hands: WorkerJobs, counts: Counts, kind: number, worker: number, job: number): readonly number[] {
  if (kind === THREW) return hands[worker].splice(0, frontOf(counts, worker))
  // A dismissed worker that waits for a resource lays its job back, and the row names the job. Others finish first.
  return kind === DISMISSED && job === NONE ? nothing : hands[worker].splice(0)
}

/** Takes a finished job out of a worker's hands. */
export function dropJob(hand: number[], job: number): void {
  if (hand.length === 1) hand.pop()
  else if (hand[0] === job) hand.shift()
  else hand.splice(hand.indexOf(job), 1)
}

/** Whether the next job that a worker is given begins a batch: the one it works at, or a prefetched one. */
export function beginsBatch({ jobsInHand, prefetched, prefetching }: Counts, worker: number): boolean {
  return jobsInHand[worker] === 0 || (prefetching[worker] === 1 && prefetched[worker] === 0)
}
