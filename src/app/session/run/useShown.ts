import { useStore } from 'zustand'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { useSession } from '../useSession.ts'
import { runStore } from './runStore.ts'

/** Whether something is so of the scenario, or of the one that the run on the screen was played with. */
export function useShown(is: (scenario: Scenario) => boolean): boolean {
  const session = useSession()
  const now = useStore(scenarioStore(session), ({ scenario }) => is(scenario))
  const then = useStore(runStore(session), ({ run }) => run !== null && is(run.scenario))
  return now || then
}
