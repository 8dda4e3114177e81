import { quickselect } from 'd3-array'
import type { Micros, PerSecond } from '../../scenario/model/scenario.ts'
import { runToEnd } from '../../trace/follow.ts'
import type { Trace } from '../../trace/trace.ts'
import { boundFor, type LowerBound, lowerBoundOfRun } from './lowerBound.ts'
import { plainTotalsInSteps } from './plainTotals.ts'
import { runTotalsInSteps } from './runTotals.ts'
import { type ClassTotals, type JobTimes, makespanOf, type Totals } from './totals.ts'

/**
 * The metrics of a run. Times in microseconds; a mean of nothing is 0. A job leaves with its last part. It waits while it is in a queue or outside the first
 * one, not between two tries of its client; its flow time is from the first try. Means over jobs are over those that left, so that in a drained run Little's law (1961) holds exactly: meanJobsInSystem x makespan = meanFlowTime x jobs.
 */
export interface Metrics {
  /** Admitted; released; failed for good. */
  readonly jobs: number
  readonly completed: number
  readonly failed: number
  /** Only where clients give up: the jobs given up for good, and how often jobs were sent, with every try. */
  readonly gaveUp?: number
  readonly tries?: number
  /** Only where jobs have classes: the same of the jobs of each, the most urgent first. */
  readonly classes?: readonly ClassMetrics[]
  /** From time 0 to the last row of work: a start, a finish, a throw, a release, a failure or a client that gives up for good. */
  readonly makespan: Micros
  readonly throughput: PerSecond
  /** A job's waits at all stages, of all its parts where it is copied. Waiting for other parts at a join does not count. */
  readonly meanWait: Micros
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
  readonly reordered: number
  /** How long workers with a job in hand waited for a taken resource. It is not part of the utilisation. */
  readonly contendedTime: Micros
  readonly stages: readonly StageMetrics[]
  /** How many workers were alive from each time on. */
  readonly workersOverTime: readonly (readonly [time: Micros, workers: number])[]
}

export interface ClassMetrics extends Pick<Metrics, 'meanWait' | 'meanFlowTime' | 'p99FlowTime'> {
  /** How many have left. */
  readonly jobs: number
}

export interface StageMetrics {
  readonly id: string
  /** This stage's part of the run's `utilisation`, so a share of all workers. The stages add up to the whole. */
  readonly utilisation: number
  readonly meanQueue: number
  /** The greatest length that lasted longer than an instant. */
  readonly maxQueue: number
  readonly meanWait: Micros
  readonly meanService: Micros
  /** This stage's part of the run's `contendedTime`. */
  readonly contendedTime: Micros
  /** How many workers serve the stage, on average: its own where workers stay at their stage, else all. */
  readonly workers: number
  /** Share of the time of these workers spent on its jobs, 0..1. */
  readonly ownUtilisation: number
}

/** Returns the metrics in one pass over the rows: a million jobs in well under a second. */
export function metricsOf(trace: Trace): Metrics {
  return runToEnd(metricsInSteps(trace))
}

/** Returns the same metrics in steps of a few milliseconds, so that a page stays responsive. */
export function* metricsInSteps(trace: Trace): Generator<void, Metrics> {
  return (yield* figuresInSteps(trace)).metrics
}

/** Also returns the values from which the lower bound can be calculated. */
export function* figuresInSteps(trace: Trace): Generator<void, { readonly metrics: Metrics; readonly jobs: JobTimes }> {
  const makespan = makespanOf(trace)
  const totals = (yield* plainTotalsInSteps(trace, makespan)) ?? (yield* runTotalsInSteps(trace, makespan))
  return { metrics: metricsFrom(totals, trace, makespan), jobs: totals }
}

function metricsFrom(totals: Totals, { scenario }: Trace, makespan: Micros): Metrics {
  const { jobs, released, failed, gaveUp, tries, flow, flowTime, waited } = totals
  return {
    jobs,
    completed: released,
    failed,
    ...(scenario.source.retry === undefined ? {} : { gaveUp, tries }),
    ...(totals.classes && { classes: totals.classes.map(classMetrics) }),
    makespan,
    throughput: perTime(released * 1e6, makespan),
    meanWait: perTime(waited, flow.length),
    meanFlowTime: perTime(flowTime, flow.length),
    p50FlowTime: quantile(flow, 50),
    p99FlowTime: quantile(flow, 99),
    meanJobsInSystem: perTime(totals.jobTime, makespan),
    utilisation: perTime(sumOf(totals.served), totals.workerTime),
    switches: totals.switches,
    reordered: totals.reordered,
    contendedTime: sumOf(totals.contended),
    stages: scenario.stages.map(({ id }, s) => ({
      id,
      utilisation: perTime(totals.served[s], totals.workerTime),
      meanQueue: perTime(totals.queueTime[s], makespan),
      maxQueue: totals.longest[s],
      meanWait: perTime(totals.waits[s], totals.starts[s]),
      meanService: perTime(totals.served[s], totals.finished[s]),
      contendedTime: totals.contended[s],
      workers: perTime(totals.crewTime[s], makespan),
      ownUtilisation: perTime(totals.served[s], totals.crewTime[s]),
    })),
    workersOverTime: totals.workersOverTime,
  }
}

function classMetrics({ flow, waited }: ClassTotals): ClassMetrics {
  const jobs = flow.length
  return {
    jobs,
    meanWait: perTime(waited, jobs),
    meanFlowTime: perTime(sumOf(flow), jobs),
    p99FlowTime: quantile(flow, 99),
  }
}

const sumOf = (times: Float64Array): Micros => times.reduce((sum, time) => sum + time, 0)

/** Returns the least value that `percent` (a whole number, since 0.99 x 100 > 99) of the values do not exceed; 0 of none. Reorders the values. */
export function quantile(values: Float64Array, percent: number): number {
  if (values.length === 0) return 0
  const rank = Math.max(0, Math.ceil((values.length * percent) / 100) - 1)
  quickselect(values, rank)
  return values[rank]
}

function perTime(sum: number, by: number): number {
  return by > 0 ? sum / by : 0
}

export interface RunFigures {
  readonly metrics: Metrics
  /** No schedule of these jobs can finish earlier. */
  readonly bound: LowerBound
}

/** Returns the figures of a run that was just played here, from one pass over its rows. */
export function figuresOf(trace: Trace): RunFigures {
  const { metrics, jobs } = runToEnd(figuresInSteps(trace))
  return { metrics, bound: boundFor(lowerBoundOfRun(trace, jobs), trace, metrics.makespan) }
}

/** Returns the time of all workers together, in microseconds, until the makespan. */
export function workerTimeOf({ workersOverTime, makespan }: Pick<Metrics, 'workersOverTime' | 'makespan'>): Micros {
  const ends = [...workersOverTime.slice(1).map(([time]) => time), makespan]
  return workersOverTime.reduce((sum, [time, workers], i) => sum + workers * Math.max(0, ends[i] - time), 0)
}
