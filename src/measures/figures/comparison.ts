import type { Micros } from '../../scenario/model/scenario.ts'
import type { Metrics } from './metrics.ts'
import type { Occupancy } from './occupancy.ts'

/** A run to compare: its metrics, and those of one worker that runs each job to its end as the baseline. */
export interface Contender {
  readonly metrics: Metrics
  readonly occupancy: Occupancy
  /** The proven bound of its makespan. */
  readonly bound: Micros
  readonly workers: number
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

/** Returns which values are the best; none where fewer than two are known, or all are equal. */
export function bestOf(values: readonly (number | null)[], better: 'less' | 'more'): readonly boolean[] {
  const known = values.filter((value) => value !== null)
  const least = Math.min(...known)
  const most = Math.max(...known)
  const best = better === 'less' ? least : most
  return values.map((value) => known.length > 1 && least < most && value === best)
}
