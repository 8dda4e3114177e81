import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { begunBefore } from '../../../measures/jobs/begun.ts'
import { comparisonKey } from '../../../runs/study/compare.ts'
import { branchOf, trunkOf } from '../../../scenario/edit/branches.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../../trace/trace.ts'
import { clock } from '../../../views/drawing/format.ts'
import { playback } from '../run/playback.ts'
import { complain, leave, move, type Run, runStore, showRun, stop } from '../run/runStore.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { beginBranch, showBranch, withoutBranch } from './branchStore.ts'

/** The latest runs of the trunk and its branches, by what was played. They last as long as the page, and as what they are runs of. */
export const branchRunStore = createStore<{ readonly runs: ReadonlyMap<string, Run> }>(() => ({ runs: new Map() }))

export function runOf(scenario: Scenario, { runs } = branchRunStore.getState()): Run | null {
  return runs.get(comparisonKey(scenario)) ?? null
}

/** The trunk, then its branches, as they are played. */
export function membersOf(whole: Scenario): readonly Scenario[] {
  return [trunkOf(whole), ...whole.branches.map((_, k) => branchOf(whole, k))]
}

/** Keeps what is run of a scenario that has branches, or had them until just now. */
function keep(): void {
  const { whole } = scenarioStore.getState()
  const { runs } = branchRunStore.getState()
  const { run } = runStore.getState()
  const known = run === null ? runs : new Map(runs).set(comparisonKey(run.scenario), run)
  const wanted = new Set(run === null && whole.branches.length === 0 ? [] : membersOf(whole).map(comparisonKey))
  const kept = new Map([...known].filter(([key]) => wanted.has(key)))
  if (kept.size !== runs.size || [...kept].some(([key, each]) => runs.get(key) !== each)) branchRunStore.setState({ runs: kept })
}

scenarioStore.subscribe(({ whole }, before) => whole !== before.whole && keep())
runStore.subscribe(({ run }, before) => run !== before.run && keep())
keep()

/**
 * Begins a branch where the playhead stands, of the scenario of the run on the screen: what has been edited since is what the branch
 * does otherwise. A run under way is stopped where it is.
 */
export async function forkHere(): Promise<void> {
  const { run, phase } = runStore.getState()
  if (run === null) return
  const time = Math.round(playback.time)
  if (phase === 'running') await stop()
  catchUp(run.trace)
  const at = Math.min(time, endOf(run.trace))
  move({ time: at, playing: false, following: false })
  if (at < 1) return complain(t('Nothing has happened yet where the playhead stands: move it to where the branch is to begin.'))
  const { whole } = scenarioStore.getState()
  const [trunk, ...branches] = membersOf(whole).map(comparisonKey)
  const own = comparisonKey(run.scenario)
  if (own !== trunk && branches.includes(own))
    return complain(
      t('This run is one of a branch, which has no branches of its own. Choose the trunk and fork that, before or after {at}.', { at: clock(at) }),
    )
  beginBranch(run.scenario, at, begunBefore(run.trace, at))
}

/** Puts the trunk (null) or a branch on the canvas, and its run on the screen. One that has not been played begins with the picture of the trunk. */
export async function turnTo(k: number | null): Promise<void> {
  const { time } = playback
  showBranch(k)
  await showOwnRun(time)
}

/** Takes a branch away for good, or until that is undone. */
export async function removeBranch(k: number): Promise<void> {
  const { time } = playback
  withoutBranch(k)
  await showOwnRun(time)
}

async function showOwnRun(time: number): Promise<void> {
  const { scenario, whole, shown } = scenarioStore.getState()
  const own = runOf(scenario)
  const run = own ?? runOf(trunkOf(whole))
  if (run === null) return leave()
  catchUp(run.trace)
  const at = Math.min(own === null && shown !== null ? whole.branches[shown].at : time, endOf(run.trace))
  if (run === runStore.getState().run) move({ time: at, playing: false, following: false })
  else await showRun(run, at)
}
