import type { ComponentProps } from 'react'

/** A choice, under the heading of its group if there are groups. */
export type SelectOption<T> = readonly [value: T, name: string, group?: string]

interface Props<T> extends Omit<ComponentProps<'select'>, 'value'> {
  readonly value: T
  readonly options: readonly SelectOption<T>[]
  choose(value: NoInfer<T>): void
}

/** A list from which one value is chosen. */
export function Select<T extends string | number>({ options, choose, ...others }: Props<T>) {
  const take = (text: string) => {
    for (const [value] of options) if (String(value) === text) choose(value)
  }
  return (
    <select {...others} onChange={({ target }) => take(target.value)}>
      {[...new Set(options.map(([, , group]) => group))].map((group) => {
        const listed = options
          .filter(([, , each]) => each === group)
          .map(([value, name]) => (
            <option key={value} value={value}>
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
