import { LONGEST_TICK } from '../../engine/conductor/callTracker.ts'
import { THREAD_ENDS } from '../../pipeline/state.ts'
import { carries, isElastic } from '../../scenario/model/defaults.ts'
import { MAX_JOBS, MAX_REAL_WORKERS, MAX_SERVICES, MAX_SLOTS } from '../../scenario/model/limits.ts'
import { refuse } from '../../scenario/model/optionChecks.ts'
import {
  type Batch,
  type Discipline,
  type Estimator,
  type FanOut,
  type Join,
  type Micros,
  type Policy,
  type Scenario,
  workerEventKinds,
} from '../../scenario/model/scenario.ts'
import { canFollow } from '../../scenario/model/schedule.ts'
import { countText, problemsText } from '../../scenario/model/words.ts'
import { parse } from '../../scenario/parse/parse.ts'
import type { StartCode } from '../../scheduler/codePolicy.ts'
import { type DecideSeats, startFunctions } from './decide.ts'
import { type PolicyChoice, policyOf } from './policyChoice.ts'
import { ALIVE, type StagePlan } from './protocol.ts'
import type { TracerLike } from './spans.ts'
import type { WorkerLike } from './workerThread.ts'

export interface StageOptions<Name extends string = string> {
  /** `[A-Za-z0-9.-]{1,40}`: also the name of its function, unless `call` names another. */
  readonly id: string
  readonly call?: Name
  readonly name?: string
  /** How many inputs may wait here. */
  readonly capacity?: number
  /** How often an input may throw here before it has failed; 1 by default. */
  readonly tries?: number
  /** A thread that is at one input for this many milliseconds is ended, at most half a second and a quarter of them later. Without it there is no limit. */
  readonly timeout?: number
  /** How many threads may end at an input here, also by its timeout, until it has failed; 3 by default. */
  readonly threads?: number
  /** At most this many workers are here at once, such as a database bears connections; the others help elsewhere. */
  readonly limit?: number
  /** The function that a worker calls when it comes to this stage from another one. Its result is `setUp` of the context. */
  readonly setUp?: Name
  readonly discipline?: Exclude<Discipline, 'shortest' | 'priority'>
  readonly fanOut?: FanOut
  readonly join?: Join
}

export interface PipelineOptions {
  /** Starts one thread: `() => new Worker(new URL('./stages.js', import.meta.url))`. */
  readonly worker: () => WorkerLike
  readonly stages: readonly (string | StageOptions)[]
  /** Pairs of stage ids, "source" and "sink"; by default the stages are a line. */
  readonly links?: readonly (readonly [string, string])[]
  /** As many as the machine has cores, unless it is set. */
  readonly workers?: number
  readonly policy?: PolicyChoice
  readonly estimator?: Estimator
  readonly batch?: { readonly size?: number; readonly adaptive?: true; readonly inHand?: Batch['inHand'] }
  /** `input`: results come in the order of the inputs. `any`: as they are finished. */
  readonly order?: 'input' | 'any'
  /** At most this many inputs are inside, finished and unread ones included; 256 by default. */
  readonly highWaterMark?: number
  /** What an input that has failed does: end the run, or be left out. */
  readonly onError?: 'stop' | 'skip'
  /** Whether a trace is kept; with `rows` only its last ones. */
  readonly record?: boolean | { readonly rows: number }
  /** A tracer of OpenTelemetry: gets a span of each input, and in it one of each call of a function. */
  readonly tracer?: TracerLike
  /** Milliseconds for which threads wait for another run; 1000 by default. */
  readonly idle?: number
  readonly title?: string
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
}

export interface Settings {
  readonly scenario: Scenario
  readonly plans: readonly StagePlan[]
  readonly silence: readonly Micros[]
  readonly limits: readonly number[] | null
  /** The policies that are functions, by their text. */
  readonly known: Map<string, DecideSeats>
  readonly startCode: StartCode
  readonly highWaterMark: number
  readonly skips: boolean
  readonly ordered: boolean
}

const HIGH_WATER_MARK = 256

