import type { Stage } from '../../scenario/model/scenario.ts'
import { fields, numberCount, type StartCode, type StartedCode } from '../../scheduler/codePolicy.ts'

/** What a policy of a person's own sees: the same as code in the sandbox of the page. Times are in microseconds. */
export interface DecisionView {
  readonly workers: number
  readonly time: number
  readonly stages: readonly {
    readonly id: string
    readonly name: string
    readonly waiting: number
    /** The estimated mean service time. */
    readonly mean: number
    readonly busy: number
    /** The seats that the decision before gave. */
    readonly seats: number
    readonly done: boolean
    readonly capacity: number | null
    readonly finished: number
  }[]
  /** Belongs to the policy and lasts for the run. */
  readonly memory: Record<string, unknown>
  readonly random: () => number
}

/** Returns the seats of each stage, in the order of the stages: whole numbers, at most `workers` together. */
export type DecideSeats = (view: DecisionView) => readonly number[]

/** Returns what starts the policies in `known`, by their text. They run right here: they are the person's own, as the stages are. */
export function startFunctions(known: ReadonlyMap<string, DecideSeats>): StartCode {
  return ({ source, lend }, { stages }) => started(known.get(source) ?? (() => []), stages, lend)
}

const ANSWER = fields.perStage - 1

function started(decide: DecideSeats, stages: readonly Stage[], lends: boolean): StartedCode {
  const numbers = new Float64Array(numberCount(stages.length))
  const memory = {}
  const placeOf = (stage: number) => fields.ofStages + stage * fields.perStage
  const view = (): DecisionView => ({
    workers: numbers[fields.workers],
    time: numbers[fields.time],
    stages: stages.map(({ id, name, capacity }, stage) => {
      const [waiting, mean, busy, seats, done, finished] = numbers.subarray(placeOf(stage), placeOf(stage + 1))
      return { id, name, waiting, mean, busy, seats, done: done === 1, capacity, finished }
    }),
    memory,
    random: Math.random,
  })
  return {
    numbers,
    lends,
    decide() {
      try {
        const seats = decide(view())
        const problem = problemOf(seats, stages.length, numbers[fields.workers])
        if (problem === null) for (const [stage, count] of seats.entries()) numbers[placeOf(stage) + ANSWER] = count
        return problem
      } catch (error) {
        return `the policy threw an error: ${error instanceof Error ? error.message : String(error)}`
      }
    },
    describe: () => null,
  }
}

function problemOf(seats: unknown, stages: number, workers: number): string | null {
  if (!Array.isArray(seats) || seats.length !== stages) return `the policy must return a list of ${stages} numbers`
  if (!seats.every((count) => Number.isSafeInteger(count) && count >= 0))
    return 'the policy returned a number of seats that is not a whole number from 0 up'
  const sum = seats.reduce((total, count) => total + count, 0)
  return sum > workers ? `the policy returned ${sum} seats for ${workers} workers` : null
}
