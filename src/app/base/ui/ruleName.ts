import type { RuleComparison } from '../../../measures/decisions/ruleComparison.ts'
import { policies } from '../../../scenario/model/policies.ts'

/** As in the list of policies; of the power family with its power. */
export function ruleName({ rule, power }: Pick<RuleComparison, 'rule' | 'power'>): string {
  return rule === 'power' ? `${policies.power.name()} ${power}` : policies[rule].name()
}
