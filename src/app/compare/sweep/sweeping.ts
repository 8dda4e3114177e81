import { createStore } from 'zustand/vanilla'
import { isWhole } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import { underPolicy } from '../../../runs/study/compare.ts'
import {
  coarsePointsFirst,
  emptySweep,
  type FirstToBeat,
  firstToBeat,
  MOST_SEARCHED,
  type SweepAxis,
  type SweepPoint,
  sweepKey,
  withRun,
  withValue,
} from '../../../runs/study/sweep.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { part } from '../../session/session.ts'
import { study } from '../../session/study/study.ts'
import { BASELINE } from '../policies/entrants.ts'

/** The scenario at many values of one of its numbers. */
export interface Sweep {
  readonly points: readonly SweepPoint[]
  /** One worker who runs each job to its end; null while that is not known, or is what is swept. */
  readonly baseline: Metrics | null
  /** Of a sweep over workers: the fewest that beat the baseline; null while that is not known. */
  readonly first: FirstToBeat | null
}

interface SweepQuestion {
  readonly scenario: Scenario
  readonly axis: SweepAxis
}

export const sweepStore = part(() => createStore<{ readonly axis: SweepAxis }>(() => ({ axis: 'workers' })))

/** Plays the scenario at every value, on all cores. The key leaves out what is varied. */
export const sweepStudy = study<SweepQuestion, Sweep>({
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
    /** By number of workers. */
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
async function searchFirst(scenario: Scenario, makespans: Map<number, number>, baseline: number, signal: AbortSignal): Promise<FirstToBeat> {
  for (;;) {
    const first = firstToBeat(makespans, baseline, MOST_SEARCHED)
    if (first.kind !== 'ask') return first
    const parsed = parse(withValue(scenario, 'workers', first.workers))
    // A policy may need more workers than that.
    const figures = 'problems' in parsed ? null : await runJob('metrics', parsed.scenario, { signal })
    makespans.set(first.workers, figures !== null && isWhole(figures) ? figures.makespan : Infinity)
  }
}
