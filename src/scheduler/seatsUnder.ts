import { castForeseen, castVotes } from '../allocation/ballot.ts'
import { lookAhead } from '../pipeline/outlook.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import { linearLinks } from '../scenario/model/linearStages.ts'
import { isObject, refuse } from '../scenario/model/optionChecks.ts'
import type { DescribedPolicy, ElasticKind } from '../scenario/model/policies.ts'
import { type Link, type Micros, type PolicyKind, SCENARIO_VERSION } from '../scenario/model/scenario.ts'
import { problemsText } from '../scenario/model/words.ts'
import { parse } from '../scenario/parse/parse.ts'
import { type BoundedStage, fillWithin } from './boundedSeats.ts'
import { type Core, createCore } from './core.ts'

/** One decision apart from any run: what a policy may look at. */
export interface SeatingView {
  /** Workers to share out. */
  readonly workers: number
  /** In the order of the pipeline. */
  readonly stages: readonly SeatingStage[]
  /** The graph, as in a scenario; unless given, each stage leads to the next. */
  readonly links?: readonly Link[]
  /** What a worker loses when it changes stage, in microseconds; only `switchAware` asks. */
  readonly switchCost?: Micros
}

export interface SeatingStage extends BoundedStage {
  /** Jobs. */
  readonly waiting: number
  /** The estimated service time in microseconds; 1 unless given. */
  readonly mean?: Micros
  /** Whether no job will come. */
  readonly done?: boolean
  /** How long ago the oldest waiting job arrived, in microseconds; only `deadline` asks. */
  readonly age?: Micros
}

/** The policies that share out a number of workers. The others hire and dismiss workers themselves, or are a function already. */
export type SeatingPolicy = Exclude<DescribedPolicy, { readonly kind: 'code' | ElasticKind }>

/** Throws TypeError unless a value is an object. */
export function requireObject(path: string, value: unknown, allowed: string): void {
  if (!isObject(value)) refuse(path, value, allowed)
}

/** Returns how many workers each stage of the view should have under a policy. Throws TypeError or RangeError if the policy or the view is not valid. */
export function seatsUnder(policy: SeatingPolicy, view: SeatingView): number[] {
  requireObject('policy', policy, "an object such as { kind: 'leastScore' }")
  requireObject('view', view, 'a view such as { workers: 8, stages: [{ id, waiting }] }')
  if (!Array.isArray(view.stages)) refuse('view.stages', view.stages, 'a list such as [{ id, waiting }]')
  for (const [k, stage] of view.stages.entries())
    requireObject(`view.stages[${k}]`, stage, 'an object such as { id, waiting }')
  const core = coreOf(policy, view)
  castViewed(core, view)
  fillWithin(core, view.stages)
  const given: number[] = []
  for (const [k, stage] of core.stageOf.entries()) given[stage] = core.seats[k]
  return given
}

/** The scheduler of the last call, and what it was made of: one who asks again asks of the same pipeline. */
let last: { readonly key: string; readonly core: Core } | null = null

function coreOf(policy: { readonly kind: PolicyKind }, { workers, stages, links, switchCost = 0 }: SeatingView): Core {
  const key = JSON.stringify([policy, workers, stages.map(({ id }) => id), links, switchCost])
  if (last?.key !== key)
    last = {
      key,
      core: newCore(policy, { workers, stages, links: links ?? linearLinks(stages.map(({ id }) => id)), switchCost }),
    }
  return last.core
}

function newCore(policy: { readonly kind: PolicyKind }, { workers, stages, links, switchCost }: SeatingView): Core {
  const parsed = parse({
    version: SCENARIO_VERSION,
    source: { kind: 'batch', jobs: 0 },
    stages: stages.map(({ id }) => ({ id })),
    ...{ links, workers: workers === 0 ? 1 : workers, policy, switchCost },
  })
  if ('problems' in parsed) throw new RangeError(problemsText(parsed.problems))
  const { scenario } = parsed
  if (scenario.policy.kind === 'code' || isElastic(scenario.policy))
    throw new RangeError(`policy.kind: ${policy.kind} does not share out a number of workers`)
  const none = () => 0
  return createCore(scenario, none, none, none)
}

/** Puts what is seen where the scheduler looks. The stages of the view and of the scenario have the same numbers. */
function castViewed(
  { scenario, state: { counts, topology }, ballot, stageOf, seats, assignments, outlook }: Core,
  view: SeatingView,
): void {
  ballot.workers = counts.live = view.workers
  const { policy } = scenario
  stageOf.forEach((stage, k) => {
    const { id, waiting, mean = 1, busy = 0, seats: had = 0, done = false, age = 0 } = view.stages[stage]
    for (const value of [waiting, busy, had])
      if (!(Number.isSafeInteger(value) && value >= 0))
        throw new RangeError(`stage ${id}: waiting, busy and seats must be whole numbers of at least 0, not ${value}`)
    if (!(Number.isFinite(mean) && mean > 0 && age >= 0))
      throw new RangeError(`stage ${id}: mean must be above 0 and age at least 0, not ${mean} and ${age}`)
    castVotes(ballot, k, waiting, mean, done)
    counts.waiting[stage] = assignments.runnable[k] = waiting
    counts.busy[stage] = counts.inHands[stage] = busy
    seats[k] = had
    if (outlook !== null && policy.kind === 'deadline')
      outlook.urgency[stage] = waiting === 0 ? 1 : 1 + age / policy.due
  })
  if (outlook === null) return
  if (policy.kind === 'preallocate') lookAhead(policy, topology, counts, [], outlook)
  castForeseen(ballot, stageOf, outlook, 0)
}
