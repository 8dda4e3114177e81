import { crewOf } from '../model/defaults.ts'
import { countJobs, lastArrival, MAX_JOBS } from '../model/limits.ts'
import type { Micros, Phase, Scenario, Service, Stage, WorkerEvent } from '../model/scenario.ts'
import { declaredMeans, scaledService, serviceMean } from '../model/serviceMean.ts'

/**
 * What befalls a run midway, each as one thing: who joins, leaves, crashes or hangs at a time, what a stage costs from a
 * job on, and what the scheduler does otherwise from a time on. A scenario holds them in its worker events, in the changes of
 * its stages and in its turns; here they are put in, moved and taken out by name, in the order that `parse` asks for.
 */
export type Fault = WorkerEvent | ServiceChange | PhaseAt

export interface ServiceChange {
  readonly kind: 'change'
  /** The id of the stage. */
  readonly stage: string
  /** The first job that costs so much. */
  readonly from: number
  readonly service: Service
}

export interface PhaseAt {
  readonly kind: 'turn'
  readonly at: Micros
  readonly says: Omit<Phase, 'at'>
}

/** What a stage that is sabotaged costs at first, in times of what it would have. */
export const SLOWER = 5

/** All of a scenario: workers' events in order of time, then the changes by stage, then the turns. */
export function scenarioFaults({ workerEvents, stages, later }: Scenario): Fault[] {
  const changed = stages.flatMap(({ id, changes }) => changes.map((change): ServiceChange => ({ kind: 'change', stage: id, ...change })))
  return [...workerEvents, ...changed, ...later.map(({ at, ...says }): PhaseAt => ({ kind: 'turn', at, says }))]
}

/** The name of one in its scenario, where no two have the same: nobody leaves twice, no stage changes twice at one job, and there is one turn at a time. */
export function faultKey(fault: Fault): string {
  if (fault.kind === 'turn') return `turn ${fault.at}`
  return fault.kind === 'change' ? `change ${fault.stage} ${fault.from}` : `${fault.kind} ${fault.worker}`
}

/** A scenario with something put in, and the name that has there. */
export interface WithFault {
  readonly scenario: Scenario
  readonly key: string
}

/** Puts something in, in place of what bears the name `key`, if anything does. Whether it may be so is for `parse` to say. */
export function withFault(scenario: Scenario, next: Fault, key: string | null = null): WithFault {
  const old = scenarioFaults(scenario).find((each) => faultKey(each) === key)
  // Who joins later or earlier stays who it is, whatever number that makes.
  const stays = old?.kind === 'join' && next.kind === 'join'
  const without = old === undefined || stays ? scenario : withoutFault(scenario, faultKey(old))
  if (next.kind === 'change') return { scenario: withChange(without, next), key: faultKey(next) }
  if (next.kind === 'turn') return { scenario: withTurn(without, next), key: faultKey(next) }
  const others = stays ? without.workerEvents.filter((event) => event !== old) : without.workerEvents
  const put: WorkerEvent = { ...next, worker: stays ? old.worker : next.kind === 'join' ? NOBODY_YET : next.worker }
  const events = inOrder([...others, put])
  const numbered = numberedEvents(without, events)
  return { scenario: { ...without, workerEvents: numbered }, key: faultKey(numbered[events.indexOf(put)]) }
}

/** Takes out what bears the name; with somebody who joins goes what befalls them later. */
export function withoutFault(scenario: Scenario, key: string): Scenario {
  const old = scenarioFaults(scenario).find((each) => faultKey(each) === key)
  if (old === undefined) return scenario
  if (old.kind === 'change') return changing(scenario, old.stage, (stage) => ({ ...stage, changes: stage.changes.filter(({ from }) => from !== old.from) }))
  if (old.kind === 'turn') return { ...scenario, later: scenario.later.filter(({ at }) => at !== old.at) }
  const rest = scenario.workerEvents.filter((event) => event !== old && !(old.kind === 'join' && event.worker === old.worker))
  return { ...scenario, workerEvents: numberedEvents(scenario, rest) }
}

/** A number that no worker has. */
const NOBODY_YET = Number.MAX_SAFE_INTEGER

