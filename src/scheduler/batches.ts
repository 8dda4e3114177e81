import type { Estimates } from '../allocation/estimate.ts'
import { BUSY, type Counts } from '../pipeline/counts.ts'
import { NONE } from '../pipeline/rows.ts'
import type { State } from '../pipeline/state.ts'
import { MAX_BATCH } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'

/**
 * How long an adaptive batch lasts where the queue allows: a hundred times what a message costs between threads, and as
 * many changes of stage as would cost a twentieth of it.
 */
const LASTS: Micros = 10_000
const SWITCHES = 20

/** What is known where batches are made. */
export interface Sizing {
  readonly scenario: Scenario
  readonly estimates: Estimates
  readonly stageOf: Int16Array
}

/**
 * The batch that the stage at place k gives now, of `jobs` that may start there, to one of so many workers: the one place
 * that says so. Where jobs need a resource it is one: so nobody ever holds a resource while it waits for another, and no two
 * workers can wait for each other.
 */
export function sizeAt({ scenario, estimates, stageOf }: Sizing, k: number, jobs: number, workers: number): number {
  const { batch, stages, switchCost } = scenario
  if (batch.size === 1) return 1
  const stage = stageOf[k]
  if (stages[stage].resource !== null) return 1
  if (batch.size !== undefined) return batch.size
  return adaptiveSize(jobs, workers, estimates.count[stage] === 0 ? Number.POSITIVE_INFINITY : estimates.mean[stage], switchCost)
}

/**
 * Of how many jobs batches are made at a stage where so many may start: where shards keep the order these are but the first of
 * each shard, and others go with them.
 */
export function onOffer({ shards, counts }: State, stage: number, runnable: number): number {
  return shards === null ? runnable : counts.waiting[stage]
}

/**
 * As few messages and changes of stage as the queue allows: a worker's share of the jobs that may start, ceil(jobs / workers),
 * by guided self-scheduling (Polychronopoulos and Kuck 1987), so that batches get smaller towards the end of a queue and the
 * workers come out together; and no more than last for LASTS and SWITCHES changes of stage.
 *
 * @param mean the estimated service time; Infinity while nothing is measured, since what is only believed may be far off: then one
 */
export function adaptiveSize(jobs: number, workers: number, mean: Micros, switchCost: Micros): number {
  const share = Math.ceil(jobs / Math.max(1, workers))
  const enough = Math.ceil((LASTS + SWITCHES * switchCost) / mean)
  return Math.max(1, Math.min(share, enough, MAX_BATCH))
}

/**
 * Whether workers are given a second batch before they have finished the first. Never under `single`, where a worker is to
 * run each job to its end before it begins another.
 */
export function givesAhead({ batch, policy }: Scenario): boolean {
  return batch.inHand === 2 && policy.kind !== 'single'
}

/** Who may take a second batch at a stage: of those busy there who have but one and are to stay, the one who is at it longest, of equals the first. NONE: nobody. */
export function takerAhead({ status, stage, prefetching, leaving, since }: Counts, at: number): number {
  let taker = NONE
  for (let w = 0; w < status.length; w++) {
    if (status[w] !== BUSY || stage[w] !== at || prefetching[w] === 1 || leaving[w] === 1) continue
    if (taker === NONE || since[w] < since[taker]) taker = w
  }
  return taker
}
