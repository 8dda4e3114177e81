import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { type PlainKey, setOptions, setStage } from '../../../scenario/edit/edits.ts'
import type { Problem, Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { type FormTarget, useFormTarget } from './formTarget.ts'
import type { Read } from './typedText.ts'

/** One value of the scenario that a field shows and changes. */
export interface Bound<T> {
  /** The path of its problems in `parse`. Quick changes at one path are one step of undo. */
  readonly path: string
  readonly value: T
  readonly change: (scenario: Scenario, value: T) => Scenario
  /** Rewrites a problem for a field that shows the value differently from the scenario. */
  readonly reword?: (message: string) => string
}

export function inside<T extends object, K extends keyof T & string>(
  { path, value, change }: Bound<T>,
  key: K,
): Bound<T[K]> {
  return {
    path: `${path}.${key}`,
    value: value[key],
    change: (scenario, next) => change(scenario, { ...value, [key]: next }),
  }
}

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

/** Returns the same value as a field shows it: whether there is a bound, the kind of an object, a one-based number. */
export function shownAs<T, S>(
  { path, value, change }: Bound<T>,
  show: (value: T) => S,
  meant: (shown: S) => T,
): Bound<S> {
  return { path, value: show(value), change: (scenario, shown) => change(scenario, meant(shown)) }
}

export const kindOf = <K>({ kind }: { readonly kind: K }): K => kind

export function withoutItem<T>({ value, change }: Bound<readonly T[]>, k: number): (scenario: Scenario) => Scenario {
  return (scenario) =>
    change(
      scenario,
      value.filter((_, i) => i !== k),
    )
}

export function settingOf<K extends PlainKey>(scenario: Scenario, key: K): Bound<Scenario[K]> {
  return { path: key, value: scenario[key], change: (before, value) => setOptions(before, { [key]: value }) }
}

export function stageBound<K extends Exclude<keyof Stage, 'id'>>(stage: Stage, index: number, key: K): Bound<Stage[K]> {
  return {
    path: `stages[${index}].${key}`,
    value: stage[key],
    change: (before, value) => setStage(before, stage.id, { [key]: value }),
  }
}

interface Draft {
  readonly text: string
  /** The value that the text was typed for. When the value changes, by undo for example, the text is out of date. */
  readonly standsFor: string
  readonly message: string | null
}

/**
 * Returns what is typed in a field. A text that makes a valid scenario changes it at once. Any other stays in the field with its problem,
 * and is reported to the page when the field is left.
 */
export function useDraft<T>(
  { path, value, change, reword = (message) => message }: Bound<T>,
  read: (text: string) => Read<T>,
  write: (value: T) => string,
) {
  const target = useFormTarget()
  const [draft, setDraft] = useState<Draft | null>(null)
  const written = write(value)
  const current = draft !== null && draft.standsFor === written ? draft : null
  const message = current?.message ?? null

  function type(text: string): void {
    const result = read(text)
    const problem =
      'message' in result ? result.message : tryEdit(target, (scenario) => change(scenario, result.value), path)
    const message = problem === null ? null : reword(problem)
    const standsFor = message === null && 'value' in result ? write(result.value) : written
    setDraft({ text, standsFor, message })
  }

  function leave(): void {
    if (current === null) return
    if (message === null) setDraft(null)
    else target.refuse([{ path, message }])
  }

  return { text: current?.text ?? written, message, type, leave, reset: () => setDraft(null) }
}

/** Tries an edit. Returns why it was refused, or null. */
export function tryEdit({ edit }: FormTarget, change: (scenario: Scenario) => Scenario, path: string): string | null {
  const problems = edit(change, path)
  return problems.length === 0 ? null : messageFor(problems, path)
}

/**
 * Returns the problem at a path or below it, else any problem: the edit of this one value has caused it. If it is at a stage and the
 * value is not, the text names the stage.
 */
export function messageFor(problems: readonly Problem[], path: string): string {
  const here =
    problems.find((problem) => problem.path === path) ??
    problems.find((problem) => problem.path.startsWith(path)) ??
    problems[0]
  if (here === undefined) return ''
  return here.stage === undefined || path.startsWith('stages')
    ? here.message
    : t('Stage {stage}: {message}', { stage: here.stage, message: here.message })
}
