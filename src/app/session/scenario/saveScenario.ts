import { compact } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { download, fileName } from '../../base/browser/files.ts'
import type { Session } from '../session.ts'
import { scenarioStore, scenarioToSave } from './scenarioStore.ts'

/** Downloads a scenario as a file that can be opened again. */
export function saveScenario(scenario: Scenario): Promise<void> {
  return download(fileName(scenario.title, '.scenario.json'), [JSON.stringify(compact(scenario), null, 2)])
}

/** Downloads what is on the canvas, for when the library cannot save it or the page cannot show it. */
export function saveCanvas(session: Session): Promise<void> {
  return saveScenario(scenarioToSave(scenarioStore(session).getState()))
}
