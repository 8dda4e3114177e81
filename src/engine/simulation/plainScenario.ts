import { isDivisorRule } from '../../allocation/rules.ts'
import { looksAhead } from '../../pipeline/outlook.ts'
import { isLinear } from '../../scenario/model/linearStages.ts'
import type { Scenario, Stage } from '../../scenario/model/scenario.ts'

/** Whether a scenario has no special feature: FIFO queues in a line, one job at a time, and workers that come to stay. */
export function isPlain(scenario: Scenario): boolean {
  const { policy, stages, batch, order, workers, cores } = scenario
  return (
    isDivisorRule(policy.kind) &&
    !looksAhead(policy) &&
    isLinear(scenario) &&
    stages.every(isPlainStage) &&
    batch.size === 1 &&
    batch.inHand === 1 &&
    order.kind === 'none' &&
    scenario.workerEvents.length === 0 &&
    scenario.later.length === 0 &&
    scenario.switchCost === 0 &&
    scenario.groupSwitchCost === 0 &&
    scenario.network === null &&
    (workers <= cores || stages.every(({ work }) => work === 'wait'))
  )
}

function isPlainStage({ discipline, capacity, resource, fails }: Stage): boolean {
  return discipline === 'fifo' && capacity === null && resource === null && fails === null
}
