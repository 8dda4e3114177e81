import { createStore } from 'zustand/vanilla'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import type { Replay } from '../../../runs/study/replay.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { digestInSteps } from '../../../trace/digest.ts'
import { move, type Run } from '../../session/run/runStore.ts'

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

export const replayStore = createStore<ReplayState>(() => ({ ...nothing, expected: null }))

let handle: AbortController | null = null

/** Plays the record of a run that has ended through the scheduler again; at the first difference the playhead goes there. */
export async function replayRun(run: Run): Promise<void> {
  cancelReplay()
  replayStore.setState({ run })
  const present = new AbortController()
  handle = present
  try {
    const { replayTrace } = await import('../../../runs/remote/replayTrace.ts')
    const result = await replayTrace(run.trace, { signal: present.signal, progress: (share) => handle === present && replayStore.setState({ share }) })
    if (handle !== present) return
    replayStore.setState({ result })
    if (result.difference !== null) goToReplayed(result.difference.time)
  } catch (error) {
    if (handle === present) replayStore.setState({ reason: error instanceof Error ? error.message : String(error) })
  }
}

export function cancelReplay(): void {
  handle?.abort()
  handle = null
  replayStore.setState(nothing)
}

/** The playhead goes there and stays. */
export function goToReplayed(time: number): void {
  move({ time, playing: false, following: false })
}

/** A link says what the digest of its run is; null: it does not. */
export function expectDigest(scenario: Scenario, digest: string | null): void {
  replayStore.setState({ expected: digest === null ? null : { scenario, digest } })
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
