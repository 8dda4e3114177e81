import type { Metrics } from '../../../measures/figures/metrics.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'

/** What one second of a worker and one second of a job's waiting cost, in any money. */
export interface Prices {
  readonly worker: number
  readonly wait: number
}

/** What a run with a pool used up, in microseconds of workers and of waiting jobs. */
export interface PoolUse {
  /** The integral of the workers alive, from time 0 to the makespan. */
  readonly workerTime: Micros
  /** All waits of all jobs that left. */
  readonly waitTime: Micros
  /** Until when both are counted. */
  readonly makespan: Micros
  readonly jobs: number
  /** Jobs that came and never left. What they would have cost is not known. */
  readonly left: number
}

type PoolFigures = Pick<Metrics, 'jobs' | 'completed' | 'failed' | 'makespan' | 'meanWait' | 'workersOverTime'>

/** From the figures of a run, as the headless command prints them. */
export function poolUse({ jobs, completed, failed, makespan, meanWait, workersOverTime }: PoolFigures): PoolUse {
  const workerTime = workersOverTime.reduce((sum, [time, workers], i) => {
    const until = Math.min(makespan, workersOverTime[i + 1]?.[0] ?? makespan)
    return sum + Math.max(0, until - time) * workers
  }, 0)
  const gone = completed + failed
  return { workerTime, waitTime: meanWait * gone, makespan, jobs: gone, left: jobs - gone }
}

/** worker price x workers x time + wait price x jobs x wait, in price x seconds. Infinite where jobs were left behind: they wait for ever. */
export function poolCost({ workerTime, waitTime, left }: PoolUse, { worker, wait }: Prices): number {
  return left > 0 ? Infinity : (worker * workerTime + wait * waitTime) / 1e6
}
