import { useStore } from 'zustand'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { useSession } from '../useSession.ts'
import { runStore } from './runStore.ts'

/** Returns whether `is` holds for the scenario, or for that of the run on the screen. */
export function useShown(is: (scenario: Scenario) => boolean): boolean {
  const session = useSession()
  const now = useStore(scenarioStore(session), ({ scenario }) => is(scenario))
  const then = useStore(runStore(session), ({ run }) => run !== null && is(run.scenario))
  return now || then
}
