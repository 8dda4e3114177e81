import { saveScenario } from '../saveScenario.ts'
import { drawn, scenarioStore } from '../scenarioStore.ts'

/** What is on the canvas as a file, for where the library does not take it. */
export async function downloadCanvas(): Promise<void> {
  await saveScenario(drawn(scenarioStore.getState()))
}
