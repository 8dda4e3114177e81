import { saveScenario } from '../../session/scenario/saveScenario.ts'
import { scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** Downloads the canvas, for when the library cannot save it. */
export async function downloadCanvas(session: Session): Promise<void> {
  await saveScenario(scenarioToSave(scenarioStore(session).getState()))
}
