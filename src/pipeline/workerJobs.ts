import type { Scenario } from '../scenario/model/scenario.ts'
import { type Counts, frontOf } from './counts.ts'
import { DISMISSED, FINISHED, LOST, NONE, type Rows, STARTED, THREW } from './rows.ts'

/** By worker: the jobs it has got and not finished, in order of service. Prefetched jobs are last. */
export type WorkerJobs = readonly number[][]

const nothing: readonly number[] = Object.freeze([])

export function createWorkerJobs(workers: number): WorkerJobs {
  return Array.from({ length: workers }, () => [])
}

/** Folds one row into the jobs of the workers. Returns those that a worker puts back. Call it before `countRow`, which forgets the batch in front. */
export function updateWorkerJobs(
  hands: WorkerJobs,
  counts: Counts,
  { kind, worker, job }: Rows,
  i: number,
): readonly number[] {
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

/** Removes the jobs that a worker puts back from its hands, and returns them. The row is of a worker that throws, is lost or is dismissed. */
export function putBackJobs(
  hands: WorkerJobs,
  counts: Counts,
  kind: number,
  worker: number,
  job: number,
): readonly number[] {
  if (kind === THREW) return hands[worker].splice(0, frontOf(counts, worker))
  // A dismissed worker that waits for a resource returns its job, and the row names the job. Others finish first.
  return kind === DISMISSED && job === NONE ? nothing : hands[worker].splice(0)
}

export function dropJob(hand: number[], job: number): void {
  if (hand.length === 1) hand.pop()
  else if (hand[0] === job) hand.shift()
  else hand.splice(hand.indexOf(job), 1)
}

/** Whether the next job that a worker is given begins a batch: the one it works at, or a prefetched one. */
export function beginsBatch({ jobsInHand, prefetched, prefetching }: Counts, worker: number): boolean {
  return jobsInHand[worker] === 0 || (prefetching[worker] === 1 && prefetched[worker] === 0)
}

/** Which workers wait for which resource (a group at a stage): the first in each queue has it. A fold of rows, so core, engines and measures agree. */
export interface ResourceQueues {
  readonly groupOf: (job: number) => number
  /** By stage: 1 where workers wait for resources. */
  readonly waits: Uint8Array
  /** By resource. A free resource has no entry. */
  readonly queues: Map<number, number[]>
  /** By worker: the resource that it has or waits for; NONE without. */
  readonly at: Float64Array
}

/** Returns null where workers never wait for a resource. `workers`: as many as ever take part. */
export function createResourceQueues(
  { stages }: Scenario,
  workers: number,
  groupOf: (job: number) => number,
): ResourceQueues | null {
  const waits = Uint8Array.from(stages, ({ resource, whenTaken }) =>
    resource !== null && whenTaken === 'wait' ? 1 : 0,
  )
  if (!waits.includes(1)) return null
  return { groupOf, waits, queues: new Map(), at: new Float64Array(workers).fill(NONE) }
}

/** Adds a worker that gets a job to the queue of the job's resource, if the stage has resources. */
export function joinResourceQueue(
  { groupOf, waits, queues, at }: ResourceQueues,
  stage: number,
  worker: number,
  job: number,
): void {
  if (waits[stage] === 0) return
  const resource = groupOf(job) * 256 + stage
  at[worker] = resource
  const queue = queues.get(resource)
  if (queue === undefined) queues.set(resource, [worker])
  else queue.push(worker)
}

/** Removes a worker that has finished or returned its job. Returns the worker that gets the resource then, or NONE. */
export function leaveResourceQueue({ queues, at }: ResourceQueues, worker: number): number {
  const resource = at[worker]
  const queue = queues.get(resource)
  at[worker] = NONE
  if (queue === undefined) return NONE
  const had = queue[0] === worker
  queue.splice(queue.indexOf(worker), 1)
  if (queue.length === 0) queues.delete(resource)
  return had && queue.length > 0 ? queue[0] : NONE
}

export function waitsForResource({ queues, at }: ResourceQueues, worker: number): boolean {
  const queue = queues.get(at[worker])
  return queue !== undefined && queue[0] !== worker
}
