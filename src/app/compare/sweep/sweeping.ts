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
import { sessionCoreJob } from '../../session/run/sessionJobs.ts'
import { part, type Session } from '../../session/session.ts'
import { BASELINE } from '../policies/entrants.ts'

/** The scenario at many values of one of its numbers. */
export interface Sweep {
  /** The scenario without what is varied. */
  readonly key: string
  readonly points: readonly SweepPoint[]
  /** One worker who runs each job to its end; null while that is not known, or is what is swept. */
  readonly baseline: Metrics | null
  /** Of a sweep over workers: the fewest that beat the baseline; null while that is not known. */
  readonly first: FirstToBeat | null
}

export const sweepStore = part(() => createStore<{ readonly sweep: Sweep | null; readonly axis: SweepAxis }>(() => ({ sweep: null, axis: 'workers' })))

/** Plays the sweep. What has been played stays when it stops. */
export const sweepJob = sessionCoreJob<void>()

/** Plays the scenario at every value, on all cores, instead of the sweep that was under way. */
export function startSweep(session: Session, scenario: Scenario, axis: SweepAxis): void {
  const store = sweepStore(session)
  const change = (patch: (now: Sweep) => Partial<Sweep>) => store.setState(({ sweep }) => ({ sweep: sweep && { ...sweep, ...patch(sweep) } }))
  const points = emptySweep(scenario, axis)
  const values = coarsePointsFirst(points).map(({ value }) => value)
  const plays = values.map((value) => ({ scenario: withValue(scenario, axis, value), record: false }))
  const baseline = scenario.policy.kind === BASELINE ? null : underPolicy(scenario, BASELINE)
  // The baseline belongs to the scenario as it is: where services or batches vary it would vary with them.
  const hasBaseline = axis === 'workers' && baseline !== null && 'scenario' in baseline
  if (hasBaseline) plays.splice(1, 0, { scenario: baseline.scenario, record: false })
  store.setState({ sweep: { key: sweepKey(scenario, axis), points, baseline: null, first: null } })
  void sweepJob(session).run(async ({ signal, progress }) => {
    /** By number of workers. */
    const makespans = new Map<number, number>()
    await runJobs('compare', plays, {
      signal,
      progress,
      answer(k, compared) {
        if (hasBaseline && k === 1) return change(() => ({ baseline: compared.metrics }))
        const value = values[hasBaseline && k > 1 ? k - 1 : k]
        makespans.set(value, isWhole(compared.metrics) ? compared.metrics.makespan : Infinity)
        change((now) => ({ points: withRun(now.points, value, compared) }))
      },
    })
    const beaten = store.getState().sweep?.baseline
    if (beaten == null || !isWhole(beaten)) return
    const first = await searchFirst(scenario, makespans, beaten.makespan, signal)
    change(() => ({ first }))
  })
}

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
