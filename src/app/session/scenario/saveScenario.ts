import { compact } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { download, fileName } from '../../base/browser/download.ts'

/** Hands a scenario to the person as a file that opens here again. */
export function saveScenario(scenario: Scenario): Promise<void> {
  return download(fileName(scenario.title, '.scenario.json'), [JSON.stringify(compact(scenario), null, 2)])
}