/** Joiners number themselves in the order in which they stand, and what befalls them keeps to them. */
export function numberedEvents(scenario: Scenario, events: readonly WorkerEvent[]): readonly WorkerEvent[] {
  const crew = crewOf(scenario)
  let joined = crew
  const numbers = new Map<number, number>()
  const seated = events.map((event) => {
    if (event.kind !== 'join') return event
    const worker = joined++
    // Who has been somebody from the start has no number of a joiner yet.
    if (event.worker >= crew && !numbers.has(event.worker)) numbers.set(event.worker, worker)
    return { ...event, worker }
  })
  return seated.map((event) => (event.kind === 'join' ? event : { ...event, worker: numbers.get(event.worker) ?? event.worker }))
}

/** By time; at one time whoever joins is there before anything befalls them. */
function inOrder(events: readonly WorkerEvent[]): WorkerEvent[] {
  return [...events].sort((a, b) => a.at - b.at || Number(b.kind === 'join') - Number(a.kind === 'join'))
}

function withChange(scenario: Scenario, { stage, from, service }: ServiceChange): Scenario {
  return changing(scenario, stage, (before) => ({ ...before, changes: [...before.changes, { from, service }].sort((a, b) => a.from - b.from) }))
}

function withTurn(scenario: Scenario, { at, says }: PhaseAt): Scenario {
  return { ...scenario, later: [...scenario.later, { at, ...says }].sort((a, b) => a.at - b.at) }
}

function changing(scenario: Scenario, id: string, change: (stage: Stage) => Stage): Scenario {
  return { ...scenario, stages: scenario.stages.map((stage) => (stage.id === id ? change(stage) : stage)) }
}

/** What the stage costs just before a job, without what begins there. Changes stand in order of their jobs, and may be very many. */
export function serviceBefore({ service, changes }: Pick<Stage, 'service' | 'changes'>, job: number): Service {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (changes[middle].from < job) low = middle + 1
    else high = middle
  }
  return low === 0 ? service : changes[low - 1].service
}

/** The stage so many times slower from a job on than it was before; quicker, below 1. */
export function slowed(stage: Stage, from: number, factor: number): ServiceChange {
  return { kind: 'change', stage: stage.id, from, service: scaledService(serviceBefore(stage, from), factor) }
}

/** How many times slower a stage has become with a change, on average. */
export function slownessOf({ stages }: Scenario, { stage, from, service }: ServiceChange): number {
  const of = stages.find(({ id }) => id === stage)
  return of === undefined ? 1 : serviceMean(service) / serviceMean(serviceBefore(of, from))
}

/** What befalls a worker at a time: somebody new joins, else the one with the highest number of those whom nothing befalls yet. */
export function freshEvent(scenario: Scenario, kind: WorkerEvent['kind'], at: Micros): WorkerEvent {
  const { workerEvents } = scenario
  const crew = crewOf(scenario)
  const joined = workerEvents.filter((event) => event.kind === 'join')
  if (kind === 'join') return { at, kind, worker: crew + joined.filter((event) => event.at <= at).length }
  const struck = new Set(workerEvents.filter((event) => event.kind !== 'join').map(({ worker }) => worker))
  let worker = crew + joined.filter((event) => event.at <= at).length - 1
  while (worker > 0 && struck.has(worker)) worker--
  return { at, kind, worker: struck.has(worker) ? crew - 1 : worker }
}

/** The first job from `job` on at which the stage does not change already; null where there is none left. */
export function freshJob({ changes }: Stage, job: number): number | null {
  let from = job
  for (const change of changes) if (change.from === from) from++
  return from <= MAX_JOBS ? from : null
}

/**
 * About how long a run will take that nobody has seen yet: until the last job has come, or until all have been served by
 * however many workers there are at the start; a little more, and as long as something is said to happen in it.
 */
export function expectedLength(scenario: Scenario): Micros {
  const { source, workerEvents, later } = scenario
  const work = countJobs(source) * declaredMeans(scenario).reduce((sum, mean) => sum + mean, 0)
  const last = [...workerEvents, ...later].reduce((most, { at }) => Math.max(most, at), 0)
  const length = Math.max(lastArrival(source), work / Math.max(1, crewOf(scenario)), last, 1000)
  return Number.isFinite(length) ? length * 1.05 : 1_000_000
}
