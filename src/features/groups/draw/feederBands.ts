import { t } from '../../../language/translate.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import type { ColumnBand, ColumnCurve } from '../../../views/plots/columnPlot.ts'
import type { FeederPoint, FeederRun } from '../measure/feederGaps.ts'

/**
 * Returns bands over the numbers of feeders: the distance of jobs of one group, the jobs before the tail, how long workers wait for groups
 * and what switching costs them, and when all is done. Bands that cannot hold anything are left out. `resource`: a stage is a resource of groups.
 */
export function feederBands(columns: readonly FeederPoint[], resource: boolean): readonly ColumnBand[] {
  const curve = (
    style: ColumnCurve['style'],
    of: (column: FeederPoint) => number | null | undefined,
    name?: string,
  ): ColumnCurve => ({
    style,
    name,
    values: columns.map((column) => of(column) ?? null),
  })
  /** Workers that wait for a taken group and workers that skip it, or one curve where no group is ever taken. */
  const waitAndSkip = (of: (times: FeederRun) => number): readonly ColumnCurve[] => {
    const waits = ({ wait }: FeederPoint) => wait && of(wait)
    return resource
      ? [curve('second', ({ skip }) => skip && of(skip), t('if they skip')), curve('main', waits, t('if they wait'))]
      : [curve('main', waits)]
  }
  const losesTime = columns.some(({ wait }) => wait !== null && wait.switchLoss > 0)
  const timeBand = (title: string, curves: readonly ColumnCurve[]): ColumnBand => ({ title, write: duration, curves })
  return [
    {
      title: t('Distance of two jobs of one group'),
      write: count,
      curves: [
        curve('pale', ({ gaps, feeders }) => (gaps && gaps.tail > feeders ? feeders : null), t('before the tail')),
        curve('second', ({ gaps }) => gaps?.whole?.median, t('median')),
        curve('main', ({ gaps }) => gaps?.whole?.least, t('least')),
      ],
    },
    {
      title: t('Jobs before the tail'),
      write: (share) => `${share}%`,
      most: 100,
      curves: [curve('main', ({ gaps }) => gaps && (gaps.jobs === 0 ? 0 : (gaps.tail / gaps.jobs) * 100))],
    },
    ...(resource
      ? [timeBand(t('Workers wait for groups, in all'), [curve('warn', ({ wait }) => wait?.contendedTime)])]
      : []),
    ...(losesTime
      ? [
          timeBand(
            t('Workers lose by changing groups, in all'),
            waitAndSkip(({ switchLoss }) => switchLoss),
          ),
        ]
      : []),
    timeBand(
      t('All done after'),
      waitAndSkip(({ makespan }) => makespan),
    ),
  ]
}
