import type { Estimates } from '../allocation/estimate.ts'
import type { Shards } from '../pipeline/shards.ts'
import { MAX_BATCH } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'

/** An adaptive batch lasts for about a hundred messages between threads, and so long that a change of stage and a round trip cost a twentieth of it. */
const BATCH_TIME: Micros = 10_000
const COSTS = 20

/** Measured message times between scheduler and workers: see `RoundTrips`. */
export interface Messages {
  /** From a batch that is sent to its answer, without the work; 0: too little to count, or not measured yet. */
  readonly roundTrip: Micros
}

export const unmeasured: Messages = { roundTrip: 0 }

export interface Sizing {
  readonly scenario: Scenario
  readonly estimates: Pick<Estimates, 'count' | 'mean'>
  readonly stageOf: Int16Array
  readonly messages: Messages
}

/** Returns the batch size at place k for one of `workers`. It is 1 where jobs need a resource: a worker never holds one while it waits for another. */
export function sizeAt({ scenario, estimates, stageOf, messages }: Sizing, k: number, jobs: number, workers: number): number {
  const { batch, stages, switchCost, policy } = scenario
  if (batch.size === 1) return 1
  const stage = stageOf[k]
  if (stages[stage].resource !== null) return 1
  if (batch.size !== undefined) return batch.size
  const mean = estimates.count[stage] === 0 ? Number.POSITIVE_INFINITY : policy.kind === 'perJob' ? meanOfStages(estimates) : estimates.mean[stage]
  return adaptiveSize(jobs, workers, mean, switchCost, messages.roundTrip)
}

/** Returns the mean service time over all measured stages: a batch that is carried through them lasts as long as others on average. */
function meanOfStages({ count, mean }: Sizing['estimates']): Micros {
  let sum = 0
  let measured = 0
  for (let stage = 0; stage < count.length; stage++) {
    if (count[stage] === 0) continue
    sum += mean[stage]
    measured++
  }
  return sum / measured
}

/** Returns the number of jobs that may be put into batches. With shards, the runnable jobs are only the first of each shard, and others go with them. */
export function jobsForBatches(
  { shards, counts }: { readonly shards: Shards | null; readonly counts: { readonly waiting: Int32Array } },
  stage: number,
  runnable: number,
): number {
  return shards === null ? runnable : counts.waiting[stage]
}

/** Returns ceil(jobs / workers), guided self-scheduling (Polychronopoulos and Kuck 1987), within BATCH_TIME. `mean` Infinity (unmeasured): 1. */
export function adaptiveSize(jobs: number, workers: number, mean: Micros, switchCost: Micros, roundTrip: Micros): number {
  const share = Math.ceil(jobs / Math.max(1, workers))
  const enough = Math.ceil((BATCH_TIME + COSTS * (switchCost + roundTrip)) / mean)
  return Math.max(1, Math.min(share, enough, MAX_BATCH))
}

/** Whether workers get a second batch before they have finished the first. Never where a worker finishes its jobs before the next. */
export function prefetches({ batch, policy }: Scenario): boolean {
  return batch.inHand === 2 && policy.kind !== 'single' && policy.kind !== 'perJob'
}
