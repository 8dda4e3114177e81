import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { featuresOf } from '../../session/features/features.tsx'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'

/** The parts of a scenario that only a feature shows, by the key of that feature. */
const shownBy: readonly (readonly [key: string, what: () => string, is: (scenario: Scenario) => boolean])[] = [
  ['order', () => t('the order of jobs'), ({ order }) => order.kind !== 'none'],
  ['groups', () => t('groups of jobs'), ({ source }) => source.kind === 'groups'],
  ['pools', () => t('elastic pools'), ({ policy }) => isElastic(policy)],
  ['mystery', () => t('what is hidden'), ({ hidden }) => hidden.length > 0],
  ['code', () => t('a policy in code'), (scenario) => phasesOf(scenario).some(({ policy }) => policy.kind === 'code')],
  ['publish', () => t('an essay'), ({ essay }) => essay !== ''],
]

/** Names the parts of the scenario that this page does not show, because it was built without a feature. The scenario keeps them. */
export function MissingFeatures() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const there = new Set(featuresOf(session).map(({ key }) => key))
  const missing = shownBy.filter(([key, , is]) => !there.has(key) && is(scenario))
  return missing.map(([key, what]) => (
    <p key={key} className="soft note">
      {t('This page was built without the feature “{key}”, so it does not show {what}. The scenario keeps it.', { key, what: what() })}
    </p>
  ))
}
