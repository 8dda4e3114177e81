import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Evidence } from './evidence.ts'
import type { Lesson, LessonQuestion, Step } from './lesson.ts'

/** How far a person has come in a lesson. It is kept in the browser under these names, so they must not change. */
export interface Progress {
  /** The answer of each step: a number, or the index of a choice. */
  readonly said: readonly (number | null)[]
  /** The number measured at each finished step. */
  readonly was: readonly number[]
}

export const noProgress: Progress = { said: [], was: [] }

/** Returns the number that step `k` measures; null if its goal is not reached or its question not answered. */
export function stepResult(step: Step, k: number, { said }: Progress, evidence: Evidence): number | null {
  if (step.question !== undefined && (said[k] ?? null) === null) return null
  return step.measure(evidence)
}

/** Whether an answer fits the measured number. */
export function isRight(question: LessonQuestion, answer: number, measured: number): boolean {
  if ('choices' in question) return question.choices[answer]?.[1](measured) ?? false
  return Math.abs(answer - measured) <= question.within
}

/** Returns the result of a step in words, from the number measured there. */
export function conclusionOf({ conclusion, values }: Step, was: number): string {
  return t(conclusion, { was, ...values?.(was) })
}

/** Returns the scenario at the start of step `k`, after the solutions of the steps before. */
export function scenarioOfStep({ initialScenario: begins, steps }: Lesson, k: number): Scenario {
  return steps.slice(0, k).reduce((scenario, { solution: way }) => way?.edit?.(scenario) ?? scenario, begins())
}
