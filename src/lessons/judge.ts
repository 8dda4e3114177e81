import type { Scenario } from '../scenario/model/scenario.ts'
import type { Evidence } from './evidence.ts'
import type { Lesson, LessonQuestion, LessonStep } from './lesson.ts'

/** How far somebody has come: what was said before each step's task (a number, or the place of a choice), and what was then measured. */
export interface Progress {
  readonly said: readonly (number | null)[]
  /** One for each step that is reached, in order. */
  readonly was: readonly number[]
}

export const noProgress: Progress = { said: [], was: [] }

/** Whether the goal of step k is reached: nothing counts before its question is answered. */
export function judged(step: LessonStep, k: number, { said }: Progress, evidence: Evidence): number | null {
  if (step.question !== undefined && (said[k] ?? null) === null) return null
  return step.judge(evidence)
}

/** Whether what was said is what was measured. */
export function isRight(question: LessonQuestion, said: number, was: number): boolean {
  if ('choices' in question) return question.choices[said]?.fits(was) ?? false
  return Math.abs(said - was) <= question.within
}

/** What is on the canvas when step k begins, if all before it was done as it is told. */
export function scenarioAt({ begins, steps }: Lesson, k: number): Scenario {
  return steps.slice(0, k).reduce((scenario, { way }) => way.edit?.(scenario) ?? scenario, begins())
}
