import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { type PoolUse, poolUse } from '../../../measures/pools/poolCost.ts'
import { type Gains, zieglerNichols } from '../../../measures/pools/zieglerNichols.ts'
import { Cancelled, type JobThreads, openJobThreads } from '../../../runs/remote/jobThreads.ts'
import {
  type Bounded,
  bounded,
  coarseToFine,
  findUltimate,
  type GainGrid,
  gainGrid,
  isPid,
  tidyGains,
  type UltimateSearch,
  withGains,
} from '../../../runs/study/gainSearch.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { runStore } from '../../session/run/runStore.ts'
import { edit, scenarioStore } from '../../session/scenario/scenarioStore.ts'

/** Gains with a name, and what they used up; null while that is not known. */
export interface NamedGains {
  readonly name: string
  readonly gains: Gains
  readonly use: PoolUse | null
}

/** A search for gains: the store outlives the panel, so that one may look elsewhere meanwhile. */
export interface Tuning {
  /** What was searched in: everything of the scenario but its gains. */
  readonly key: string
  readonly asked: Bounded
  readonly phase: 'running' | 'done' | 'stopped'
  /** How many trials of the map are played, and of how many; 0 of 0 before it begins. */
  readonly played: number
  readonly trials: number
  readonly ultimate: UltimateSearch | null
  /** The gains at the start and those by the rules. */
  readonly named: readonly NamedGains[]
  readonly kd: number
  readonly grid: GainGrid | null
  /** By cell of the grid, from the least ki upwards. */
  readonly uses: readonly (PoolUse | null)[]
  /** Why it could not go on. */
  readonly reason: string | null
}

interface TuningState {
  readonly tuning: Tuning | null
  /** What one second of a waiting job costs, in worker seconds. */
  readonly weight: number
}

export const tuningStore = createStore<TuningState>(() => ({ tuning: null, weight: 1 }))

export function setWeight(weight: number): void {
  tuningStore.setState({ weight })
}

let trials: JobThreads | null = null

/** Real workers have the cores to themselves. */
runStore.subscribe(({ phase, engine }) => {
  if (phase === 'running' && engine === 'threads') stopTuning()
})

/** What is found for a scenario that nobody looks at any more is of no use. */
scenarioStore.subscribe(({ scenario }) => {
  const { tuning } = tuningStore.getState()
  if (tuning?.phase === 'running' && tuning.key !== tuningKey(scenario)) stopTuning()
})

/** Two scenarios with one key differ in their gains at most. */
export function tuningKey(scenario: Scenario): string {
  const { title, policy, ...rest } = scenario
  return JSON.stringify(policy.kind === 'pid' ? { ...rest, policy: { ...policy, kp: 0, ki: 0, kd: 0 } } : { ...rest, policy })
}

/** Begins a search in the scenario; whatever was under way is given up. */
export function startTuning(scenario: Scenario): void {
  stopTuning()
  if (!isPid(scenario)) return
  const asked = bounded(scenario)
  const { kp, ki, kd } = scenario.policy
  const tuning: Tuning = {
    key: tuningKey(scenario),
    asked,
    phase: 'running',
    played: 0,
    trials: 0,
    ultimate: null,
    named: [{ name: t('At the start'), gains: { kp, ki, kd }, use: null }],
    kd,
    grid: null,
    uses: [],
    reason: null,
  }
  tuningStore.setState({ tuning })
  trials = openJobThreads()
  void search(asked, trials, (patch) => {
    const now = tuningStore.getState().tuning
    if (now !== null && now.phase === 'running') tuningStore.setState({ tuning: { ...now, ...patch(now) } })
  })
}

/** Ends the search; what has been found stays. */
export function stopTuning(): void {
  trials?.end()
  trials = null
  const { tuning } = tuningStore.getState()
  if (tuning?.phase === 'running') tuningStore.setState({ tuning: { ...tuning, phase: 'stopped' } })
}

/** Puts gains into the scenario, as one step of undo. */
export function applyGains(gains: Gains): void {
  edit((scenario) => (scenario.policy.kind === 'pid' ? setPolicy(scenario, { ...scenario.policy, ...gains }) : scenario))
}

type Tell = (patch: (now: Tuning) => Partial<Tuning>) => void

async function search(asked: Bounded, mine: JobThreads, tell: Tell): Promise<void> {
  try {
    const ultimate = await findUltimate(asked, (scenario, from, to) => mine.run('swing', { scenario, from, to }))
    const rules: Readonly<Record<string, Gains>> = ultimate.kind === 'found' ? zieglerNichols(ultimate.ultimate) : {}
    const named = Object.entries(rules).map(([name, gains]) => ({ name, gains: tidyGains(gains), use: null }))
    const { policy } = asked.scenario
    const grid = gainGrid(
      policy,
      named.map(({ gains }) => gains),
    )
    const cells = coarseToFine(grid.kp.length, grid.ki.length)
    tell((now) => ({ ultimate, named: [...now.named, ...named], grid, uses: cells.map(() => null), trials: cells.length + named.length + 1 }))
    const play = async (gains: Gains) => poolUse(await mine.run('metrics', withGains(asked.scenario, gains)))
    const all = [policy, ...named.map(({ gains }) => gains)].map(async (gains, k) => {
      const use = await play({ kp: gains.kp, ki: gains.ki, kd: gains.kd })
      tell((now) => ({ played: now.played + 1, named: now.named.map((each, i) => (i === k ? { ...each, use } : each)) }))
    })
    const rest = cells.map(async (cell) => {
      const use = await play(gainsOf(grid, policy.kd, cell))
      tell((now) => ({ played: now.played + 1, uses: now.uses.map((each, i) => (i === cell ? use : each)) }))
    })
    await Promise.all([...all, ...rest])
    tell(() => ({ phase: 'done' }))
  } catch (error) {
    if (!(error instanceof Cancelled)) tell(() => ({ phase: 'stopped', reason: error instanceof Error ? error.message : String(error) }))
  } finally {
    mine.end()
  }
}

export function gainsOf({ kp, ki }: GainGrid, kd: number, cell: number): Gains {
  return { kp: kp[cell % kp.length], ki: ki[Math.floor(cell / kp.length)], kd }
}
