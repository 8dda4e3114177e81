import { createStore } from 'zustand/vanilla'
import { isWhole } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { type Play, type PlaysHandle, startPlays } from '../../../runs/remote/remoteCompare.ts'
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
import { part, type Session } from '../../session/session.ts'
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

export const sweepStore = part((session) => {
  // Real workers have the cores to themselves.
  session.onEnd(runStore(session).subscribe(({ phase, engine }) => phase === 'running' && engine === 'threads' && stopSweep(session)))
  return createStore<SweepState>(() => ({ sweep: null, axis: 'workers', share: 0 }))
})

interface Own {
  handle: PlaysHandle | null
}

const own = part(
  (): Own => ({
    handle: null,
  }),
)

/** Plays the scenario at every value, on all cores; whatever was under way is given up. */
export function startSweep(session: Session, scenario: Scenario, axis: SweepAxis): void {
  stopSweep(session)
  const points = emptySweep(scenario, axis)
  const values = earlyWhole(points).map(({ value }) => value)
  const baseline = scenario.policy.kind === BASELINE ? null : underPolicy(scenario, BASELINE)
  const plays: Play[] = values.map((value) => ({ scenario: withValue(scenario, axis, value), record: false }))
  // What is to be beaten is held against the scenario as it stands; where services or batches vary it would vary with them.
  const beaten = axis === 'workers' && baseline !== null && 'scenario' in baseline
  if (beaten) plays.splice(1, 0, { scenario: baseline.scenario, record: false })
  sweepStore(session).setState({
    sweep: { key: sweepKey(scenario, axis), axis, phase: 'playing', points, baseline: null, first: null, reason: null },
    share: 0,
  })
  /** How long which number of workers takes. */
  const makespans = new Map<number, number>()
  const mine = startPlays(plays, {
    answer(k, compared) {
      if (mine !== own(session).handle) return
      if (beaten && k === 1) return tell(session, () => ({ baseline: compared.figures }))
      const value = values[beaten && k > 1 ? k - 1 : k]
      makespans.set(value, isWhole(compared.figures) ? compared.figures.makespan : Infinity)
      tell(session, (now) => ({ points: withRun(now.points, value, compared) }))
    },
    progress: (share) => mine === own(session).handle && sweepStore(session).setState({ share }),
  })
  own(session).handle = mine
  const ended = async () => {
    if (!(await mine.finished) || mine !== own(session).handle) return
    if (beaten) await searchFirst(session, scenario, makespans)
    if (sweepStore(session).getState().sweep?.phase === 'playing') tell(session, () => ({ phase: 'done' }))
  }
  void ended().catch((error: unknown) => tell(session, () => ({ phase: 'stopped', reason: error instanceof Error ? error.message : String(error) })))
}

/** Plays one number of workers after the other that the sweep has left out, until one beats the baseline. */
async function searchFirst(session: Session, scenario: Scenario, makespans: Map<number, number>): Promise<void> {
  const baseline = sweepStore(session).getState().sweep?.baseline
  if (baseline == null || !isWhole(baseline)) return
  for (;;) {
    const first = firstToBeat(makespans, baseline.makespan, MAX_WORKERS)
    if (first.kind !== 'ask') return tell(session, () => ({ first }))
    const parsed = parse(withValue(scenario, 'workers', first.workers))
    // A policy may need more workers than that.
    if ('problems' in parsed) {
      makespans.set(first.workers, Infinity)
      continue
    }
    const mine = startPlays([{ scenario: parsed.scenario, record: false }], {
      answer: (_, { figures }) => makespans.set(first.workers, isWhole(figures) ? figures.makespan : Infinity),
      progress: () => {},
    })
    own(session).handle = mine
    if (!(await mine.finished) || mine !== own(session).handle) return
  }
}

/** Ends it; what has been played stays. */
export function stopSweep(session: Session): void {
  own(session).handle?.stop()
  own(session).handle = null
  const { sweep } = sweepStore(session).getState()
  if (sweep?.phase === 'playing') sweepStore(session).setState({ sweep: { ...sweep, phase: 'stopped' } })
}

function tell(session: Session, patch: (now: Sweep) => Partial<Sweep>): void {
  const { sweep } = sweepStore(session).getState()
  if (sweep !== null) sweepStore(session).setState({ sweep: { ...sweep, ...patch(sweep) } })
}
