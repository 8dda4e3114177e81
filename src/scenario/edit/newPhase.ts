import type { Micros, Scenario } from '../model/scenario.ts'
import { canFollow, scenarioAtPhase } from '../model/schedule.ts'
import { setPolicy } from './edits.ts'
import type { PhaseAt } from './faults.ts'

/**
 * Another policy from a time on, or a microsecond later where there is a turn already: Jefferson's, or, after it, the least total
 * time; of two controllers the other. Null where none can take over.
 */
export function newPhase(scenario: Scenario, time: Micros): PhaseAt | null {
  let at = Math.max(1, time)
  while (scenario.later.some((turn) => turn.at === at)) at++
  const { policy } = scenarioAtPhase(scenario, scenario.later.filter((turn) => turn.at < at).length)
  const kind = (['jefferson', 'leastScore', 'threshold', 'pid'] as const).find((each) => each !== policy.kind && canFollow(policy.kind, each))
  return kind === undefined ? null : { kind: 'turn', at, says: { policy: setPolicy(scenario, kind).policy } }
}
