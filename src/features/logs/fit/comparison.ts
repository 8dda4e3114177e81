import type { Scenario } from '../../../scenario/model/scenario.ts'
import { meanOf } from './arrivalRates.ts'
import { evenBounds } from './pieces.ts'
import { playQueues } from './playQueues.ts'
import type { Samples } from './samples.ts'

/** The queue of one stage in the log and in the run. */
export interface StageComparison {
  readonly name: string
  /** Means over the times of the log. */
  readonly logged: number
  readonly run: number
  /** The mean over the whole run, as its results show it: until the last job has left. */
  readonly whole: number
  /** The mean distance of the two, each averaged over equal parts of the log, over the logged mean. */
  readonly error: number
  /** By part of the log. */
  readonly parts: readonly { readonly from: number; readonly to: number; readonly logged: number; readonly run: number }[]
}

/** A run beside the log. */
export interface Comparison {
  readonly stages: readonly StageComparison[]
  /** By stage: the queue of the run at the times of the log. */
  readonly queues: readonly Float64Array[]
  /** Grows with the differences; 0 where there are none. */
  readonly distance: number
}

/** Parts into which the log is divided. */
const PARTS = 24
/** Below this mean a queue is compared in jobs, since its share of a job or two says little. */
const SHORT = 4
const NEAR = 0.08

/** Plays a scenario and compares its queues with those of the log. */
export async function compareWithLog(samples: Samples, scenario: Scenario): Promise<Comparison> {
  const { sampled: queues, means } = await playQueues(scenario, samples.time)
  const last = samples.time.length - 1
  const bounds = evenBounds(last + 1, Math.min(PARTS, last))
  const stages = samples.stages.map(({ name, queue }, s): StageComparison => {
    const parts = bounds.slice(1).map((to, k) => ({ from: bounds[k], to, logged: meanOf(queue, bounds[k], to), run: meanOf(queues[s], bounds[k], to) }))
    const apart = parts.reduce((sum, { logged, run }) => sum + Math.abs(logged - run), 0) / parts.length
    const logged = meanOf(queue, 0, last)
    return { name, logged, run: meanOf(queues[s], 0, last), whole: means[s], error: apart / Math.max(logged, 0.01), parts }
  })
  return { stages, queues, distance: stages.reduce((sum, stage) => sum + distanceOf(stage), 0) }
}

/** Whether the mean queues of all stages are so near that another run is not worth its time. */
export function isNear({ stages }: Comparison): boolean {
  return stages.every((stage) => apartBy(stage) <= NEAR)
}

/** Returns the difference of the mean queues, over the logged one. */
function apartBy({ logged, run, whole }: StageComparison): number {
  return Math.max(Math.abs(run - logged), Math.abs(whole - logged)) / Math.max(logged, SHORT)
}

function distanceOf(stage: StageComparison): number {
  const apart = apartBy(stage)
  const shape = (stage.error * stage.logged) / Math.max(stage.logged, SHORT)
  return 3 * apart * apart + 0.5 * shape * shape
}
