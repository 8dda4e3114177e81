import type { Scenario } from './scenario.ts'

/** Returns the scenario with only what a run depends on: not the title, the essay, what is hidden, the name of a policy, nor the positions of the cards. */
export function playedParts(scenario: Scenario): Scenario {
  const policy = scenario.policy.kind === 'code' ? { ...scenario.policy, name: '' } : scenario.policy
  return { ...scenario, policy, title: '', hidden: [], essay: '', stages: scenario.stages.map((stage) => ({ ...stage, position: null })) }
}
