import type { Micros, Scenario } from '../model/scenario.ts'
import { canFollow, scenarioAtPhase } from '../model/schedule.ts'
import { setPolicy } from './edits.ts'
import type { PhaseAt } from './faults.ts'

/**
 * Returns a phase with another policy at `time`, or a microsecond after an existing phase: Jefferson's or the least total time,
 * or the other controller. Returns null where no policy can take over.
 */
export function newPhase(scenario: Scenario, time: Micros): PhaseAt | null {
  let at = Math.max(1, time)
  while (scenario.later.some((phase) => phase.at === at)) at++
  const { policy } = scenarioAtPhase(scenario, scenario.later.filter((phase) => phase.at < at).length)
  const kind = (['jefferson', 'leastScore', 'threshold', 'pid'] as const).find((each) => each !== policy.kind && canFollow(policy.kind, each))
  return kind === undefined ? null : { kind: 'phase', at, values: { policy: setPolicy(scenario, kind).policy } }
}
