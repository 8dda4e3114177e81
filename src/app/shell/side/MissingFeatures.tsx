import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'

export type ShowingFeature = 'order' | 'groups' | 'pools' | 'code'

/** By feature: whether the scenario has what it shows. */
const shows: Readonly<Record<ShowingFeature, (scenario: Scenario) => boolean>> = {
  order: ({ order }) => order.kind !== 'none',
  groups: ({ source }) => source.kind === 'groups',
  pools: ({ policy }) => isElastic(policy),
  code: (scenario) => phasesOf(scenario).some(({ policy }) => policy.kind === 'code'),
}

/** Names the parts of the scenario that this page does not show, because it was built without a feature. The scenario keeps them. */
export function MissingFeatures({ keys }: { readonly keys: readonly ShowingFeature[] }) {
  const scenario = useStore(scenarioStore(useSession()), (state) => state.scenario)
  return keys
    .filter((key) => shows[key](scenario))
    .map((key) => (
      <p key={key} className="soft note">
        {t('Without the feature “{key}” this page does not show all of the scenario.', { key })}
      </p>
    ))
}
