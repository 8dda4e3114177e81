import type { ReactNode } from 'react'
import { type Bound, shownAs } from '../../base/forms/bound.ts'
import { CheckField } from '../../base/forms/fields.tsx'

interface Props<T> {
  readonly label: string
  readonly of: Bound<T>
  /** The value when the box is checked, and when it is not. */
  readonly start: NoInfer<NonNullable<T>>
  readonly none: NoInfer<T>
  readonly children: (bound: Bound<NonNullable<T>>) => ReactNode
}

/** A check box that sets a value or removes it, and the fields of the value while there is one. */
export function Optional<T>({ label, of, start, none, children }: Props<T>) {
  const isSet = of.value !== none
  const box = shownAs(
    of,
    () => isSet,
    (on) => (on ? start : none),
  )
  return (
    <>
      <CheckField label={label} {...box} />
      {isSet && children({ ...of, value: of.value as NonNullable<T> })}
    </>
  )
}
