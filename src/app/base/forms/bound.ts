import type { Scenario } from '../../../scenario/model/scenario.ts'

/** One value of the scenario that a field shows and changes. */
export interface Bound<T> {
  /** The path of its problems in `parse`. Quick changes at one path are one step of undo. */
  readonly path: string
  readonly value: T
  readonly change: (scenario: Scenario, value: T) => Scenario
  /** Rewrites a problem for a field that shows the value differently from the scenario. */
  readonly reword?: (message: string) => string
}

/** Returns a part of a bound object. */
export function inside<T extends object, K extends keyof T & string>({ path, value, change }: Bound<T>, key: K): Bound<T[K]> {
  return { path: `${path}.${key}`, value: value[key], change: (scenario, next) => change(scenario, { ...value, [key]: next }) }
}

/** Returns an item of a bound list. */
export function itemOf<T>({ path, value, change }: Bound<readonly T[]>, index: number): Bound<T> {
  return {
    path: `${path}[${index}]`,
    value: value[index],
    change: (scenario, next) =>
      change(
        scenario,
        value.map((each, k) => (k === index ? next : each)),
      ),
  }
}

/** Returns the same value as a field shows it: whether there is a bound, the kind of an object, a number from 1. */
export function shownAs<T, S>({ path, value, change }: Bound<T>, show: (value: T) => S, meant: (shown: S) => T): Bound<S> {
  return { path, value: show(value), change: (scenario, shown) => change(scenario, meant(shown)) }
}

export const kindOf = <K>({ kind }: { readonly kind: K }): K => kind

/** Returns the edit that removes an item of a list. */
export function withoutItem<T>({ value, change }: Bound<readonly T[]>, k: number): (scenario: Scenario) => Scenario {
  const rest = value.filter((_, i) => i !== k)
  return (scenario) => change(scenario, rest)
}
