import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { speedUp } from '../../../measures/figures/comparison.ts'
import { MOST_SEARCHED, type SweepAxis, type SweepPoint } from '../../../runs/study/sweep.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration, fixed, percent } from '../../../views/drawing/format.ts'
import type { Sweep } from './sweeping.ts'

/** Returns how many workers it takes to beat one worker alone; empty while there is nothing to say. */
export function firstToBeatWords({ baseline, first, points }: Sweep, playing: boolean): string {
  if (baseline === null) return ''
  const alone = t('One worker who runs each job to its end takes {makespan}', { makespan: duration(baseline.makespan) })
  if (first === null || first.kind === 'ask') return playing ? `${alone}.` : ''
  if (first.kind === 'none') return t('{alone}, and no number of workers up to {most} beats that here.', { alone, most: MOST_SEARCHED })
  const run = points.find(({ value }) => value === first.workers)?.run
  return t('{alone}; the first to beat {n, plural, one {that is # worker} other {that are # workers}}{with}.', {
    alone,
    n: first.workers,
    with: run != null ? t(', with {makespan}', { makespan: duration(run.makespan) }) : '',
  })
}

/** Returns what came of the run at one value. */
export function detailsOf(scenario: Scenario, axis: SweepAxis, points: readonly SweepPoint[], column: number, sweep: Sweep | null): string {
  const { value, run, refused } = points[column]
  if (refused !== null) return t('cannot be played: {refused}', { refused })
  if (run === null) return t('not played yet')
  const before = axis === 'workers' ? points.find((point) => point.value === value - 1)?.run : null
  const saved = before == null ? 0 : before.makespan - run.makespan
  const times = sweep?.baseline == null ? null : speedUp({ ...sweep.baseline, makespan: run.makespan }, sweep.baseline)
  const seats = stageNumbers(scenario).map((s) => `${isolated(scenario.stages[s].name)} ${fixed(run.seats[s], 1)}`)
  return [
    t('done after {makespan}', { makespan: duration(run.makespan) }),
    ...(run.left > 0 ? [t('{left, plural, one {# job} other {# jobs}} left', { left: run.left })] : []),
    ...(times === null || run.left > 0
      ? []
      : [
          t('{times} times as fast as one worker alone, {share} of what {value} could be', {
            times: fixed(times, 2),
            share: percent(times / value),
            value: count(value),
          }),
        ]),
    ...(before == null
      ? []
      : [saved >= 0 ? t('the last worker saves {saved}', { saved: duration(saved) }) : t('the last worker costs {saved}', { saved: duration(-saved) })]),
    t('{utilisation} busy', { utilisation: percent(run.utilisation) }),
    t('targets {seats}', { seats: seats.slice(0, 8).join(', ') + (seats.length > 8 ? ', …' : '') }),
  ].join('; ')
}

/** Returns what is varied, in words. */
export function axisName(scenario: Scenario, axis: SweepAxis): string {
  if (axis === 'workers') return t('Workers')
  if (axis === 'batch') return t('Jobs a batch')
  if (axis === 'switchCost') return t('Switch cost')
  return t('Mean service at {stage}', { stage: scenario.stages.find(({ id }) => axis === `service ${id}`)?.name ?? '' })
}

/** Returns a value as it stands on the axis. */
export function axisValueText(axis: SweepAxis, value: number): string {
  return axis === 'workers' || axis === 'batch' ? count(value) : duration(value)
}

/** Returns a value with what it is a value of. */
export function valueName(scenario: Scenario, axis: SweepAxis, value: number): string {
  if (axis === 'workers') return t('{value, plural, one {# worker} other {# workers}}', { value })
  if (axis === 'batch') return t('{value, plural, one {# job} other {# jobs}} a batch', { value })
  return `${axisName(scenario, axis)} ${duration(value)}`
}
