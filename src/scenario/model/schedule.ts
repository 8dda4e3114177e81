import { hires } from './defaults.ts'
import type { Phase, PhaseKey, Policy, Scenario } from './scenario.ts'

/** Computed once for each scenario, so that equal phases are the same object. */
const known = new WeakMap<Scenario, readonly Scenario[]>()

/** Returns the scenario as it holds from the start, and after each of its phases begins. */
export function phasesOf(scenario: Scenario): readonly Scenario[] {
  let held = known.get(scenario)
  if (held === undefined) {
    const instead = scenario.later.map(({ at: _, ...rest }) => rest)
    held = [scenario, ...instead.map((_, i): Scenario => Object.assign({}, scenario, ...instead.slice(0, i + 1)))]
    known.set(scenario, held)
  }
  return held
}

/** Returns the scenario with the values that hold after this number of phases has begun. */
export function scenarioAtPhase(scenario: Scenario, startedPhases: number): Scenario {
  return startedPhases === 0 ? scenario : phasesOf(scenario)[startedPhases]
}

/** Whether one policy can follow another during a run. An elastic one starts without workers. */
export function canFollow(from: Policy['kind'], to: Policy['kind']): boolean {
  return hires(from) === hires(to)
}

/** Removes a key from the phases where `unwanted` is true, and phases that then change nothing. */
export function withoutKey(
  later: readonly Phase[],
  key: PhaseKey,
  unwanted: (phase: Phase) => boolean = () => true,
): Phase[] {
  return later.flatMap((phase) => {
    if (phase[key] === undefined || !unwanted(phase)) return [phase]
    const { [key]: _, ...rest } = phase
    return Object.keys(rest).length > 1 ? [rest] : []
  })
}