/** Returns the settings of a pipeline, given options of the right types. Throws TypeError with everything that is wrong in the scenario of which they are parts. */
export function settingsOf(options: PipelineOptions, cores: number): Settings {
  const { workers = cores, highWaterMark = HIGH_WATER_MARK, order = 'input', onError = 'stop', batch } = options
  const stages = options.stages.map((stage): StageOptions => (typeof stage === 'string' ? { id: stage } : stage))
  // A worker that is lent for a moment pays the set-up too: `npm run bench -- runner` shows what that costs.
  const {
    policy = stages.some(({ setUp }) => setUp !== undefined) ? { kind: 'switchAware', lend: false } : 'leastScore',
  } = options
  const ordered = order === 'input'
  if (ordered && highWaterMark > MAX_SLOTS)
    refuse('highWaterMark', highWaterMark, `at most ${countText(MAX_SLOTS)} in the order of the inputs`)
  const known = new Map<string, DecideSeats>()
  const scenario = parsed({
    version: 1,
    title: options.title ?? '',
    // How many inputs come is not known, and a policy may name a number of them.
    source: { kind: 'batch', jobs: Math.min(MAX_JOBS, Math.floor(MAX_SERVICES / Math.max(1, stages.length))) },
    stages: stages.map(({ id, name, capacity, tries = 1, discipline, fanOut, join }) => ({
      ...{ id, name, capacity, discipline, fanOut, join },
      fails: { jobs: [], tries },
    })),
    links: options.links,
    workers,
    policy: policyOf(policy, known),
    estimator: options.estimator,
    batch: batchOf(batch),
    order: ordered ? { kind: 'buffer', slots: highWaterMark } : { kind: 'none' },
  })
  const limits = stages.some(({ limit }) => limit !== undefined)
    ? stages.map(({ limit = MAX_REAL_WORKERS }) => limit)
    : null
  refuseLimits(limits, scenario.policy)
  if (scenario.estimator.prior === 'declared')
    throw new TypeError('The prior "declared" needs declared service times, and functions have none.')
  const ends = new Set(scenario.links.flatMap(([from, to]) => (to === 'sink' ? [from] : [])))
  return {
    // Workers that may join in mid-run have numbers from the beginning. A policy that hires has no more than `workers`.
    scenario: {
      ...scenario,
      workerEvents: Array.from({ length: isElastic(scenario.policy) ? 0 : MAX_REAL_WORKERS - workers }, (_, k) => ({
        at: Infinity,
        kind: workerEventKinds[0],
        worker: workers + k,
      })),
    },
    plans: stages.map(({ id, call = id, setUp = null, timeout = null, threads = THREAD_ENDS, tries = 1 }) => ({
      id,
      call,
      setUp,
      timeout,
      threads,
      tries,
      last: ends.has(id),
    })),
    silence: stages.map(({ timeout }) =>
      timeout === undefined ? Infinity : timeout * 1000 * (1 + ALIVE) + LONGEST_TICK,
    ),
    limits,
    known,
    startCode: startFunctions(known),
    highWaterMark,
    skips: onError === 'skip',
    ordered,
  }
}

/** Returns the batches that follow in mid-run. Throws TypeError. */
export function nextBatch(batch: PipelineOptions['batch'], { scenario }: Settings): Batch {
  return parsed({ ...scenario, workerEvents: [], batch: batchOf(batch) }).batch
}

function batchOf(batch: PipelineOptions['batch']): object {
  return { inHand: 2, ...(batch?.size === undefined ? { adaptive: true } : {}), ...batch }
}

/** Returns a policy that may follow in mid-run. Throws TypeError. */
export function nextPolicy(choice: PolicyChoice, { scenario, known, limits }: Settings): Policy {
  const { policy } = parsed({ ...scenario, workerEvents: [], policy: policyOf(choice, known) })
  if (!canFollow(scenario.policy.kind, policy.kind))
    throw new TypeError(`The policy "${policy.kind}" cannot follow "${scenario.policy.kind}" in mid-run.`)
  refuseLimits(limits, policy)
  return policy
}

function refuseLimits(limits: Settings['limits'], { kind }: Policy): void {
  if (limits !== null && carries(kind))
    throw new TypeError(`The policy "${kind}" takes every worker through all stages, so no stage can have a limit.`)
}

function parsed(input: object): Scenario {
  const result = parse(input)
  if ('scenario' in result) return result.scenario
  throw new TypeError(problemsText(result.problems))
}

/** The scheduler gets a new cost of a change of stage when it has changed by this factor. */
const FACTOR = 1.25
/** The most new costs in a run: each begins a phase. */
const MAX_CHANGES = 32
/** The share of a new measurement in the mean of its stage. */
const NEWEST = 0.25

export type SetUps = ReturnType<typeof createSetUps>

/** Measures what a change of stage costs: the mean over the stages of what their set-ups take, a stage without one counting as 0. The next run begins with it. */
export function createSetUps(plans: readonly StagePlan[]) {
  const means = Float64Array.from(plans, ({ setUp }) => (setUp === null ? 0 : Number.NaN))
  let latest: Micros = plans.some(({ setUp }) => setUp !== null) ? 1 : 0
  let times = 0
  return {
    /** Begins a run. Returns what a change of stage costs, as far as it is known: 1 if it is known only that it costs something. */
    begin(): Micros {
      times = 0
      return latest
    },
    /** Notes how long a set-up took. Returns the cost of a change of stage if the scheduler should get it. */
    take(stage: number, took: Micros): Micros | null {
      means[stage] = Number.isNaN(means[stage]) ? took : means[stage] + NEWEST * (took - means[stage])
      // Stages without a measurement yet are taken to be like the others.
      const known = means.filter((mean) => !Number.isNaN(mean))
      const cost = Math.max(1, Math.round(known.reduce((sum, mean) => sum + mean, 0) / known.length))
      if (times === MAX_CHANGES || (cost < latest * FACTOR && cost * FACTOR > latest)) return null
      latest = cost
      times++
      return cost
    },
  }
}
