import { hires } from '../model/defaults.ts'
import { declaredMeans, scaledService, serviceMean } from '../model/distributions.ts'
import { firstWhole } from '../model/halving.ts'
import { MAX_JOBS } from '../model/limits.ts'
import type { Micros, Phase, Scenario, Service, Stage, WorkerEvent } from '../model/scenario.ts'
import { scenarioAtPhase } from '../model/schedule.ts'
import { countJobs, lastArrival } from '../model/sources.ts'
import { setPolicy } from './edits.ts'

/** A worker event, a change of a service time, or a phase. The scenario keeps them in three fields; forms show one list. Each fault has a key. */
export type Fault = WorkerEvent | ServiceChange | PhaseAt

export type ServiceChange = {
  readonly kind: 'change'
  readonly stage: string
  readonly from: number
  readonly service: Service
}

export type PhaseAt = { readonly kind: 'phase'; readonly at: Micros; readonly values: Omit<Phase, 'at'> }

export const SLOWER = 5

/** Returns all faults: worker events by time, then changes by stage, then phases. */
export function scenarioFaults({ workerEvents, stages, later }: Scenario): Fault[] {
  const changed = stages.flatMap(({ id, changes }) =>
    changes.map((change): ServiceChange => ({ kind: 'change', stage: id, ...change })),
  )
  return [...workerEvents, ...changed, ...later.map(({ at, ...values }): PhaseAt => ({ kind: 'phase', at, values }))]
}

/** Returns the key of a fault, which is unique in a valid scenario. */
export function faultKey(fault: Fault): string {
  if (fault.kind === 'phase') return `phase ${fault.at}`
  return fault.kind === 'change' ? `change ${fault.stage} ${fault.from}` : `${fault.kind} ${fault.worker}`
}

export type WithFault = { readonly scenario: Scenario; readonly key: string }

/** Adds a fault, or replaces the one with this key. `parse` decides whether the result is valid. */
export function withFault(scenario: Scenario, next: Fault, key: string | null = null): WithFault {
  const old = scenarioFaults(scenario).find((each) => faultKey(each) === key)
  // A joiner that moves in time stays the same worker under another number.
  const stays = old?.kind === 'join' && next.kind === 'join'
  const without = old === undefined || stays ? scenario : withoutFault(scenario, faultKey(old))
  if (next.kind === 'change') return { scenario: withChange(without, next), key: faultKey(next) }
  if (next.kind === 'phase') return { scenario: withPhase(without, next), key: faultKey(next) }
  const others = stays ? without.workerEvents.filter((event) => event !== old) : without.workerEvents
  const put: WorkerEvent = { ...next, worker: stays ? old.worker : next.kind === 'join' ? NO_NUMBER_YET : next.worker }
  const events = inOrder([...others, put])
  const numbered = numberedEvents(without, events)
  return { scenario: { ...without, workerEvents: numbered }, key: faultKey(numbered[events.indexOf(put)]) }
}

/** Removes the fault with this key. With a join, later events of that worker are removed too. */
export function withoutFault(scenario: Scenario, key: string): Scenario {
  const old = scenarioFaults(scenario).find((each) => faultKey(each) === key)
  if (old === undefined) return scenario
  if (old.kind === 'change')
    return changing(scenario, old.stage, (stage) => ({
      ...stage,
      changes: stage.changes.filter(({ from }) => from !== old.from),
    }))
  if (old.kind === 'phase') return { ...scenario, later: scenario.later.filter(({ at }) => at !== old.at) }
  const rest = scenario.workerEvents.filter(
    (event) => event !== old && !(old.kind === 'join' && event.worker === old.worker),
  )
  return { ...scenario, workerEvents: numberedEvents(scenario, rest) }
}

const NO_NUMBER_YET = Number.MAX_SAFE_INTEGER

/** Numbers the joiners in their order, and adapts their other events. */
export function numberedEvents(scenario: Scenario, events: readonly WorkerEvent[]): readonly WorkerEvent[] {
  const initialWorkers = scenario.workers
  let joined = initialWorkers
  const numbers = new Map<number, number>()
  const renumbered = events.map((event) => {
    if (event.kind !== 'join') return event
    const worker = joined++
    // Initial workers keep their numbers.
    if (event.worker >= initialWorkers && !numbers.has(event.worker)) numbers.set(event.worker, worker)
    return { ...event, worker }
  })
  return renumbered.map((event) =>
    event.kind === 'join' ? event : { ...event, worker: numbers.get(event.worker) ?? event.worker },
  )
}

