import { createStore } from 'zustand/vanilla'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'

/** The opening of the canvas whose first run was watched to its end, and the scenario of that run. */
export const revealedStore = part(() => createStore(() => ({ opened: -1, scenario: null as Scenario | null })))

/** Returns whether the page hides how a run ends: with `?guess`, until the playback has come to the end of the first run of a scenario. */
export function hidesEnd(session: Session): boolean {
  const { opened } = scenarioStore(session).getState()
  return session.address.read().searchParams.has('guess') && revealedStore(session).getState().opened !== opened
}
