import { saveScenario } from '../../session/scenario/saveScenario.ts'
import { scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** What is on the canvas as a file, for where the library does not take it. */
export async function downloadCanvas(session: Session): Promise<void> {
  await saveScenario(scenarioToSave(scenarioStore(session).getState()))
}
