import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import type { SelectOption } from '../controls/Select.tsx'

/** Returns the policies by name, in their groups. */
export const policyOptions = (): readonly SelectOption<PolicyKind>[] =>
  policyGroups.flatMap(({ title, kinds }) => kinds.map((kind) => [kind, policies[kind].name(), title()] as const))
