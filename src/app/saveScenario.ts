import { compact } from '../scenario/compact.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { download, fileName } from './download.ts'

/** Hands a scenario to the person as a file that opens here again. */
export function saveScenario(scenario: Scenario): Promise<void> {
  return download(fileName(scenario.title, '.scenario.json'), [JSON.stringify(compact(scenario), null, 2)])
}
