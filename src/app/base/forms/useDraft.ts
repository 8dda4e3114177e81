import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import type { Bound } from './bound.ts'
import type { Read } from './durationText.ts'
import { type FormTarget, useFormTarget } from './formTarget.ts'

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
export function useDraft<T>({ path, value, change, reword = (message) => message }: Bound<T>, read: (text: string) => Read<T>, write: (value: T) => string) {
  const target = useFormTarget()
  const [draft, setDraft] = useState<Draft | null>(null)
  const written = write(value)
  const current = draft !== null && draft.standsFor === written ? draft : null
  const message = current?.message ?? null

  function type(text: string): void {
    const result = read(text)
    const problem = 'message' in result ? result.message : tryEdit(target, (scenario) => change(scenario, result.value), path)
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
 * Returns the problem at a path, below it, or any other: an edit of one value is refused only because of it. If it is at a stage and the
 * value is not, the text names the stage.
 */
export function messageFor(problems: readonly Problem[], path: string): string {
  const here = problems.find((problem) => problem.path === path) ?? problems.find((problem) => problem.path.startsWith(path)) ?? problems[0]
  if (here === undefined) return ''
  return here.stage === undefined || path.startsWith('stages') ? here.message : t('Stage {stage}: {message}', { stage: here.stage, message: here.message })
}
