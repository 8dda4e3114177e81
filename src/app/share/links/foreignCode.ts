import { t } from '../../../language/translate.ts'
import { branchOf } from '../../../scenario/edit/branches.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { needsCode } from '../../../scheduler/codePolicy.ts'

/** Whether a scenario or one of its branches has a policy that somebody wrote as code. */
export function holdsCode(scenario: Scenario): boolean {
  return needsCode(scenario) || scenario.branches.some((_, k) => needsCode(branchOf(scenario, k)))
}

/** Returns the status line after a link with such a policy was opened. */
export function foreignCodeNotice(): string {
  return t('This link contains a policy written by its author; it runs in a sandbox.')
}

/** What such a link may not ask for: its code runs only after Run is pressed. */
export const withoutRun = { at: null, decision: null, range: null, run: null } as const
