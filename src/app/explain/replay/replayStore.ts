import { createStore } from 'zustand/vanilla'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import type { ReplayHandle } from '../../../runs/remote/remoteReplay.ts'
import type { Replay } from '../../../runs/study/replay.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { digestInSteps } from '../../../trace/digest.ts'
import { move, type Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'

interface ReplayState {
  /** The run that is, or was, played through the core again. */
  readonly run: Run | null
  readonly share: number
  readonly result: Replay | null
  /** Why there is no result. */
  readonly reason: string | null
  /** What a link says of the run of its scenario: its digest. */
  readonly expected: { readonly scenario: Scenario; readonly digest: string } | null
}

const nothing = { run: null, share: 0, result: null, reason: null }

export const replayStore = part(() => createStore<ReplayState>(() => ({ ...nothing, expected: null })))

interface Own {
  handle: ReplayHandle | null
}

const own = part(
  (): Own => ({
    handle: null,
  }),
)

/** Plays the record of a run that has ended through the scheduler again; at the first difference the playhead goes there. */
export async function replayRun(session: Session, run: Run): Promise<void> {
  cancelReplay(session)
  replayStore(session).setState({ run })
  let present: ReplayHandle | null = null
  try {
    const { startReplay } = await import('../../../runs/remote/remoteReplay.ts')
    if (own(session).handle !== null || replayStore(session).getState().run !== run) return
    present = startReplay(run.trace, (share) => own(session).handle === present && replayStore(session).setState({ share }))
    own(session).handle = present
    const result = await present.finished
    if (own(session).handle !== present || result === null) return
    replayStore(session).setState({ result })
    if (result.difference !== null) goToReplayed(session, result.difference.time)
  } catch (error) {
    if (own(session).handle === present) replayStore(session).setState({ reason: error instanceof Error ? error.message : String(error) })
  }
}

export function cancelReplay(session: Session): void {
  own(session).handle?.stop()
  own(session).handle = null
  replayStore(session).setState(nothing)
}

/** The playhead goes there and stays. */
export function goToReplayed(session: Session, time: number): void {
  move(session, { time, playing: false, following: false })
}

/** A link says what the digest of its run is; null: it does not. */
export function expectDigest(session: Session, scenario: Scenario, digest: string | null): void {
  replayStore(session).setState({ expected: digest === null ? null : { scenario, digest } })
}

const digests = new WeakMap<Run, string>()

/** The digest of a run that has ended, worked out once and in slices; null if it is not wanted any more. */
export async function digestOfRun(run: Run, wanted: () => boolean): Promise<string | null> {
  const known = digests.get(run)
  if (known !== undefined) return known
  const digest = await inSlices(digestInSteps(run.trace), wanted)
  if (digest !== null) digests.set(run, digest)
  return digest
}
