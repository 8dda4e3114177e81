import type { Policy, Scenario, Turn } from './scenario.ts'

/**
 * What holds when so many turns of the scenario are behind: the scenario itself with what they say instead. The one place
 * where that is worked out, for whoever acts and for whoever explains.
 */
export function afterTurns(scenario: Scenario, turns: number): Scenario {
  return turns === 0 ? scenario : Object.assign({}, scenario, ...scenario.later.slice(0, turns).map(({ at: _, ...instead }) => instead))
}

/** The scenario as it holds from the start on and after each turn. */
export function heldBy(scenario: Scenario): Scenario[] {
  return [scenario, ...scenario.later.map((_, i) => afterTurns(scenario, i + 1))]
}

const hires = ['pid', 'threshold']

/** Whether a policy can take the workers over from another midway: who hires them itself begins with none, and green threads are so many as there are stages. */
export function canFollow(from: string, to: string): boolean {
  return from !== 'greenThreads' && to !== 'greenThreads' && hires.includes(from) === hires.includes(to)
}

/** The turns with only those of their policies that are wanted; one that has nothing else to say is left out. */
export function withPolicies(later: readonly Turn[], wanted: (policy: Policy) => boolean): Turn[] {
  return later.flatMap((turn) => {
    const { policy, ...rest } = turn
    if (policy === undefined || wanted(policy)) return [turn]
    return Object.keys(rest).length > 1 ? [rest] : []
  })
}
