import { createContext, useContext } from 'react'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'

/** What the fields of a form change. */
export interface FormTarget {
  /** Changes the scenario. Returns the problems of the result; then nothing has changed. */
  readonly edit: (change: (scenario: Scenario) => Scenario, merge: string) => readonly Problem[]
  readonly refuse: (problems: readonly Problem[]) => void
}

export const FormTargetContext = createContext<FormTarget | null>(null)

/** Returns what the fields change. Throws an Error outside of a `<FormTargetContext>`. */
export function useFormTarget(): FormTarget {
  const target = useContext(FormTargetContext)
  if (target === null) throw new Error('A field stands outside of <FormTargetContext>.')
  return target
}