/** Sorts by time. At the same time joins are first, so that other events can follow. */
function inOrder(events: readonly WorkerEvent[]): WorkerEvent[] {
  return [...events].sort((a, b) => a.at - b.at || Number(b.kind === 'join') - Number(a.kind === 'join'))
}

function withChange(scenario: Scenario, { stage, from, service }: ServiceChange): Scenario {
  return changing(scenario, stage, (before) => ({
    ...before,
    changes: [...before.changes, { from, service }].sort((a, b) => a.from - b.from),
  }))
}

function withPhase(scenario: Scenario, { at, values }: PhaseAt): Scenario {
  return { ...scenario, later: [...scenario.later, { at, ...values }].sort((a, b) => a.at - b.at) }
}

function changing(scenario: Scenario, id: string, change: (stage: Stage) => Stage): Scenario {
  return { ...scenario, stages: scenario.stages.map((stage) => (stage.id === id ? change(stage) : stage)) }
}

/** Returns the service time just before a job, without a change that begins there. Changes are in order of jobs; there may be very many. */
export function serviceBefore({ service, changes }: Pick<Stage, 'service' | 'changes'>, job: number): Service {
  const before = firstWhole(0, changes.length, (k) => changes[k].from >= job)
  return before === 0 ? service : changes[before - 1].service
}

/** Returns a change that makes the stage `factor` times slower from a job on; quicker below 1. */
export function slowerService(stage: Stage, from: number, factor: number): ServiceChange {
  return { kind: 'change', stage: stage.id, from, service: scaledService(serviceBefore(stage, from), factor) }
}

/** Returns how many times slower a change makes a stage, on average. */
export function slowdownOf({ stages }: Scenario, { stage, from, service }: ServiceChange): number {
  const of = stages.find(({ id }) => id === stage)
  return of === undefined ? 1 : serviceMean(service) / serviceMean(serviceBefore(of, from))
}

/** Returns a new event: a join, or a fault of the worker with the highest number among those without one. */
export function newWorkerEvent(scenario: Scenario, kind: WorkerEvent['kind'], at: Micros): WorkerEvent {
  const { workerEvents } = scenario
  const initialWorkers = scenario.workers
  const joined = workerEvents.filter((event) => event.kind === 'join')
  if (kind === 'join') return { at, kind, worker: initialWorkers + joined.filter((event) => event.at <= at).length }
  const taken = new Set(workerEvents.filter((event) => event.kind !== 'join').map(({ worker }) => worker))
  let worker = initialWorkers + joined.filter((event) => event.at <= at).length - 1
  while (worker > 0 && taken.has(worker)) worker--
  return { at, kind, worker: taken.has(worker) ? initialWorkers - 1 : worker }
}

/** Returns the first job from `job` on where no change begins; null if there is none. */
export function firstFreeJob({ changes }: Stage, job: number): number | null {
  let from = job
  for (const change of changes) if (change.from === from) from++
  return from <= MAX_JOBS ? from : null
}

/** Estimates how long a run takes: until the last arrival, the last fault, or the end of the work of the initial workers, plus a margin. */
export function expectedLength(scenario: Scenario): Micros {
  const { source, workerEvents, later } = scenario
  const work = countJobs(source) * declaredMeans(scenario).reduce((sum, mean) => sum + mean, 0)
  const last = [...workerEvents, ...later].reduce((most, { at }) => Math.max(most, at), 0)
  const length = Math.max(lastArrival(source), work / Math.max(1, scenario.workers), last, 1000)
  return Number.isFinite(length) ? length * 1.05 : 1_000_000
}

/** Returns a phase with another policy at `time` or the first free microsecond after it: Jefferson, least total time or the other controller. */
export function newPhase(scenario: Scenario, time: Micros): PhaseAt {
  let at = Math.max(1, time)
  while (scenario.later.some((phase) => phase.at === at)) at++
  const { policy } = scenarioAtPhase(scenario, scenario.later.filter((phase) => phase.at < at).length)
  const [first, second] = hires(policy.kind) ? (['threshold', 'pid'] as const) : (['jefferson', 'leastScore'] as const)
  const kind = policy.kind === first ? second : first
  return { kind: 'phase', at, values: { policy: setPolicy(scenario, kind).policy } }
}
