import type { Micros } from '../../scenario/model/scenario.ts'
import type { Metrics } from './metrics.ts'

/** How much a stage had to do: what the utilisation law is about. */
export interface StageLoad {
  /** How many of its workers served a job, on average over time. */
  readonly busy: number
  readonly finished: number
}

/** Returns the time of all workers together, in microseconds, until the makespan. */
export function workerTimeOf({ workersOverTime, makespan }: Pick<Metrics, 'workersOverTime' | 'makespan'>): Micros {
  const ends = [...workersOverTime.slice(1).map(([time]) => time), makespan]
  return workersOverTime.reduce((sum, [time, workers], i) => sum + workers * Math.max(0, ends[i] - time), 0)
}

/** Returns the load of stage `s`. Utilisation law: busy workers = jobs per second x mean service time. */
export function stageLoadOf(metrics: Metrics, s: number): StageLoad {
  const { utilisation, meanService } = metrics.stages[s]
  const served = utilisation * workerTimeOf(metrics)
  if (meanService === 0) return { busy: 0, finished: 0 }
  return { busy: served / metrics.makespan, finished: Math.round(served / meanService) }
}
