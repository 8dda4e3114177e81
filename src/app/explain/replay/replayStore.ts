import { createStore } from 'zustand/vanilla'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import type { Replay } from '../../../runs/study/replay.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { digestInSteps } from '../../../trace/digest.ts'
import { seek } from '../../session/run/playhead.ts'
import type { Run } from '../../session/run/runStore.ts'
import { sessionJob } from '../../session/run/sessionJobs.ts'
import { part, type Session } from '../../session/session.ts'

interface ReplayState {
  /** The run that is, or was, played through the scheduler again. */
  readonly run: Run | null
  /** The digest that a link gives for the run of its scenario. */
  readonly expected: { readonly scenario: Scenario; readonly digest: string } | null
}

export const replayStore = part(() => createStore<ReplayState>(() => ({ run: null, expected: null })))

/** Plays the record of `run` through the scheduler again. */
export const replayJob = sessionJob<Replay>()

/** Replays a run that has ended. The playhead goes to the first difference. */
export function replayRun(session: Session, run: Run): Promise<void> {
  replayStore(session).setState({ run })
  return replayJob(session).run(async (control) => {
    const { replayTrace } = await import('../../../runs/remote/replayTrace.ts')
    const replay = await replayTrace(run.trace, control)
    control.signal.throwIfAborted()
    if (replay.difference !== null) seek(session, replay.difference.time)
    return replay
  })
}

/** Cancels the replay, or forgets its result: it would keep the record of its run in memory. */
export function cancelReplay(session: Session): void {
  replayJob(session).cancel()
  replayStore(session).setState({ run: null })
}

/** Notes the digest that a link gives for the run of its scenario; null if it gives none. */
export function expectDigest(session: Session, scenario: Scenario, digest: string | null): void {
  replayStore(session).setState({ expected: digest === null ? null : { scenario, digest } })
}

const digests = new WeakMap<Run, string>()

/** Returns the digest of a run that has ended, worked out once and in slices; null if it is not wanted any more. */
export async function digestOfRun(run: Run, wanted: () => boolean): Promise<string | null> {
  const known = digests.get(run)
  if (known !== undefined) return known
  const digest = await inSlices(digestInSteps(run.trace), wanted)
  if (digest !== null) digests.set(run, digest)
  return digest
}
