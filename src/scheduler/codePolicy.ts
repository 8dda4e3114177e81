import type { Ballot } from '../allocation/ballot.ts'
import { msg } from '../language/msg.ts'
import { t, tStored } from '../language/translate.ts'
import type { Counts } from '../pipeline/counts.ts'
import type { CodePolicy, Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf } from '../scenario/model/schedule.ts'

/** A policy in the user's own code during a run. The scheduler and the code exchange `numbers`. */
export interface StartedCode {
  /** See `fields`. The scheduler writes what the policy sees; the code writes the seats. */
  readonly numbers: Float64Array
  /** Whether idle workers may help other stages, as far as the code decides that. */
  readonly lends: boolean
  /** Decides. Returns null, or a problem in English for the record. */
  decide(): string | null
  /** Returns the explanation that the code gives for its last decision. This may change the memory, so no decision may follow. */
  describe(workers: number): CodeExplanation | null
}

/** The explanation that the code gives for a decision, or the problem of the explanation. */
export type CodeExplanation = { readonly text: string } | { readonly problem: string }

/** Starts the code of a policy, with an empty memory. */
export type StartCode = (policy: CodePolicy, scenario: Scenario) => StartedCode

/** The places of the numbers: first those of the whole, then those of each stage in listing order. */
export const fields = { workers: 0, time: 1, ofStages: 2, perStage: 7 } as const
const places = { waiting: 0, mean: 1, busy: 2, seats: 3, done: 4, finished: 5, answer: 6 } as const

export function numberCount(stages: number): number {
  return fields.ofStages + stages * fields.perStage
}

/** Whether the code of a policy is needed to play a scenario. */
export function needsCode(scenario: Scenario): boolean {
  return phasesOf(scenario).some(({ policy }) => policy.kind === 'code')
}

/** Used where code cannot run: every decision fails with a message. */
export const withoutCode: StartCode = (_, { stages }) => ({
  numbers: new Float64Array(numberCount(stages.length)),
  lends: true,
  decide: () => msg('the code of the policy cannot run here'),
  describe: () => null,
})

/** The view that code gets for one decision, by stage in listing order. */
export interface CodeView {
  readonly workers: number
  readonly time: Micros
  readonly stages: readonly {
    readonly waiting: number
    readonly mean: Micros
    readonly busy: number
    readonly seatsBefore: number
    readonly done: boolean
    /** How many services have ended. */
    readonly measured: number
  }[]
}

/** Returns code that only records: `onView` gets the view of the first decision, and the run ends there. */
export function recordFirstView(onView: (view: CodeView) => void): StartCode {
  return (_, { stages }) => {
    const numbers = new Float64Array(numberCount(stages.length))
    const decide = () => {
      onView(viewIn(numbers, stages.length))
      return 'overheard'
    }
    return { numbers, lends: true, decide, describe: () => null }
  }
}

function viewIn(numbers: Float64Array, stages: number): CodeView {
  const seen = Array.from({ length: stages }, (_, stage) => {
    const [waiting, mean, busy, seatsBefore, done, measured] = numbers.subarray(placeOf(stage), placeOf(stage + 1))
    return { waiting, mean, busy, seatsBefore, done: done === 1, measured }
  })
  return { workers: numbers[fields.workers], time: numbers[fields.time], stages: seen }
}

/** Runs the code for one decision, outside any run. Returns the seats by stage, or a problem. */
export function askCodeOnce({ workers, time, stages }: CodeView, code: StartedCode): readonly number[] | string {
  const { numbers } = code
  numbers[fields.workers] = workers
  numbers[fields.time] = time
  stages.forEach(({ waiting, mean, busy, seatsBefore, done, measured }, stage) => {
    numbers.set([waiting, mean, busy, seatsBefore, done ? 1 : 0, measured], placeOf(stage))
  })
  return code.decide() ?? stages.map((_, stage) => numbers[placeOf(stage) + places.answer])
}

/** The input of the code. Seats and ballot are in tie order. */
interface Asking {
  readonly ballot: Ballot
  readonly stageOf: Int16Array
  readonly state: { readonly counts: Pick<Counts, 'busy' | 'finished'> }
}

/** Asks the code for the seats. Returns null, or a problem, and then leaves the seats unchanged. */
export function askCode(
  { ballot, stageOf, state }: Asking,
  code: StartedCode,
  seats: Int32Array,
  time: Micros,
): string | null {
  const { numbers } = code
  const { counts } = state
  numbers[fields.workers] = ballot.workers
  numbers[fields.time] = time
  stageOf.forEach((stage, k) => {
    const at = placeOf(stage)
    numbers[at + places.waiting] = ballot.waiting[k]
    numbers[at + places.mean] = ballot.means[k]
    numbers[at + places.busy] = counts.busy[stage]
    numbers[at + places.seats] = seats[k]
    numbers[at + places.done] = 1 - ballot.eligible[k]
    numbers[at + places.finished] = counts.finished[stage]
  })
  const problem = code.decide()
  if (problem === null) for (const [k, stage] of stageOf.entries()) seats[k] = numbers[placeOf(stage) + places.answer]
  return problem
}

function placeOf(stage: number): number {
  return fields.ofStages + stage * fields.perStage
}

const lineIn = /^([^:]*: )line (\d+)/

/** Returns the line of the code that a problem names; 0 if it names none. */
export function lineOfProblem(problem: string): number {
  return Number(lineIn.exec(problem)?.[2] ?? 0)
}

/** Translates why a run failed, with the line of the code if it names one. */
export function translatedReason(reason: string): string {
  return tStored(reason).replace(lineIn, (_, what: string, n: string) => what + t('line {n}', { n: Number(n) }))
}
