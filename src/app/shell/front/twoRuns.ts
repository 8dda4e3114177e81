import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { endAll } from '../../base/browser/frames.ts'
import { limitPlayhead } from '../../session/page/painter.ts'
import { playback, speedFor } from '../../session/run/playback.ts'
import { movePlayback, type Run, runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { sessionJob } from '../../session/study/backgroundJob.ts'
import { runOfJournals } from '../../session/study/runOfJournals.ts'

/** Plays the run of the upper lane: the same jobs, while every worker stays at its stage. The lower lane is the run of the page. */
export const fixedJob = sessionJob<Run>()

export type TwoRuns = { readonly fixed: Run; readonly moved: Run }

export function twoRuns(session: Session): TwoRuns | null {
  const { run, phase } = runStore(session).getState()
  const job = fixedJob(session).store.getState()
  return phase === 'ended' && run !== null && job.phase === 'done' ? { fixed: job.result, moved: run } : null
}

/** Returns the scenario under the policy of the upper lane: the same number of workers for every stage, for the whole run. */
export const withFixedWorkers = (scenario: Scenario) => setPolicy(scenario, 'fixed')

/**
 * Plays the other run whenever Run is pressed, and both on one clock once both have ended. `still`: shows only their ends.
 * Returns a function that stops it.
 */
export function playBoth(session: Session, still: () => boolean): () => void {
  const job = fixedJob(session)
  let startedRun: Run | null = null
  /** The run that the lower lane has shown from its beginning. */
  let shown: Run | null = null
  const showBoth = () => {
    const { run } = runStore(session).getState()
    const { phase } = job.store.getState()
    if (run !== null && (phase === 'idle' || phase === 'failed') && startedRun !== run) {
      startedRun = run
      playFixed(session, run.scenario)
    }
    const both = twoRuns(session)
    if (both === null || shown === both.moved) return
    shown = both.moved
    const reach = lastEnd(both)
    movePlayback(session, { reach, speed: speedFor(reach), time: still() ? reach : 0, playing: !still() })
  }
  const wait = limitPlayhead(session, (_session, run, wanted) =>
    run === shown || job.store.getState().phase === 'failed' ? wanted : 0,
  )
  return endAll([wait, runStore(session).subscribe(showBoth), job.store.subscribe(showBoth)])
}

export function haveEnded(session: Session, both: TwoRuns): boolean {
  const { playing, time } = playback(session)
  return !playing && time >= lastEnd(both)
}

const lastEnd = ({ fixed, moved }: TwoRuns) => Math.max(endOf(fixed.trace), endOf(moved.trace))

function playFixed(session: Session, scenario: Scenario): void {
  const fixed = withFixedWorkers(scenario)
  void fixedJob(session).run(async (control) => {
    const compared = await runJob('compare', { scenario: fixed, record: true }, control)
    return runOfJournals(fixed, compared, '')
  })
}
