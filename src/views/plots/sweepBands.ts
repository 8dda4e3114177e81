import { sum } from 'd3-array'
import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { count, duration, percent } from '../drawing/format.ts'
import type { ColumnBand } from './columnPlot.ts'

/** What the plot shows for one value. `run` is null while it is not known, or if it cannot run. */
export interface SweepColumn {
  readonly value: number
  readonly run: { readonly makespan: Micros; readonly utilisation: number; readonly seats: readonly number[] } | null
}

/**
 * Returns three bands over the values of one number of a scenario: when all is done, with the baseline (null: not known) and a ring around
 * the `first` column that beats it (-1: none); how busy the workers are; and the seats of the stages, stacked in their order.
 */
export function sweepBands(columns: readonly SweepColumn[], stageOrder: readonly number[], baseline: Micros | null, first: number): readonly ColumnBand[] {
  const values = (of: (run: NonNullable<SweepColumn['run']>) => number) => columns.map(({ run }) => (run === null ? null : of(run)))
  // Rounded up to all workers: a sum of means may exceed a whole number by a rounding error.
  const seats = Math.max(1, ...values((run) => Math.ceil(sum(run.seats) - 1e-6)).map(Number))
  return [
    {
      title: t('All done after'),
      write: duration,
      curves: [{ style: 'main', values: values(({ makespan }) => makespan) }],
      baseline: baseline === null ? null : { value: baseline, note: t('dashed: one worker alone') },
      ringed: baseline === null ? -1 : first,
    },
    { title: t('Workers busy'), write: (share) => percent(share, 0), most: 1, curves: [{ style: 'main', values: values(({ utilisation }) => utilisation) }] },
    {
      title: t('Seats of the stages, on average'),
      write: count,
      most: seats,
      curves: [],
      areas: stageOrder.map((stage) => ({ stage, values: values((run) => run.seats[stage]) })),
    },
  ]
}
