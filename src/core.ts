import { createEstimates, type EstimateKind, type EstimatePrior, estimateInto, observe } from './allocation/estimate.ts'
import type { LoadCode } from './engine/engine.ts'
import { playSimulation as play, type Summary, summarise } from './runs/play/play.ts'
import { isElastic } from './scenario/model/defaults.ts'
import type { EngineName } from './scenario/model/engines.ts'
import { allow, type Check, oneOf, refuse } from './scenario/model/optionChecks.ts'
import { policyKinds, startingParams } from './scenario/model/policies.ts'
import type { Micros, Scenario } from './scenario/model/scenario.ts'
import { parse } from './scenario/parse/parse.ts'
import { type SeatingPolicy, type SeatingView, seatsUnder as seatsOf } from './scheduler/seatsUnder.ts'
import { writeTraceJson } from './trace/formats/traceJson.ts'
import { spread as spreadJobs } from './workload/spread.ts'

// The package's entry `apportion/core`: what needs neither a page nor threads.
export type { StageStats } from './allocation/allocateWorkers.ts'
export { allocateWorkers } from './allocation/allocateWorkers.ts'
export type { OrderBuffer } from './pipeline/orderBuffer.ts'
export { createOrderBuffer } from './pipeline/orderBuffer.ts'
export type { Link, Micros, Parsed, Problem, Scenario } from './scenario/model/scenario.ts'
export type { SeatingStage } from './scheduler/seatsUnder.ts'
export type {
  EstimateKind,
  EstimatePrior,
  RunningEstimates as Estimator,
  SeatingPolicy,
  SeatingView,
  Summary,
  TraceDocument as TraceFile,
}
export { createEstimator, parse, playToEnd as playSimulation, policyFunctions as policies, seatsUnder, spread }

/** Returns a function that checks its arguments first, in this order. */
function checked<F extends (...given: never[]) => unknown>(name: string, f: F, ...checks: readonly Check[]): F {
  return ((...given: never[]) => {
    for (const [k, check] of checks.entries()) check(k === 0 ? name : `${name}, argument ${k + 1}`, given[k])
    return f(...given)
  }) as F
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isIterable = (value: unknown): boolean =>
  value !== null && value !== undefined && Symbol.iterator in Object(value)

/** Returns a check that lets an argument be left out. */
const optional =
  (check: Check): Check =>
  (path, value) => {
    if (value !== undefined) check(path, value)
  }

function checkView(path: string, value: unknown): void {
  if (!isObject(value)) refuse(path, value, 'a view, such as { workers: 8, stages: [{ id, waiting }] }')
  const { stages } = value as { readonly stages?: unknown }
  if (!Array.isArray(stages)) refuse(`${path}, stages`, stages, 'a list such as [{ id, waiting }]')
  for (const [k, stage] of stages.entries())
    if (!isObject(stage)) refuse(`${path}, stages[${k}]`, stage, 'an object { id, waiting }')
}

/** Returns how many workers each stage of the view should have under a policy. Throws RangeError if the policy or the view is not valid, with the place. */
const seatsUnder = checked(
  'seatsUnder',
  seatsOf,
  allow(isObject, "a policy, such as { kind: 'leastScore' }"),
  checkView,
)

/** Yields jobs, one of each of `feeders` open groups in turn, lazily (Taavi Burns's job spreader, 2010). Throws RangeError if `feeders` is not whole, or 0. */
const spread = checked(
  'spread',
  spreadJobs,
  allow(
    (value) => typeof value === 'object' && isIterable(value) && !(Array.isArray(value) && !value.every(isIterable)),
    'groups, each a list of jobs, such as [[1, 2], [3]]',
  ),
)

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
      checked(
        `policies.${kind}`,
        (view: SeatingView, params = {}) =>
          seatsOf({ kind, ...startingParams(kind), ...params } as SeatingPolicy, view),
        checkView,
        optional(allow(isObject, 'an object with the parameters of the policy')),
      ),
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
const createEstimator = checked(
  'createEstimator',
  estimatorOf,
  allow((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'the number of stages, such as 3'),
  optional(
    allow(
      (value) => isObject(value) && 'kind' in value && ['mean', 'window', 'ewma'].includes(String(value.kind)),
      "an object such as { kind: 'mean' }, { kind: 'window', n: 20 } or { kind: 'ewma', alpha: 0.1 }",
    ),
  ),
  optional(oneOf('neighbours', 'declared', 'one')),
  optional(allow(Array.isArray, 'a list of service times in microseconds')),
)

function estimatorOf(
  stages: number,
  kind: EstimateKind = { kind: 'mean' },
  prior: EstimatePrior = 'neighbours',
  declared: readonly number[] = [],
): RunningEstimates {
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
  if ('problems' in parsed)
    throw new RangeError(
      parsed.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'),
    )
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
