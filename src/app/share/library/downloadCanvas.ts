import { saveScenario } from '../../session/scenario/saveScenario.ts'
import { scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'

/** What is on the canvas as a file, for where the library does not take it. */
export async function downloadCanvas(): Promise<void> {
  await saveScenario(scenarioToSave(scenarioStore.getState()))
}
