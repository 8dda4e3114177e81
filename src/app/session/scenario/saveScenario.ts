import { compact } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { download, fileName } from '../../base/browser/download.ts'

/** Downloads a scenario as a file that can be opened again. */
export function saveScenario(scenario: Scenario): Promise<void> {
  return download(fileName(scenario.title, '.scenario.json'), [JSON.stringify(compact(scenario), null, 2)])
}
