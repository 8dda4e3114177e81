import { createStore } from 'zustand/vanilla'
import { typedNumber } from '../../../app/base/forms/typedText.ts'
import { editOrShowProblems } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { type StudyControl, study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import { hasGains } from '../../../scenario/model/defaults.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { type Gains, type PoolUse, poolUse, zieglerNichols } from '../measure/tuning.ts'
import {
  type Bounded,
  bounded,
  coarseToFine,
  findUltimate,
  type GainGrid,
  gainGrid,
  type PidScenario,
  roundedGain,
  tidyGains,
  type UltimateSearch,
  withGains,
} from '../study/gainSearch.ts'

/** The results of a search for gains so far. */
export interface Tuning {
  readonly asked: Bounded
  readonly ultimate: UltimateSearch | null
  /** The gains at the start and those by the rules, and the use of a run with them; null while it is not known. */
  readonly named: readonly { readonly name: string; readonly gains: Gains; readonly use: PoolUse | null }[]
  readonly kd: number
  /** Null until the search of the map begins. */
  readonly grid: GainGrid | null
  /** By cell of the grid, from the least ki upwards. */
  readonly uses: readonly (PoolUse | null)[]
}

/** Returns a number in three digits. */
export const three = (value: number): string => typedNumber(roundedGain(value))

/** The price of one second of a waiting job, in worker seconds. */
export const tuningStore = part(() => createStore<{ readonly weight: number }>(() => ({ weight: 1 })))

/** Searches gains, independent of those of the scenario. */
export const tuningStudy = study<PidScenario, Tuning>({ key: tuningKey, work: search })

/** Returns a key that two scenarios share if they differ in their gains at most. */
export function tuningKey(scenario: Scenario): string {
  const { policy } = scenario
  return comparisonKey(hasGains(policy) ? { ...scenario, policy: { ...policy, kp: 0, ki: 0, kd: 0 } } : scenario)
}

/** Puts gains into the scenario, as one step of undo. */
export function applyGains(session: Session, gains: Gains): void {
  editOrShowProblems(session, (scenario) =>
    hasGains(scenario.policy) ? setPolicy(scenario, { ...scenario.policy, ...gains }) : scenario,
  )
}

async function search(scenario: PidScenario, { signal, progress, show }: StudyControl<Tuning>): Promise<Tuning> {
  const asked = bounded(scenario)
  const { kp, ki, kd } = scenario.policy
  let found: Tuning = {
    asked,
    ultimate: null,
    named: [{ name: t('At the start'), gains: { kp, ki, kd }, use: null }],
    kd,
    grid: null,
    uses: [],
  }
  const change = (patch: Partial<Tuning>) => {
    found = { ...found, ...patch }
    show(found)
  }
  change({})
  const threads = openJobThreads(undefined, signal)
  try {
    const ultimate = await findUltimate(asked, (scenario, from, to) => threads.run('swing', { scenario, from, to }))
    const rules: Readonly<Record<string, Gains>> = ultimate.kind === 'found' ? zieglerNichols(ultimate.ultimate) : {}
    const named = Object.entries(rules).map(([name, gains]) => ({ name, gains: tidyGains(gains), use: null }))
    const { policy } = asked.scenario
    const ruled = named.map(({ gains }) => gains)
    const grid = gainGrid(policy, ruled)
    const cells = coarseToFine(grid.kp.length, grid.ki.length)
    change({ ultimate, named: [...found.named, ...named], grid, uses: cells.map(() => null) })
    const trials = cells.length + named.length + 1
    let played = 0
    const play = async ({ kp, ki, kd }: Gains, withUse: (use: PoolUse) => Partial<Tuning>) => {
      change(withUse(poolUse(await threads.run('metrics', withGains(asked.scenario, { kp, ki, kd })))))
      progress(++played / trials)
    }
    const first = [policy, ...ruled].map((gains, k) =>
      play(gains, (use) => ({ named: found.named.map((setting, i) => (i === k ? { ...setting, use } : setting)) })),
    )
    const map = cells.map((cell) =>
      play(gainsOf(grid, policy.kd, cell), (use) => ({
        uses: found.uses.map((known, i) => (i === cell ? use : known)),
      })),
    )
    await Promise.all([...first, ...map])
    return found
  } finally {
    threads.end()
  }
}

export function gainsOf({ kp, ki }: GainGrid, kd: number, cell: number): Gains {
  return { kp: kp[cell % kp.length], ki: ki[Math.floor(cell / kp.length)], kd }
}
