import type { Micros, PerSecond } from '../../scenario/model/scenario.ts'
import { catchUp, type Trace } from '../../trace/trace.ts'
import { runToEnd } from '../series/inOneGo.ts'
import { makespanOf, type RunTotals, runTotalsInSteps } from './runTotals.ts'

/**
 * The metrics of a run. Times in microseconds; a mean of nothing is 0. A job leaves with its last part. It waits while it is in
 * a queue or outside the first one. Means over jobs are over those that left, so that in a drained run Little's law (1961)
 * holds exactly: meanJobsInSystem x makespan = meanFlowTime x jobs.
 */
export interface Metrics {
  /** Admitted; released; failed for good. */
  readonly jobs: number
  readonly completed: number
  readonly failed: number
  /** From time 0 to the last row of work: a start, a finish, a throw, a release or a failure. */
  readonly makespan: Micros
  readonly throughput: PerSecond
  /** A job's waits at all stages, of all its parts where it is copied. Waiting for other parts at a join does not count. */
  readonly meanWait: Micros
  /** From arrival to leaving. */
  readonly meanFlowTime: Micros
  /** The least flow time that half (99%) of the jobs do not exceed: the nearest rank. */
  readonly p50FlowTime: Micros
  readonly p99FlowTime: Micros
  /** Over time, until the makespan. */
  readonly meanJobsInSystem: number
  /** Share of the live workers' time spent on jobs that were finished, 0..1. */
  readonly utilisation: number
  /** How often a worker started at another stage than its last. */
  readonly switches: number
  /** Jobs released after a later one. */
  readonly reordered: number
  /**
   * How long workers waited for a taken resource with a job in hand: from its `started` until the worker before gave the
   * resource up, or they stopped waiting. It is not part of the utilisation.
   */
  readonly contendedTime: Micros
  readonly stages: readonly StageMetrics[]
  /** How many workers were alive from each time on. */
  readonly workersOverTime: readonly (readonly [time: Micros, workers: number])[]
}

export interface StageMetrics {
  readonly id: string
  /** This stage's part of `utilisation`. The stages add up to the whole. */
  readonly utilisation: number
  readonly meanQueue: number
  /** The greatest length that lasted. */
  readonly maxQueue: number
  /** From entering the queue to a start. */
  readonly meanWait: Micros
  readonly meanService: Micros
  /** This stage's part of the run's `contendedTime`. */
  readonly contendedTime: Micros
}

/** Returns the metrics in one pass over the rows: a million jobs in well under a second. */
export function metricsOf(trace: Trace): Metrics {
  return runToEnd(metricsInSteps(trace))
}

/** The same in steps of a few milliseconds, so that a page stays responsive. */
export function* metricsInSteps(trace: Trace): Generator<void, Metrics> {
  catchUp(trace)
  const makespan = makespanOf(trace)
  const run = yield* runTotalsInSteps(trace, makespan)
  return {
    jobs: trace.head.counts.arrived,
    completed: trace.head.counts.released,
    failed: trace.head.counts.failed,
    makespan,
    throughput: perTime(trace.head.counts.released * 1e6, makespan),
    ...flowMetrics(run),
    meanJobsInSystem: perTime(run.jobTime, makespan),
    utilisation: perTime(
      run.served.reduce((sum, time) => sum + time, 0),
      run.workerTime,
    ),
    switches: run.switches,
    reordered: run.reordered,
    contendedTime: run.contended.reduce((sum, time) => sum + time, 0),
    stages: trace.scenario.stages.map(({ id }, s) => ({
      id,
      utilisation: perTime(run.served[s], run.workerTime),
      meanQueue: perTime(run.queueTime[s], makespan),
      maxQueue: run.longest[s],
      meanWait: perTime(run.waits[s], run.starts[s]),
      meanService: perTime(run.served[s], run.counts.finished[s]),
      contendedTime: run.contended[s],
    })),
    workersOverTime: run.workersOverTime,
  }
}

function flowMetrics({ flow, waited }: RunTotals): Pick<Metrics, 'meanWait' | 'meanFlowTime' | 'p50FlowTime' | 'p99FlowTime'> {
  let wait = 0
  let total = 0
  let left = 0
  const sorted = new Float64Array(flow.length)
  for (let job = 0; job < flow.length; job++) {
    if (flow[job] < 0) continue
    wait += waited[job]
    total += flow[job]
    sorted[left++] = flow[job]
  }
  const ranked = sorted.subarray(0, left).sort()
  return { meanWait: perTime(wait, left), meanFlowTime: perTime(total, left), p50FlowTime: quantile(ranked, 50), p99FlowTime: quantile(ranked, 99) }
}

/**
 * Returns the nearest rank: the least value that `percent` of the values do not exceed; 0 of none. Whole numbers, since 0.99 x
 * 100 rounds up to rank 100.
 */
export function quantile(ascending: Float64Array, percent: number): number {
  return ascending.length === 0 ? 0 : ascending[Math.max(0, Math.ceil((ascending.length * percent) / 100) - 1)]
}

function perTime(sum: number, by: number): number {
  return by > 0 ? sum / by : 0
}
