import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import type { Evidence, FinishedRun } from './evidence.ts'

/** A lesson of some minutes, as data. Every text is a function, since the language may change while it is read. */
export interface Lesson {
  /** Its name in the address: `?lesson=bottleneck`. */
  readonly key: string
  title(): string
  /** The question it answers, in one sentence. */
  about(): string
  /** The scenario on the canvas at the first step. */
  initialScenario(): Scenario
  readonly steps: readonly Step[]
  /** A summary, and where the idea was first published. */
  closing(): string
}

/** One idea: the person reads, predicts perhaps, does something and sees the result. */
export interface Step {
  text(): string
  /** What to do. */
  task(): string
  /** How to do it. */
  hint(): string
  /** To be answered before the task is shown. */
  readonly question?: LessonQuestion
  /** One way to do it. The page does it on request, and the next step begins from its result. */
  readonly solution: StepSolution
  /** Returns the number that the step is about, in the unit of its question; null until its goal is reached. */
  measure(evidence: Evidence): number | null
  /** Returns the text of the result, from the number measured at this step and those of the steps before. */
  conclusion(measured: number, earlier: readonly number[]): string
}

export interface StepSolution {
  edit?(scenario: Scenario): Scenario
  /** Returns where to put the playhead; left out where that does not matter. */
  at?(run: FinishedRun): Micros
}

/** Asks for a prediction: one of several choices, or a number. */
export type LessonQuestion = ChoiceQuestion | NumberQuestion

export interface ChoiceQuestion {
  ask(): string
  /** Exactly one of them fits the measured number. */
  readonly choices: readonly AnswerChoice[]
}

export interface AnswerChoice {
  text(): string
  fits(measured: number): boolean
}

export interface NumberQuestion {
  ask(): string
  /** The unit of the number. */
  unit(): string
  /** How far a right answer may be from the measured number. */
  readonly within: number
}
