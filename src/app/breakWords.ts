import type { Condition } from '../measures/breakpoints.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { counted } from '../scenario/words.ts'
import { count } from '../views/format.ts'
import { ruleName } from './ruleName.ts'

/** A condition, as short as it goes. */
export function chipText(condition: Condition, { stages }: Scenario): string {
  const at = (stage: number | null) => (stage !== null && stage < stages.length ? stages[stage].name : 'any stage')
  switch (condition.kind) {
    case 'deserted':
      return `${at(condition.stage)} loses its last worker`
    case 'queue':
      return `more than ${count(condition.above)} wait at ${at(condition.stage)}`
    case 'disagree':
      return `${ruleName(condition)} would differ`
    case 'moves':
      return `${counted(condition.times, 'move')} in 1 s`
  }
}
