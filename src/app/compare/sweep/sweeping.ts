import { createStore } from 'zustand/vanilla'
import { isWhole } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { Cancelled, runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import { underPolicy } from '../../../runs/study/compare.ts'
import {
  earlyWhole,
  emptySweep,
  type FirstToBeat,
  firstToBeat,
  type SweepAxis,
  type SweepPoint,
  sweepKey,
  withRun,
  withValue,
} from '../../../runs/study/sweep.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { runStore } from '../../session/run/runStore.ts'
import { BASELINE } from '../policies/comparing.ts'

/** A sweep: the store outlives the panel, so that one may look elsewhere meanwhile. */
export interface Sweep {
  /** What was played but for what is varied. */
  readonly key: string
  readonly axis: SweepAxis
  readonly phase: 'playing' | 'done' | 'stopped'
  readonly points: readonly SweepPoint[]
  /** One worker who runs each job to its end; null while it is not known, or where that is what is swept. */
  readonly baseline: Metrics | null
  /** Of a sweep over workers: the fewest that beat it; null while it is not known. */
  readonly first: FirstToBeat | null
  readonly reason: string | null
}

interface SweepState {
  readonly sweep: Sweep | null
  /** What is asked for. */
  readonly axis: SweepAxis
  /** How much of the sweep is played, 0 to 1: told often, and of interest to the bar alone. */
  readonly share: number
}

export const sweepStore = createStore<SweepState>(() => ({ sweep: null, axis: 'workers', share: 0 }))

let handle: AbortController | null = null

/** Real workers have the cores to themselves. */
runStore.subscribe(({ phase, engine }) => {
  if (phase === 'running' && engine === 'threads') stopSweep()
})

/** Plays the scenario at every value, on all cores; whatever was under way is given up. */
export function startSweep(scenario: Scenario, axis: SweepAxis): void {
  stopSweep()
  const points = emptySweep(scenario, axis)
  const values = earlyWhole(points).map(({ value }) => value)
  const baseline = scenario.policy.kind === BASELINE ? null : underPolicy(scenario, BASELINE)
  const plays = values.map((value) => ({ scenario: withValue(scenario, axis, value), record: false }))
  // What is to be beaten is held against the scenario as it stands; where services or batches vary it would vary with them.
  const beaten = axis === 'workers' && baseline !== null && 'scenario' in baseline
  if (beaten) plays.splice(1, 0, { scenario: baseline.scenario, record: false })
  sweepStore.setState({ sweep: { key: sweepKey(scenario, axis), axis, phase: 'playing', points, baseline: null, first: null, reason: null }, share: 0 })
  /** How long which number of workers takes. */
  const makespans = new Map<number, number>()
  const mine = new AbortController()
  handle = mine
  const finished = runJobs('compare', plays, {
    signal: mine.signal,
    answer(k, compared) {
      if (mine !== handle) return
      if (beaten && k === 1) return tell(() => ({ baseline: compared.figures }))
      const value = values[beaten && k > 1 ? k - 1 : k]
      makespans.set(value, isWhole(compared.figures) ? compared.figures.makespan : Infinity)
      tell((now) => ({ points: withRun(now.points, value, compared) }))
    },
    progress: (share) => mine === handle && sweepStore.setState({ share }),
  })
  const ended = async () => {
    await finished
    if (mine !== handle) return
    if (beaten) await searchFirst(scenario, makespans, mine.signal)
    if (sweepStore.getState().sweep?.phase === 'playing') tell(() => ({ phase: 'done' }))
  }
  void ended().catch((error: unknown) => {
    if (!(error instanceof Cancelled)) tell(() => ({ phase: 'stopped', reason: error instanceof Error ? error.message : String(error) }))
  })
}

/** Plays one number of workers after the other that the sweep has left out, until one beats the baseline. */
async function searchFirst(scenario: Scenario, makespans: Map<number, number>, signal: AbortSignal): Promise<void> {
  const baseline = sweepStore.getState().sweep?.baseline
  if (baseline == null || !isWhole(baseline)) return
  for (;;) {
    const first = firstToBeat(makespans, baseline.makespan, MAX_WORKERS)
    if (first.kind !== 'ask') return tell(() => ({ first }))
    const parsed = parse(withValue(scenario, 'workers', first.workers))
    // A policy may need more workers than that.
    if ('problems' in parsed) {
      makespans.set(first.workers, Infinity)
      continue
    }
    const figures = await runJob('metrics', parsed.scenario, { signal })
    makespans.set(first.workers, isWhole(figures) ? figures.makespan : Infinity)
  }
}

/** Ends it; what has been played stays. */
export function stopSweep(): void {
  handle?.abort()
  handle = null
  const { sweep } = sweepStore.getState()
  if (sweep?.phase === 'playing') sweepStore.setState({ sweep: { ...sweep, phase: 'stopped' } })
}

function tell(patch: (now: Sweep) => Partial<Sweep>): void {
  const { sweep } = sweepStore.getState()
  if (sweep !== null) sweepStore.setState({ sweep: { ...sweep, ...patch(sweep) } })
}
