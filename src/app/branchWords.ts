import { crewOf } from '../scenario/defaults.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { counted, listed } from '../scenario/words.ts'
import { policies } from '../scheduler/policies.ts'

/** What a branch does otherwise than its trunk, in a few words each, what tells most first. */
export function differencesOf(whole: Scenario, k: number): readonly string[] {
  const { workers, stages = [], workerEvents, policy, estimator, batch, switchCost, groupSwitchCost, cores, later } = whole.branches[k]
  const others = [
    estimator && 'estimate',
    batch && 'batch',
    (switchCost ?? groupSwitchCost) !== undefined && 'switch cost',
    cores && 'number of cores',
    later && 'turn later on',
  ]
  const names = new Map(whole.stages.map(({ id, name }) => [id, name]))
  const changed = stages.flatMap(({ id, service, changes }) => (service === undefined && changes === undefined ? [] : [names.get(id) ?? id]))
  return [
    ...(policy === undefined ? [] : [policies[policy.kind].name]),
    ...(workers === undefined ? [] : [counted(crewOf({ ...whole, workers }), 'worker')]),
    ...(changed.length === 0 ? [] : [`${listed(changed.slice(0, 2))}${changed.length > 2 ? ' and others' : ''} otherwise`]),
    ...(workerEvents === undefined ? [] : ['other comings and goings']),
    ...others.filter((word) => typeof word === 'string').map((word) => `another ${word}`),
  ]
}

/** What the branches are called: by their titles, else by what they do otherwise; where that says nothing, or the same, with their numbers. */
export function branchNames(whole: Scenario): readonly string[] {
  const names = whole.branches.map(({ title }, k) => title || differencesOf(whole, k)[0] || `Branch ${k + 1}`)
  return names.map((name, k) => (names.indexOf(name) < k ? `${name} (${k + 1})` : name))
}
