import { isolated, t } from '../../../language/translate.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { listed } from '../../../scenario/model/words.ts'
import { keyLabels } from '../../../scenario/text/meanings.ts'

/** Returns what a branch changes, in a few words each, the most telling first. */
export function differencesOf(whole: Scenario, k: number): readonly string[] {
  const {
    workers,
    stages = [],
    workerEvents,
    policy,
    estimator,
    batch,
    switchCost,
    groupSwitchCost,
    cores,
    later,
  } = whole.branches[k]
  const labels = keyLabels()
  const names = new Map(whole.stages.map(({ id, name }) => [id, name]))
  const changed = stages.flatMap(({ id, service, changes }) =>
    service === undefined && changes === undefined ? [] : [names.get(id) ?? id],
  )
  return [
    ...(policy === undefined ? [] : [policyName(policy)]),
    ...(workers === undefined ? [] : [t('{n, plural, one {# worker} other {# workers}}', { n: workers })]),
    ...(changed.length === 0 ? [] : [changed.length > 3 ? `${changed.slice(0, 3).join(', ')}, …` : listed(changed)]),
    ...(workerEvents === undefined ? [] : [labels.workerEvents]),
    ...(estimator === undefined ? [] : [labels.estimator]),
    ...(batch === undefined ? [] : [labels.batch]),
    ...((switchCost ?? groupSwitchCost) === undefined ? [] : [labels.switchCost]),
    ...(cores === undefined ? [] : [labels.cores]),
    ...(later === undefined ? [] : [labels.later]),
  ]
}

/** Returns the names of branches: their titles, else what they change; with numbers where that is empty or not unique. */
export function branchNames(whole: Scenario): readonly string[] {
  const names = whole.branches.map(({ title }, k) => title || differencesOf(whole, k)[0] || `${t('Branch')} ${k + 1}`)
  return names.map((name, k) => (names.indexOf(name) < k ? `${isolated(name)} (${k + 1})` : name))
}
