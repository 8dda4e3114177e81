import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { firstUntouchedJobs } from '../../../measures/jobs/jobPlaces.ts'
import { branchOf, originalOf } from '../../../scenario/edit/branches.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../../trace/trace.ts'
import { closeRun, showRun } from '../run/opening.ts'
import { playback } from '../run/playback.ts'
import { movePlayback, type Run, runStore } from '../run/runStore.ts'
import { stop } from '../run/startStop.ts'
import { scenarioStore, showError } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { beginBranch, showBranch, withoutBranch } from './branchStore.ts'

/** The latest runs of the original and its branches, by the scenario that was played, as long as these exist. */
export const branchRunStore = part((session) => {
  const store = createStore<{ readonly runs: ReadonlyMap<string, Run> }>(() => ({ runs: new Map() }))
  const keep = () => {
    const { runs } = store.getState()
    const kept = runsToKeep(session, runs)
    if (kept.size !== runs.size || [...kept].some(([key, run]) => runs.get(key) !== run)) store.setState({ runs: kept })
  }
  session.onEnd(scenarioStore(session).subscribe(({ whole }, before) => whole !== before.whole && keep()))
  session.onEnd(runStore(session).subscribe(({ run }, before) => run !== before.run && keep()))
  keep()
  return store
})

function runsToKeep(session: Session, runs: ReadonlyMap<string, Run>): ReadonlyMap<string, Run> {
  const { whole } = scenarioStore(session).getState()
  const { run } = runStore(session).getState()
  const known = run === null ? runs : new Map(runs).set(comparisonKey(run.scenario), run)
  const wanted = new Set(run === null && whole.branches.length === 0 ? [] : membersOf(whole).map(comparisonKey))
  return new Map([...known].filter(([key]) => wanted.has(key)))
}

export function runOf(session: Session, scenario: Scenario, { runs } = branchRunStore(session).getState()): Run | null {
  return runs.get(comparisonKey(scenario)) ?? null
}

/** Returns the original, then its branches, as they are played. */
export function membersOf(whole: Scenario): readonly Scenario[] {
  return [originalOf(whole), ...whole.branches.map((_, k) => branchOf(whole, k))]
}

/** Begins a branch of the run on the screen at the playhead. The branch has the edits made since that run. A running run is stopped. */
export async function forkHere(session: Session): Promise<void> {
  // From now on runs are kept, beginning with the one that is forked.
  branchRunStore(session)
  const { run, phase } = runStore(session).getState()
  if (run === null) return
  const time = Math.round(playback(session).time)
  if (phase === 'running') await stop(session)
  catchUp(run.trace)
  const at = Math.min(time, endOf(run.trace))
  movePlayback(session, { time: at, playing: false, following: false })
  if (at < 1) return showError(session, t('Move the playhead to where the branch is to begin.'))
  const { whole } = scenarioStore(session).getState()
  const [original, ...branches] = membersOf(whole).map(comparisonKey)
  const key = comparisonKey(run.scenario)
  if (key !== original && branches.includes(key))
    return showError(session, t('A branch has no branches. Choose the original and fork that.'))
  beginBranch(session, run.scenario, at, firstUntouchedJobs(run.trace, at))
}

/** Puts the original (null) or a branch on the canvas, and its run on the screen; before it was played, the run of the original. */
export async function turnTo(session: Session, k: number | null): Promise<void> {
  const { time } = playback(session)
  showBranch(session, k)
  await showOwnRun(session, time)
}

export async function removeBranch(session: Session, k: number): Promise<void> {
  const { time } = playback(session)
  withoutBranch(session, k)
  await showOwnRun(session, time)
}

async function showOwnRun(session: Session, time: number): Promise<void> {
  const { scenario, whole, shown } = scenarioStore(session).getState()
  const ownRun = runOf(session, scenario)
  const run = ownRun ?? runOf(session, originalOf(whole))
  if (run === null) return closeRun(session)
  catchUp(run.trace)
  const at = Math.min(ownRun === null && shown !== null ? whole.branches[shown].at : time, endOf(run.trace))
  if (run === runStore(session).getState().run) movePlayback(session, { time: at, playing: false, following: false })
  else await showRun(session, run, at)
}
