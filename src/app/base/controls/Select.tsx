import type { ComponentProps } from 'react'
import { t } from '../../../language/translate.ts'
import { type Method, menuKinds, menuName, methodKinds, methods } from '../../../scenario/model/methods.ts'
import { kindName, policyGroups } from '../../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../../scenario/model/scenario.ts'

/** A choice, under the heading of its group if there are groups; a style sheet may show the line about it. */
export type SelectOption<T> = readonly [value: T, name: string, group?: string | undefined, about?: string | undefined]

interface Props<T> extends Omit<ComponentProps<'select'>, 'value'> {
  readonly value: T
  readonly options: readonly SelectOption<T>[]
  choose(value: NoInfer<T>): void
}

export function Select<T extends string | number>({ options, choose, ...others }: Props<T>) {
  const chooseText = (text: string) => {
    for (const [value] of options) if (String(value) === text) choose(value)
  }
  return (
    <select {...others} onChange={({ target }) => chooseText(target.value)}>
      {[...new Set(options.map(([, , group]) => group))].map((group) => {
        const listed = options
          .filter(([, , ofOption]) => ofOption === group)
          .map(([value, name, , about]) => (
            <option key={value} value={value} data-about={about}>
              {name}
            </option>
          ))
        return group === undefined ? (
          listed
        ) : (
          <optgroup key={group} label={group}>
            {listed}
          </optgroup>
        )
      })}
    </select>
  )
}

/** The choice of an apportionment method, for the policy that is one. */
export const methodOptions = (): readonly SelectOption<Method>[] =>
  methodKinds.map((kind) => [kind, methods[kind].name(), undefined, methods[kind].about()])

/** Returns the policies of a menu by name, in their groups; `own` is that of the scenario. `needed`: by a lesson, they come first. `chosen`: in this menu. */
export const policyOptions = (
  current: Policy,
  needed: readonly PolicyKind[] = [],
  chosen: PolicyKind = current.kind,
): readonly SelectOption<PolicyKind>[] =>
  [{ title: () => t('In this lesson'), kinds: needed }, ...policyGroups].flatMap(({ title, kinds }) =>
    kinds === needed
      ? kinds.map((kind) => [kind, kindName(kind, current), title()] as const)
      : menuKinds(
          kinds.filter((kind) => !needed.includes(kind)),
          chosen,
        ).map((kind) => [kind, menuName(kind, kindName(kind, current)), title()] as const),
  )
