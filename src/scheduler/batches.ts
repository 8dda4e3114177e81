import type { Estimates } from '../allocation/estimate.ts'
import { MAX_BATCH } from '../scenario/limits.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'

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
