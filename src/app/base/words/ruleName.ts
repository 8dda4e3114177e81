import type { RuleComparison } from '../../../measures/decisions/ruleComparison.ts'
import { policies } from '../../../scenario/model/policies.ts'

/** Returns the name of a rule as in the list of policies, with the exponent of `power`. */
export function ruleName({ rule, power }: Pick<RuleComparison, 'rule' | 'power'>): string {
  return rule === 'power' ? `${policies.power.name()} ${power}` : policies[rule].name()
}
