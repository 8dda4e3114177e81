import { useStore } from 'zustand'
import type { Scenario } from '../scenario/scenario.ts'
import { runStore } from './runStore.ts'
import { scenarioStore } from './scenarioStore.ts'

/** Whether something is so of the scenario, or of the one that the run on the screen was played with. */
export function useShown(is: (scenario: Scenario) => boolean): boolean {
  const now = useStore(scenarioStore, ({ scenario }) => is(scenario))
  const then = useStore(runStore, ({ run }) => run !== null && is(run.scenario))
  return now || then
}
