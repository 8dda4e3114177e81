import type { ComponentProps } from 'react'
import { t } from '../../../language/translate.ts'
import { kindName, policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../../scenario/model/scenario.ts'

/** A choice, under the heading of its group if there are groups; a style sheet may show the line about it. */
export type SelectOption<T> = readonly [value: T, name: string, group?: string | undefined, about?: string | undefined]

interface Props<T> extends Omit<ComponentProps<'select'>, 'value'> {
  readonly value: T
  readonly options: readonly SelectOption<T>[]
  choose(value: NoInfer<T>): void
}

export function Select<T extends string | number>({ options, choose, ...others }: Props<T>) {
  const take = (text: string) => {
    for (const [value] of options) if (String(value) === text) choose(value)
  }
  return (
    <select {...others} onChange={({ target }) => take(target.value)}>
      {[...new Set(options.map(([, , group]) => group))].map((group) => {
        const listed = options
          .filter(([, , each]) => each === group)
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

/** Returns the policies by name, in their groups; `own` is that of the scenario; null if its name must stay hidden. `needed`: by a lesson, they come first. */
export const policyOptions = (
  own: Policy | null,
  needed: readonly PolicyKind[] = [],
): readonly SelectOption<PolicyKind>[] =>
  [{ title: () => t('In this lesson'), kinds: needed }, ...policyGroups].flatMap(({ title, kinds }) =>
    kinds
      .filter((kind) => kinds === needed || !needed.includes(kind))
      .map((kind) => [kind, own === null ? policies[kind].name() : kindName(kind, own), title()] as const),
  )
