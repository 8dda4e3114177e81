import { createStore } from 'zustand/vanilla'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { part, type Session } from '../../session/session.ts'

export const digestStore = part(() =>
  createStore<{ readonly expected: { readonly scenario: Scenario; readonly digest: string } | null }>(() => ({
    expected: null,
  })),
)

/** Notes the digest that a link gives for the run of its scenario; null if it gives none. */
export function expectDigest(session: Session, scenario: Scenario, digest: string | null): void {
  digestStore(session).setState({ expected: digest === null ? null : { scenario, digest } })
}
