import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { lastArrival } from '../../scenario/model/sources.ts'
import type { Metrics } from './metrics.ts'
import type { Occupancy } from './occupancy.ts'

/** A run to compare, with the metrics of one worker alone as the baseline. */
export interface Contender {
  readonly metrics: Metrics
  readonly occupancy: Occupancy
  /** The proven bound of its makespan. */
  readonly bound: Micros
  readonly workers: number
}

/** Jobs of an open source keep coming by the clock, whatever the workers do: then a run takes about as long as they come. */
export const isOpen = ({ source }: Scenario): boolean => lastArrival(source) > 0

/** Returns how long a run took, or with an open source the mean time of a job in the system: the figure by which runs are judged. */
export function answerOf(scenario: Scenario, { makespan, meanFlowTime }: Metrics): Micros {
  return isOpen(scenario) ? meanFlowTime : makespan
}

/** A number by which runs of the same jobs are compared; null where it is not known. */
export interface ComparedMetric {
  readonly key: string
  readonly better: 'less' | 'more'
  of(contender: Contender, baseline: Metrics | null): number | null
}

export const columns = [
  { key: 'makespan', better: 'less', of: ({ metrics }) => metrics.makespan },
  { key: 'distance', better: 'less', of: ({ metrics, bound }) => (bound > 0 ? metrics.makespan / bound - 1 : null) },
  { key: 'meanFlowTime', better: 'less', of: ({ metrics }) => metrics.meanFlowTime },
  { key: 'p50FlowTime', better: 'less', of: ({ metrics }) => metrics.p50FlowTime },
  { key: 'p99FlowTime', better: 'less', of: ({ metrics }) => metrics.p99FlowTime },
  { key: 'meanJobsInSystem', better: 'less', of: ({ metrics }) => metrics.meanJobsInSystem },
  { key: 'utilisation', better: 'more', of: ({ metrics }) => metrics.utilisation },
  { key: 'switches', better: 'less', of: ({ metrics }) => metrics.switches },
  { key: 'reordered', better: 'less', of: ({ metrics }) => metrics.reordered },
  { key: 'meanQueued', better: 'less', of: ({ occupancy }) => occupancy.meanQueued },
  { key: 'mostQueued', better: 'less', of: ({ occupancy }) => occupancy.mostQueued },
  { key: 'speedUp', better: 'more', of: ({ metrics }, baseline) => speedUp(metrics, baseline) },
  { key: 'efficiency', better: 'more', of: efficiency },
] as const satisfies readonly ComparedMetric[]
export type ColumnKey = (typeof columns)[number]['key']

/** Returns how many times as fast a run is as one worker that runs each job to its end. */
export function speedUp({ makespan }: Metrics, baseline: Metrics | null): number | null {
  return baseline !== null && makespan > 0 && isWhole(baseline) ? baseline.makespan / makespan : null
}

function efficiency({ metrics, workers }: Contender, baseline: Metrics | null): number | null {
  const times = speedUp(metrics, baseline)
  return times === null ? null : times / workers
}

/** Whether every job was completed. A run that loses jobs is fast for the wrong reason. */
export function isWhole({ jobs, completed }: Metrics): boolean {
  return completed === jobs
}

/** Returns which values are best; none where all are equal or unknown. */
export function bestOf(values: readonly (number | null)[], better: 'less' | 'more'): readonly boolean[] {
  const present = values.filter((value) => value !== null)
  const lowest = Math.min(...present)
  const highest = Math.max(...present)
  const best = better === 'less' ? lowest : highest
  return values.map((value) => present.length > 1 && lowest < highest && value === best)
}

/** An interval that holds the true mean of a steady process with a probability of 95%. */
export type Interval = { readonly mean: number; readonly low: number; readonly high: number }

export function isInside({ low, high }: Interval, value: number): boolean {
  return value >= low && value <= high
}

/** The 97.5% quantile of the normal distribution. */
const Z = 1.959963984540054
const Z3 = Z * Z * Z
const Z5 = Z3 * Z * Z
const Z7 = Z5 * Z * Z
const Z9 = Z7 * Z * Z

/** Returns the 97.5% quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5). */
export function studentQuantile(n: number): number {
  const g1 = (Z3 + Z) / 4
  const g2 = (5 * Z5 + 16 * Z3 + 3 * Z) / 96
  const g3 = (3 * Z7 + 19 * Z5 + 17 * Z3 - 15 * Z) / 384
  const g4 = (79 * Z9 + 776 * Z7 + 1482 * Z5 - 1920 * Z3 - 945 * Z) / 92_160
  return Z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n
}

/** How one of several contenders compares with the best of them, over the same seeds. */
export interface Standing {
  readonly mean: number
  /** The mean difference to the best, with its 95% interval; null for the best. */
  readonly behind: Interval | null
  /** Whether the difference may be chance, so that it may be as good as the best. */
  readonly alike: boolean
}

/** Returns the standing of each contender over at least 3 seeds; less is better (Law 2015, 10.2 and 11.2). */
export function standingsOf(values: readonly (readonly number[])[]): readonly Standing[] {
  const means = values.map(meanOf)
  const best = means.indexOf(Math.min(...means))
  return values.map((own, k) => {
    if (k === best) return { mean: means[k], behind: null, alike: true }
    const behind = intervalOf(own.map((value, i) => value - values[best][i]))
    return { mean: means[k], behind, alike: behind.low <= 0 }
  })
}

/** Returns the mean of independent values with its 95% interval by Student's t. */
export function intervalOf(values: readonly number[]): Interval {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
  const n = values.length
  const half = studentQuantile(n - 1) * Math.sqrt(squares / (n - 1) / n)
  return { mean, low: mean - half, high: mean + half }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
