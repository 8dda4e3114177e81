import { createEstimates, type EstimateKind, type EstimatePrior, estimateInto, observe } from './allocation/estimate.ts'
import type { LoadCode } from './engine/engine.ts'
import { playSimulation as play, type Summary, summarise } from './runs/play/play.ts'
import { isElastic } from './scenario/model/defaults.ts'
import type { EngineName } from './scenario/model/engines.ts'
import { oneOf, refuse } from './scenario/model/optionChecks.ts'
import { policyKinds, startingParams } from './scenario/model/policies.ts'
import type { Micros, Scenario } from './scenario/model/scenario.ts'
import { problemsText } from './scenario/model/words.ts'
import { parse } from './scenario/parse/parse.ts'
import { requireObject, type SeatingPolicy, type SeatingView, seatsUnder } from './scheduler/seatsUnder.ts'
import { writeTraceJson } from './trace/formats/traceJson.ts'

// The package's entry `apportion/core`: what needs neither a page nor threads.
export type { StageStats } from './allocation/allocateWorkers.ts'
export { allocateWorkers } from './allocation/allocateWorkers.ts'
export type { OrderBuffer } from './pipeline/orderBuffer.ts'
export { createOrderBuffer } from './pipeline/orderBuffer.ts'
export type { Link, Micros, Parsed, Problem, Scenario } from './scenario/model/scenario.ts'
export type { SeatingStage } from './scheduler/seatsUnder.ts'
export { spread } from './workload/spread.ts'
export type {
  EstimateKind,
  EstimatePrior,
  RunningEstimates as Estimator,
  SeatingPolicy,
  SeatingView,
  Summary,
  TraceDocument as TraceFile,
}
export { parse, playToEnd as playSimulation, policyFunctions as policies, seatsUnder }

const parts: { readonly loadCode?: LoadCode } = {
  loadCode: async () => (await import('./features/code/sandbox/loadCode.ts')).loadCode(),
}

type ParamsOf<K> = Omit<Extract<SeatingPolicy, { readonly kind: K }>, 'kind'>

/** The policies as functions: each returns how many workers every stage should have, in the order of the view. Parameters left out have the value that forms begin with. */
export type Policies = {
  readonly [K in SeatingPolicy['kind']]: (
    view: SeatingView,
    ...params: object extends ParamsOf<K> ? [Partial<ParamsOf<K>>?] : [Partial<ParamsOf<K>>]
  ) => number[]
}

const policyFunctions = Object.fromEntries(
  policyKinds
    .filter((kind) => kind !== 'code' && !isElastic({ kind }))
    .map((kind) => [
      kind,
      (view: SeatingView, params = {}) => {
        requireObject('params', params, 'an object with the parameters of the policy')
        return seatsUnder({ kind, ...startingParams(kind), ...params } as SeatingPolicy, view)
      },
    ]),
) as Policies

/** Service times in, estimates out, by stage. */
interface RunningEstimates {
  /** Adds the measurement that a job took this long at a stage, in microseconds. */
  observe(stage: number, service: Micros): void
  /** Returns the estimated service time of each stage, in microseconds. */
  means(): number[]
}

/**
 * Returns an estimator for a number of stages: the mean of all jobs, of the last n, or one in which each new job weighs alpha. `prior`: the estimate
 * of a stage without measurements; `declared` are its values. Throws TypeError unless `stages` is a number, and RangeError for a window or an alpha that
 * is not allowed.
 */
export function createEstimator(
  stages: number,
  kind: EstimateKind = { kind: 'mean' },
  prior: EstimatePrior = 'neighbours',
  declared: readonly number[] = [],
): RunningEstimates {
  if (!(Number.isSafeInteger(stages) && stages >= 0))
    refuse('createEstimator', stages, 'the number of stages, such as 3')
  if (!['mean', 'window', 'ewma'].includes(kind?.kind))
    refuse('createEstimator, kind', kind, "an object such as { kind: 'mean' }")
  oneOf('neighbours', 'declared', 'one')('createEstimator, prior', prior)
  const estimates = createEstimates(
    kind,
    prior,
    Array.from({ length: stages }, (_, stage) => declared[stage] ?? 1),
  )
  const out = new Float64Array(stages)
  return {
    observe(stage, service) {
      if (!(Number.isInteger(stage) && stage >= 0 && stage < stages && typeof service === 'number' && service >= 0))
        throw new RangeError(
          `a stage from 0 to ${stages - 1} takes 0 microseconds or more, not stage ${stage} ${service}`,
        )
      observe(estimates, stage, service)
    },
    means() {
      estimateInto(estimates, out)
      return [...out]
    },
  }
}

/** The record of a run, in the form of the downloaded trace: as JSON it is a file that the page opens. */
interface TraceDocument {
  readonly format: 'apportion-trace'
  readonly version: number
  readonly engine: EngineName
  readonly scenario: Scenario
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly threads: number
  readonly ending: string | null
  readonly events: Readonly<Record<'time' | 'kind' | 'stage' | 'worker' | 'job' | 'began' | 'ended', readonly number[]>>
  /** What the numbers in `events.kind` mean. */
  readonly kinds: readonly string[]
  /** `[row, stage, seats, stage, seats, ...]`, with the seats that changed. */
  readonly decisions: readonly (readonly number[])[]
  /** Of what each decision saw. */
  readonly hashes: readonly number[]
  readonly failures: readonly {
    readonly time: Micros
    readonly kind: 'job' | 'worker'
    readonly reason: string
    readonly job?: number
    readonly stage?: number
  }[]
}

export interface Simulated {
  readonly summary: Summary
  /** Built when it is first read, since it may be large. */
  readonly trace: TraceDocument
}

/** Plays a scenario in the simulation on this thread: an object, as in a file. Rejects with a RangeError that lists what is wrong with it. */
async function playToEnd(scenario: unknown): Promise<Simulated> {
  const parsed = parse(scenario)
  if ('problems' in parsed) throw new RangeError(problemsText(parsed.problems))
  const trace = await play(parsed.scenario, Date.now(), undefined, parts.loadCode)
  const wrong = trace.failures.find(({ kind }) => kind === 'run')
  if (wrong !== undefined) throw new RangeError(`policy: ${wrong.reason}`)
  let file: TraceDocument | undefined
  return {
    summary: summarise(trace),
    get trace() {
      file ??= JSON.parse([...writeTraceJson(trace)].join('')) as TraceDocument
      return file
    },
  }
}
