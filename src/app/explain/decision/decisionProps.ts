import type { Decision } from '../../../measures/decisions/decision.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'

/** What each part of the panel is given: a decision, and the scenario that it is about. */
export interface DecisionProps {
  readonly scenario: Scenario
  readonly decision: Decision
}
