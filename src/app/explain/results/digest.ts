import { createStore } from 'zustand/vanilla'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Run } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'

export const digestStore = part(() =>
  createStore<{ readonly expected: { readonly scenario: Scenario; readonly digest: string } | null }>(() => ({ expected: null })),
)

/** Notes the digest that a link gives for the run of its scenario; null if it gives none. */
export function expectDigest(session: Session, scenario: Scenario, digest: string | null): void {
  digestStore(session).setState({ expected: digest === null ? null : { scenario, digest } })
}

const digests = new WeakMap<Run, string>()

/** Returns the digest of a run that has ended, worked out once and in slices; null if it is not wanted any more. */
export async function digestOfRun(run: Run, wanted: () => boolean): Promise<string | null> {
  const known = digests.get(run)
  if (known !== undefined) return known
  const { digestInSteps } = await import('../../../trace/digest.ts')
  const digest = await inSlices(digestInSteps(run.trace), wanted)
  if (digest !== null) digests.set(run, digest)
  return digest
}
