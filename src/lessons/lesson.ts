import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import type { Evidence, Played } from './evidence.ts'

/** What is to be learnt in some minutes, as data. Every text is a function, since the language may change while it is read. */
export interface Lesson {
  /** In the address: `?lesson=bottleneck`. */
  readonly key: string
  title(): string
  /** The question it answers, in one sentence. */
  about(): string
  /** What is on the canvas at the first step. */
  begins(): Scenario
  readonly steps: readonly LessonStep[]
  /** What one has seen, and where it was published first. */
  closing(): string
}

/** One idea: read, perhaps predict, do, see. */
export interface LessonStep {
  text(): string
  /** What is to be done. */
  task(): string
  /** How, for those who do not find it. */
  hint(): string
  /** Answered before the task is told. */
  readonly question?: LessonQuestion
  /** One way to do it: done for those who ask for it, and the state from which the next step begins. */
  readonly way: WayThrough
  /** What the step is about, measured: in the unit of its question, if it has one. Null as long as its goal is not reached. */
  judge(evidence: Evidence): number | null
  /** What was to be seen, from what was measured at this step and at those before it. */
  seen(was: number, earlier: readonly number[]): string
}

export interface WayThrough {
  edit?(scenario: Scenario): Scenario
  /** Where the playhead is to stand; else it does not matter. */
  at?(run: Played): Micros
}

/** What will be measured? To be chosen, or given as a number. */
export type LessonQuestion = ChoiceQuestion | NumberQuestion

export interface ChoiceQuestion {
  ask(): string
  /** Exactly one of them fits what is measured. */
  readonly choices: readonly AnswerChoice[]
}

export interface AnswerChoice {
  text(): string
  fits(was: number): boolean
}

export interface NumberQuestion {
  ask(): string
  /** What stands behind the number. */
  unit(): string
  /** How far off the truth one may be and still be right. */
  readonly within: number
}
