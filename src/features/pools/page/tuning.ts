import { createStore } from 'zustand/vanilla'
import type { JobControl } from '../../../app/session/run/backgroundJob.ts'
import { sessionCoreJob } from '../../../app/session/run/sessionJobs.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { comparisonKey } from '../../../scenario/model/comparisonKey.ts'
import { hasGains } from '../../../scenario/model/defaults.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import {
  type Bounded,
  bounded,
  coarseToFine,
  findUltimate,
  type GainGrid,
  gainGrid,
  type PidScenario,
  tidyGains,
  type UltimateSearch,
  withGains,
} from '../gainSearch.ts'
import { type Gains, type PoolUse, poolUse, zieglerNichols } from '../measure/tuning.ts'

/** Gains with a name, and what a run with them used up; null while that is not known. */
export interface NamedGains {
  readonly name: string
  readonly gains: Gains
  readonly use: PoolUse | null
}

/** What a search for gains has found so far. */
export interface Tuning {
  /** The scenario without its gains. */
  readonly key: string
  readonly asked: Bounded
  readonly ultimate: UltimateSearch | null
  /** The gains at the start and those by the rules. */
  readonly named: readonly NamedGains[]
  readonly kd: number
  /** Null until the search of the map begins. */
  readonly grid: GainGrid | null
  /** By cell of the grid, from the least ki upwards. */
  readonly uses: readonly (PoolUse | null)[]
}

interface TuningState {
  readonly tuning: Tuning | null
  /** What one second of a waiting job costs, in worker seconds. */
  readonly weight: number
}

export const tuningStore = part((session) => {
  const store = createStore<TuningState>(() => ({ tuning: null, weight: 1 }))
  // Nobody needs what is found for a scenario that was replaced.
  session.onEnd(
    scenarioStore(session).subscribe(({ scenario }) => {
      const job = tuningJob(session)
      if (job.store.getState().phase === 'running' && store.getState().tuning?.key !== tuningKey(scenario)) job.stop()
    }),
  )
  return store
})

/** Searches gains. What has been found stays when it stops. */
export const tuningJob = sessionCoreJob<void>()

export function setWeight(session: Session, weight: number): void {
  tuningStore(session).setState({ weight })
}

/** Returns a key that two scenarios share if they differ in their gains at most. */
export function tuningKey(scenario: Scenario): string {
  const { policy } = scenario
  return comparisonKey(hasGains(policy) ? { ...scenario, policy: { ...policy, kp: 0, ki: 0, kd: 0 } } : scenario)
}

/** Begins a search in the scenario, instead of the one that was under way. */
export function startTuning(session: Session, scenario: PidScenario): void {
  const store = tuningStore(session)
  const asked = bounded(scenario)
  const { kp, ki, kd } = scenario.policy
  const named = [{ name: t('At the start'), gains: { kp, ki, kd }, use: null }]
  store.setState({ tuning: { key: tuningKey(scenario), asked, ultimate: null, named, kd, grid: null, uses: [] } })
  void tuningJob(session).run((control) =>
    search(asked, control, (patch) => {
      control.signal.throwIfAborted()
      store.setState(({ tuning }) => ({ tuning: tuning && { ...tuning, ...patch(tuning) } }))
    }),
  )
}

/** Puts gains into the scenario, as one step of undo. */
export function applyGains(session: Session, gains: Gains): void {
  editOrShowProblems(session, (scenario) => (hasGains(scenario.policy) ? setPolicy(scenario, { ...scenario.policy, ...gains }) : scenario))
}

async function search(asked: Bounded, { signal, progress }: JobControl, tell: (patch: (now: Tuning) => Partial<Tuning>) => void): Promise<void> {
  const threads = openJobThreads(undefined, signal)
  try {
    const ultimate = await findUltimate(asked, (scenario, from, to) => threads.run('swing', { scenario, from, to }))
    const rules: Readonly<Record<string, Gains>> = ultimate.kind === 'found' ? zieglerNichols(ultimate.ultimate) : {}
    const named = Object.entries(rules).map(([name, gains]) => ({ name, gains: tidyGains(gains), use: null }))
    const { policy } = asked.scenario
    const grid = gainGrid(
      policy,
      named.map(({ gains }) => gains),
    )
    const cells = coarseToFine(grid.kp.length, grid.ki.length)
    tell((now) => ({ ultimate, named: [...now.named, ...named], grid, uses: cells.map(() => null) }))
    const trials = cells.length + named.length + 1
    let played = 0
    const play = async ({ kp, ki, kd }: Gains, withUse: (now: Tuning, use: PoolUse) => Partial<Tuning>) => {
      const use = poolUse(await threads.run('metrics', withGains(asked.scenario, { kp, ki, kd })))
      tell((now) => withUse(now, use))
      progress(++played / trials)
    }
    const first = [policy, ...named.map(({ gains }) => gains)].map((gains, k) =>
      play(gains, (now, use) => ({ named: now.named.map((each, i) => (i === k ? { ...each, use } : each)) })),
    )
    const map = cells.map((cell) => play(gainsOf(grid, policy.kd, cell), (now, use) => ({ uses: now.uses.map((each, i) => (i === cell ? use : each)) })))
    await Promise.all([...first, ...map])
  } finally {
    threads.end()
  }
}

/** Returns the gains of a cell of the map. */
export function gainsOf({ kp, ki }: GainGrid, kd: number, cell: number): Gains {
  return { kp: kp[cell % kp.length], ki: ki[Math.floor(cell / kp.length)], kd }
}
