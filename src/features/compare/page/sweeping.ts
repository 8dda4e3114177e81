import { createStore } from 'zustand/vanilla'
import { part } from '../../../app/session/session.ts'
import { study } from '../../../app/session/study/study.ts'
import { isolated, t } from '../../../language/translate.ts'
import { isWhole, speedUp } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import { underPolicy } from '../../../runs/study/compare.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { count, duration, fixed, percent } from '../../../views/drawing/format.ts'
import {
  coarsePointsFirst,
  emptySweep,
  type FirstToBeat,
  firstToBeat,
  MAX_SEARCHED,
  type SweepAxis,
  type SweepPoint,
  sweepKey,
  withRun,
  withValue,
} from '../study/sweep.ts'
import { BASELINE } from './comparing.ts'

/** The scenario at many values of one of its numbers. */
export interface Sweep {
  readonly points: readonly SweepPoint[]
  /** One worker that runs each job to its end; null while that is not known, or if workers are swept. */
  readonly baseline: Metrics | null
  /** Of a sweep over workers: the fewest that beat the baseline; null while that is not known. */
  readonly first: FirstToBeat | null
}

export const sweepStore = part(() => createStore<{ readonly axis: SweepAxis }>(() => ({ axis: 'workers' })))

/** Plays the scenario at every value, on all cores. The key does not contain the varied value. */
export const sweepStudy = study<{ readonly scenario: Scenario; readonly axis: SweepAxis }, Sweep>({
  key: ({ scenario, axis }) => sweepKey(scenario, axis),
  async work({ scenario, axis }, { signal, progress, show }) {
    let sweep: Sweep = { points: emptySweep(scenario, axis), baseline: null, first: null }
    const change = (patch: Partial<Sweep>) => {
      sweep = { ...sweep, ...patch }
      show(sweep)
    }
    change({})
    const values = coarsePointsFirst(sweep.points).map(({ value }) => value)
    const plays = values.map((value) => ({ scenario: withValue(scenario, axis, value), record: false }))
    const baseline = scenario.policy.kind === BASELINE ? null : underPolicy(scenario, BASELINE)
    // The baseline belongs to the scenario as it is: where services or batches vary it would vary with them.
    const hasBaseline = axis === 'workers' && baseline !== null && 'scenario' in baseline
    if (hasBaseline) plays.splice(1, 0, { scenario: baseline.scenario, record: false })
    const makespans = new Map<number, number>()
    await runJobs('compare', plays, {
      signal,
      progress,
      answer(k, compared) {
        if (hasBaseline && k === 1) return change({ baseline: compared.metrics })
        const value = values[hasBaseline && k > 1 ? k - 1 : k]
        makespans.set(value, isWhole(compared.metrics) ? compared.metrics.makespan : Infinity)
        change({ points: withRun(sweep.points, value, compared) })
      },
    })
    const beaten = sweep.baseline
    if (beaten === null || !isWhole(beaten)) return sweep
    return { ...sweep, first: await searchFirst(scenario, makespans, beaten.makespan, signal) }
  },
})

/** Returns which number of workers is the first to beat the baseline. Plays the numbers that the sweep has left out until that is known. */
async function searchFirst(
  scenario: Scenario,
  makespans: Map<number, number>,
  baseline: number,
  signal: AbortSignal,
): Promise<FirstToBeat> {
  for (;;) {
    const first = firstToBeat(makespans, baseline, MAX_SEARCHED)
    if (first.kind !== 'ask') return first
    const parsed = parse(withValue(scenario, 'workers', first.workers))
    // A policy may need more workers than that.
    const figures = 'problems' in parsed ? null : await runJob('metrics', parsed.scenario, { signal })
    makespans.set(first.workers, figures !== null && isWhole(figures) ? figures.makespan : Infinity)
  }
}

/** Returns how many workers it takes to beat one worker alone; empty while it is unknown. */
export function firstToBeatWords({ baseline, first }: Sweep, playing: boolean): string {
  if (baseline === null) return ''
  const alone = t('One worker alone takes {makespan}', { makespan: duration(baseline.makespan) })
  if (first === null || first.kind === 'ask') return playing ? `${alone}.` : ''
  if (first.kind === 'none') return t('{alone}; up to {most} workers do not beat that.', { alone, most: MAX_SEARCHED })
  return t('{alone}; {n, plural, one {# worker beats} other {# workers beat}} that.', { alone, n: first.workers })
}

/** Returns the result of the run at one value, in words. */
export function detailsOf(
  scenario: Scenario,
  axis: SweepAxis,
  points: readonly SweepPoint[],
  column: number,
  sweep: Sweep | null,
): string {
  const { value, run, refused } = points[column]
  if (refused !== null) return t('cannot be played: {refused}', { refused })
  if (run === null) return t('not played yet')
  const previous = axis === 'workers' ? points.find((point) => point.value === value - 1)?.run : null
  const times = sweep?.baseline == null ? null : speedUp({ ...sweep.baseline, makespan: run.makespan }, sweep.baseline)
  const seats = stageNumbers(scenario).map((s) => `${isolated(scenario.stages[s].name)} ${fixed(run.seats[s], 1)}`)
  const parts = [t('took {makespan}', { makespan: duration(run.makespan) })]
  if (run.left > 0) parts.push(t('{n, plural, one {# job} other {# jobs}} left', { n: run.left }))
  else if (times !== null) {
    const values = { times: fixed(times, 2), share: percent(times / value) }
    parts.push(t('speed-up {times}, efficiency {share}', values))
  }
  if (previous != null)
    parts.push(t('the last worker saves {saved}', { saved: duration(previous.makespan - run.makespan) }))
  parts.push(t('{utilisation} busy', { utilisation: percent(run.utilisation) }))
  parts.push(t('targets {seats}', { seats: seats.slice(0, 8).join(', ') + (seats.length > 8 ? ', …' : '') }))
  return parts.join('; ')
}

export function axisName(scenario: Scenario, axis: SweepAxis): string {
  if (axis === 'workers') return t('Workers')
  if (axis === 'batch') return t('Jobs a batch')
  if (axis === 'switchCost') return t('Switch cost')
  return t('Mean service at {stage}', { stage: scenario.stages.find(({ id }) => axis === `service ${id}`)?.name ?? '' })
}

/** Returns a value as written on the axis. */
export function axisValueText(axis: SweepAxis, value: number): string {
  return axis === 'workers' || axis === 'batch' ? count(value) : duration(value)
}

/** Returns a value with its unit or meaning. */
export function valueName(scenario: Scenario, axis: SweepAxis, value: number): string {
  if (axis === 'workers') return t('{n, plural, one {# worker} other {# workers}}', { n: value })
  if (axis === 'batch') return t('{value, plural, one {# job} other {# jobs}} a batch', { value })
  return `${axisName(scenario, axis)} ${duration(value)}`
}
