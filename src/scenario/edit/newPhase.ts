import type { Micros, Scenario } from '../model/scenario.ts'
import { afterTurns, canFollow } from '../model/schedule.ts'
import { setPolicy } from './edits.ts'
import type { TurnAt } from './faults.ts'

/**
 * Another policy from a time on, or a microsecond later where there is a turn already: Jefferson's, or, after it, the least total
 * time; of two controllers the other. Null where none can take over.
 */
export function freshTurn(scenario: Scenario, time: Micros): TurnAt | null {
  let at = Math.max(1, time)
  while (scenario.later.some((turn) => turn.at === at)) at++
  const { policy } = afterTurns(scenario, scenario.later.filter((turn) => turn.at < at).length)
  const kind = (['jefferson', 'leastScore', 'threshold', 'pid'] as const).find((each) => each !== policy.kind && canFollow(policy.kind, each))
  return kind === undefined ? null : { kind: 'turn', at, says: { policy: setPolicy(scenario, kind).policy } }
}
