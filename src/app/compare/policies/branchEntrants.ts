import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { membersOf } from '../../session/branches/branchRuns.ts'
import { branchNames } from '../../session/branches/branchWords.ts'
import type { Entrant } from './entrants.ts'

/** Returns the original of a scenario and its branches, as they are played. */
export function entrantsOnBranches(whole: Scenario): readonly Entrant[] {
  const names = [t('Original'), ...branchNames(whole)]
  return membersOf(whole).map((scenario, m) => ({ key: `${m}`, name: names[m], scenario }))
}
