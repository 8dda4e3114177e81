import { metricsOf } from '../../measures/figures/metrics.ts'
import { createChart, extendChart } from '../../measures/series/chart.ts'
import { valueAt } from '../../measures/series/steps.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { playTrial } from '../play/trial.ts'
import { meanOf } from './arrivalRates.ts'
import { evenBounds } from './pieces.ts'
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

/** Plays a scenario and compares its queues with those of the log. */
export async function compareWithLog(samples: Samples, scenario: Scenario): Promise<Comparison> {
  const trace = await playTrial(scenario, {})
  const chart = createChart(trace)
  extendChart(chart, trace)
  const queues = chart.queues.map((steps) => samples.time.map((t) => valueAt(steps, t)))
  const metrics = metricsOf(trace)
  const last = samples.time.length - 1
  const bounds = evenBounds(last + 1, Math.min(PARTS, last))
  const stages = samples.stages.map(({ name, queue }, s): StageComparison => {
    const parts = bounds.slice(1).map((to, k) => ({ from: bounds[k], to, logged: meanOf(queue, bounds[k], to), run: meanOf(queues[s], bounds[k], to) }))
    const apart = parts.reduce((sum, { logged, run }) => sum + Math.abs(logged - run), 0) / parts.length
    const logged = meanOf(queue, 0, last)
    return { name, logged, run: meanOf(queues[s], 0, last), whole: metrics.stages[s].meanQueue, error: apart / Math.max(logged, 0.01), parts }
  })
  return { stages, queues, distance: stages.reduce((sum, stage) => sum + distanceOf(stage), 0) }
}

function distanceOf({ logged, run, whole, error }: StageComparison): number {
  const size = Math.max(logged, SHORT)
  const apart = Math.max(Math.abs(run - logged), Math.abs(whole - logged)) / size
  const shape = (error * logged) / size
  return 3 * apart * apart + 0.5 * shape * shape
}
