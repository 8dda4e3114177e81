import { createJournal, type Journal } from '../../pipeline/journal.ts'
import { createSwitchCosts, type SwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import type { StartCode } from '../../scheduler/codePolicy.ts'
import { type Core, createCore } from '../../scheduler/core.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { groupingOf } from '../../workload/groups.ts'
import { routingOf } from '../../workload/routes.ts'
import { createServices, type Services } from '../../workload/service.ts'
import { type ControllerClock, createControllerClock } from '../controllerClock.ts'
import type { Listener } from '../engine.ts'
import { createPhases, type Phases } from '../phases.ts'
import { Calendar } from './calendar.ts'
import { type MessageTimes, messageTimesOf } from './network.ts'
import { createSharedCores, type SharedCores } from './sharedCores.ts'

/** One run under way. */
export interface SimulatedRun {
  readonly scenario: Scenario
  readonly core: Core
  readonly services: Services
  readonly arrivals: Arrivals
  readonly journal: Journal
  readonly listener: Listener
  readonly calendar: Calendar
  /** The cores of burning workers; null if there are enough for all. */
  readonly shared: SharedCores | null
  /** By worker: when its batch began, what it lost to a change of stage or group before the first job, and the whole work. */
  readonly givenAt: Float64Array
  /** When the worker began the batch; over a network that is after it was given, or, with a second batch in hand, before the answer to the first. */
  readonly beganAt: Float64Array
  readonly switchTime: Float64Array
  readonly work: Float64Array
  /** How long messages take; null if the workers are beside the scheduler. */
  readonly messages: MessageTimes | null
  /** By worker: when it is through with its batch, how long the two messages of the batch take, and when its second batch gets there. */
  readonly freeAt: Float64Array
  readonly messageTime: Float64Array
  readonly prefetchedAt: Float64Array
  readonly switchCosts: SwitchCosts
  /** By worker, what its booking means: it FINISHES, it THROWS, or it is given up since it is SILENT. */
  readonly outcome: Uint8Array
  readonly hung: Uint8Array
  readonly leaving: Uint8Array
  readonly failing: readonly ReadonlySet<number>[]
  /** Whether each batch is one job and lasts its service time: nothing throws, hangs, shares a core or is under way. */
  readonly jobByJob: boolean
  /** The workers that are due at this instant, and how many. */
  readonly due: Int32Array
  dueCount: number
  readonly thrown: number[]
  readonly lost: number[]
  readonly joined: number[]
  /** The workers that have finished a batch at this instant and have a prefetched one in hand. */
  readonly withPrefetch: number[]
  now: Micros
  nextArrival: Micros
  arrived: number
  nextEvent: number
  longestBatch: Micros
  /** Null unless the policy is elastic. */
  readonly controllerClock: ControllerClock | null
  readonly phases: Phases
}

export const FINISHES = 0
export const THROWS = 1
export const SILENT = 2

/** Returns a run in which nothing has happened yet. */
export function createSimulatedRun(scenario: Scenario, listener: Listener, startCode?: StartCode): SimulatedRun {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const groupOf = groupingOf(scenario)
  const messages = messageTimesOf(scenario)
  // Over a network each worker is a machine of its own, with a core of its own.
  const crowded = messages === null && phasesOf(scenario).some(({ cores }) => workers > cores) && scenario.stages.some((stage) => stage.work !== 'wait')
  return {
    scenario,
    core: createCore(scenario, services.at, groupOf, routingOf(scenario), startCode),
    services,
    arrivals,
    journal: createJournal(),
    listener,
    calendar: new Calendar(workers),
    shared: crowded ? createSharedCores(scenario.cores, workers) : null,
    messages,
    givenAt: new Float64Array(workers),
    beganAt: new Float64Array(workers),
    messageTime: new Float64Array(workers),
    freeAt: new Float64Array(workers),
    prefetchedAt: new Float64Array(workers),
    switchTime: new Float64Array(workers),
    work: new Float64Array(workers),
    switchCosts: createSwitchCosts(scenario, workers, groupOf),
    outcome: new Uint8Array(workers),
    hung: new Uint8Array(workers),
    leaving: new Uint8Array(workers),
    failing: scenario.stages.map((stage) => new Set(stage.fails?.jobs)),
    jobByJob: messages === null && !crowded && servesJobByJob(scenario),
    due: new Int32Array(workers),
    dueCount: 0,
    thrown: [],
    lost: [],
    joined: [],
    withPrefetch: [],
    now: 0,
    nextArrival: arrivals.next(),
    arrived: 0,
    nextEvent: 0,
    longestBatch: 0,
    controllerClock: createControllerClock(scenario),
    phases: createPhases(scenario),
  }
}

function servesJobByJob(scenario: Scenario): boolean {
  const { stages, workerEvents } = scenario
  const phases = phasesOf(scenario).every(
    ({ batch, switchCost, groupSwitchCost }) => batch.size === 1 && batch.inHand === 1 && switchCost === 0 && groupSwitchCost === 0,
  )
  return phases && workerEvents.length === 0 && stages.every(({ resource, fails }) => resource === null && fails === null)
}
