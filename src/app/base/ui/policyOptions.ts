import { kindName, policyGroups } from '../../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../../scenario/model/scenario.ts'
import type { SelectOption } from '../controls/Select.tsx'

/** Returns the policies by name, in their groups; `own` is that of the scenario. */
export const policyOptions = (own: Policy): readonly SelectOption<PolicyKind>[] =>
  policyGroups.flatMap(({ title, kinds }) => kinds.map((kind) => [kind, kindName(kind, own), title()] as const))
