import { hires } from './defaults.ts'
import type { Phase, PhaseKey, Policy, Scenario } from './scenario.ts'

/** Worked out once for each scenario, so that what holds can be told by identity from what held before. */
const known = new WeakMap<Scenario, readonly Scenario[]>()

/** The scenario as it holds from the start on and after each of its turns: with what they say instead. */
export function phasesOf(scenario: Scenario): readonly Scenario[] {
  let held = known.get(scenario)
  if (held === undefined) {
    const instead = scenario.later.map(({ at: _, ...rest }) => rest)
    held = [scenario, ...instead.map((_, i): Scenario => Object.assign({}, scenario, ...instead.slice(0, i + 1)))]
    known.set(scenario, held)
  }
  return held
}

/** What holds when so many turns of the scenario are behind: asked by whoever acts and by whoever explains. */
export function scenarioAtPhase(scenario: Scenario, turns: number): Scenario {
  return turns === 0 ? scenario : phasesOf(scenario)[turns]
}

/** Whether a policy can take the workers over from another midway: who hires them itself begins with none, and green threads are so many as there are stages. */
export function canFollow(from: Policy['kind'], to: Policy['kind']): boolean {
  return from !== 'greenThreads' && to !== 'greenThreads' && hires(from) === hires(to)
}

/** The turns without what they say of a key, where it is not wanted; one that has nothing else to say is left out. */
export function withoutKey(later: readonly Phase[], key: PhaseKey, unwanted: (turn: Phase) => boolean = () => true): Phase[] {
  return later.flatMap((turn) => {
    if (turn[key] === undefined || !unwanted(turn)) return [turn]
    const { [key]: _, ...rest } = turn
    return Object.keys(rest).length > 1 ? [rest] : []
  })
}
