import { kindName, policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../../scenario/model/scenario.ts'
import type { SelectOption } from '../controls/Select.tsx'

/** Returns the policies by name, in their groups; `own` is that of the scenario; null: its name is not told. */
export const policyOptions = (own: Policy | null): readonly SelectOption<PolicyKind>[] =>
  policyGroups.flatMap(({ title, kinds }) => kinds.map((kind) => [kind, own === null ? policies[kind].name() : kindName(kind, own), title()] as const))
