import { t, type Values } from '../../../language/translate.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { presetOf } from '../../../scenario/presets/presets.ts'
import type { Evidence, FinishedRun } from './evidence.ts'

/** A lesson of some minutes, as data. Its texts are message keys; the page translates them. */
export interface Lesson {
  /** Its name in the address: `?lesson=bottleneck`. */
  readonly key: string
  readonly title: string
  /** The question it answers, in one sentence. */
  readonly about: string
  /** Only runs on the devices of a room count. In other lessons only simulations count, since they are the same for everyone. */
  readonly inRoom?: true
  /** Only runs on Web Workers count. */
  readonly onThreads?: true
  /** Returns the scenario of the first step; its title is that of the lesson. */
  initialScenario(): Scenario
  readonly steps: readonly Step[]
  /** Where the idea was first published. */
  readonly source?: string
}

/** A message, or a function that fills one with values. */
type LessonText = string | (() => string)

/** Returns a text of a lesson in the current language. */
export function lessonText(text: LessonText): string {
  return typeof text === 'string' ? t(text) : text()
}

/** One idea: the person reads, may predict, does something and sees the result. */
export interface Step {
  /** Left out where the task says all. */
  readonly text?: string
  readonly task: LessonText
  readonly hint?: LessonText
  /** Its text asks; it must be answered before the task is shown. */
  readonly question?: LessonQuestion
  /** Only other people can do it, so the page cannot do the step for the user. */
  readonly byOthers?: true
  /** One way to do it; left out: it is enough to press Run. The page does it on request, and the next step begins from its result. */
  readonly solution?: StepSolution
  /** Returns the number that the step is about, in the unit of its question; null until its goal is reached. */
  measure(evidence: Evidence): number | null
  /** The result, in which {was} is the number measured. */
  readonly conclusion: string
  /** Returns the other values of the conclusion. */
  values?(was: number): Values
}

interface StepSolution {
  edit?(scenario: Scenario): Scenario
  /** Returns where to put the playhead; left out where that does not matter. */
  at?(run: FinishedRun): Micros
}

/** The answers to a question: choices, exactly one of which fits the measured number, or a number. */
export type LessonQuestion =
  | { readonly choices: readonly Choice[] }
  /** The unit of the number, and how far a right answer may be from the measured one. */
  | { readonly unit: string; readonly within: number }

interface Choice {
  text(): string
  fits(measured: number): boolean
}

/** Returns a question with choices, each a text and which measured numbers it fits. */
export function choiceOf(...choices: readonly (readonly [text: string, fits: Choice['fits']])[]): LessonQuestion {
  return { choices: choices.map(([text, fits]) => ({ text: () => t(text), fits })) }
}

/** Returns a question whose choices are the ranges between these bounds; the message `unit` shows a bound. */
export function rangeChoices(unit: string, ...bounds: readonly number[]): LessonQuestion {
  const textOf = (n: number) => t(unit, { n })
  const between = bounds.slice(1).map(
    (to, i): Choice => ({
      text: () => t('{from} to {to}', { from: textOf(bounds[i]), to: textOf(to) }),
      fits: (measured) => measured >= bounds[i] && measured < to,
    }),
  )
  const last = bounds[bounds.length - 1]
  return {
    choices: [
      { text: () => t('Less than {n}', { n: textOf(bounds[0]) }), fits: (measured) => measured < bounds[0] },
      ...between,
      { text: () => t('{n} or more', { n: textOf(last) }), fits: (measured) => measured >= last },
    ],
  }
}

/** Returns a question whose choices are these numbers; the message `unit` shows one. */
export function numberChoices(unit: string, ...numbers: readonly number[]): LessonQuestion {
  return { choices: numbers.map((n) => ({ text: () => t(unit, { n }), fits: (measured) => measured === n })) }
}

/** Returns the scenario of a preset, with these names of its stages. */
export function presetScenario(key: string, ...names: readonly string[]): Scenario {
  const preset = presetOf(key)
  if (preset === undefined) throw new RangeError(`There is no preset ${key}.`)
  const { scenario } = preset
  return { ...scenario, stages: scenario.stages.map((stage, s) => ({ ...stage, name: names[s] ?? stage.name })) }
}

/** What the first step of a lesson asks for. */
export const pressRun = { task: 'Press Run.' } as const

/** Returns the task to set these fields and to press Run. A field and its value are messages of the page; `n` is the number in the value. */
export function setAndRun(...fields: readonly (readonly [field: string, value: string, n?: number])[]) {
  return () => {
    const settings = fields.map(([field, value, n = 0]) =>
      t('{field} to {value}', { field: t(field), value: t(value, { n }) }),
    )
    return t('Set {settings}, and press Run.', { settings: settings.join(', ') })
  }
}

/** Returns the task to look at an instant, in seconds. */
export function moveTo(n: number) {
  return () => t('Move the playhead to {time}.', { time: t('{n} s', { n }) })
}

/** Returns a hint with a number; the message `value` shows it. */
export function tryValue(value: string, n: number) {
  return () => t('Try {value}.', { value: t(value, { n }) })
}

/** The progress in a lesson. Browsers keep it under these names, so they must not change. */
export interface Progress {
  /** The answer of each step: a number, or the index of a choice. */
  readonly said: readonly (number | null)[]
  readonly was: readonly number[]
}

export const noProgress: Progress = { said: [], was: [] }

/** Returns the number that step `k` measures; null if its goal is not reached or its question not answered. */
export function stepResult(step: Step, k: number, { said }: Progress, evidence: Evidence): number | null {
  if (step.question !== undefined && (said[k] ?? null) === null) return null
  return step.measure(evidence)
}

/** Returns whether an answer fits the measured number. */
export function isRight(question: LessonQuestion, answer: number, measured: number): boolean {
  if ('choices' in question) return question.choices[answer]?.fits(measured) ?? false
  return Math.abs(answer - measured) <= question.within
}

/** Returns the result of a step as a text, from its measured number. */
export function conclusionOf({ conclusion, values }: Step, was: number): string {
  return t(conclusion, { was, ...values?.(was) })
}

/** Returns the scenario at the start of step `k`, after the solutions of the steps before. */
export function scenarioOfStep({ title, initialScenario, steps }: Lesson, k: number): Scenario {
  const start = { ...initialScenario(), title: t(title) }
  return steps.slice(0, k).reduce((scenario, { solution }) => solution?.edit?.(scenario) ?? scenario, start)
}
