import { createJournal, type Journal } from '../../pipeline/journal.ts'
import { createSwitchCosts, type SwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import { type Core, createCore } from '../../scheduler/dispatch.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { groupingOf } from '../../workload/groups.ts'
import { routingOf } from '../../workload/routes.ts'
import { createServices, type Services } from '../../workload/service.ts'
import type { Listener } from '../engine.ts'
import { createPhases, type Phases } from '../phases.ts'
import { createTicker, type Ticker } from '../ticker.ts'
import { type Calendar, createCalendar } from './calendar.ts'
import { createSharedCores, type SharedCores } from './sharedCores.ts'

/** One run under way. By worker: when its batch was given, how much of that went into changing stage and group before its first job, the work foretold. */
export interface SimulatedRun {
  readonly scenario: Scenario
  readonly core: Core
  readonly services: Services
  readonly arrivals: Arrivals
  readonly journal: Journal
  readonly listener: Listener
  readonly calendar: Calendar
  /** For burning workers, where there are more of them than cores. */
  readonly shared: SharedCores | null
  readonly given: Float64Array
  readonly changing: Float64Array
  readonly work: Float64Array
  readonly changes: SwitchCosts
  /** How the booking of a worker will turn out: FINISHES, or it THROWS, or it is found SILENT. */
  readonly outcome: Uint8Array
  readonly hung: Uint8Array
  readonly leaving: Uint8Array
  readonly failing: readonly ReadonlySet<number>[]
  readonly due: number[]
  readonly thrown: number[]
  readonly lost: number[]
  readonly joined: number[]
  /** Who has finished a batch at this instant and has another in hand. */
  readonly next: number[]
  now: Micros
  arrival: Micros
  arrived: number
  event: number
  longestBatch: Micros
  /** Of an elastic policy, else null. */
  readonly ticker: Ticker | null
  readonly turns: Phases
}

export const FINISHES = 0
export const THROWS = 1
export const SILENT = 2

/** A run in which nothing has happened yet. */
export function createSimulatedRun(scenario: Scenario, listener: Listener): SimulatedRun {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const groupOf = groupingOf(scenario)
  const crowded = phasesOf(scenario).some(({ cores }) => workers > cores) && scenario.stages.some((stage) => stage.work !== 'wait')
  return {
    scenario,
    core: createCore(scenario, services.at, groupOf, routingOf(scenario)),
    services,
    arrivals,
    journal: createJournal(),
    listener,
    calendar: createCalendar(workers),
    shared: crowded ? createSharedCores(scenario.cores, workers) : null,
    given: new Float64Array(workers),
    changing: new Float64Array(workers),
    work: new Float64Array(workers),
    changes: createSwitchCosts(scenario, workers, groupOf),
    outcome: new Uint8Array(workers),
    hung: new Uint8Array(workers),
    leaving: new Uint8Array(workers),
    failing: scenario.stages.map((stage) => new Set(stage.fails?.jobs)),
    due: [],
    thrown: [],
    lost: [],
    joined: [],
    next: [],
    now: 0,
    arrival: arrivals.next(),
    arrived: 0,
    event: 0,
    longestBatch: 0,
    ticker: createTicker(scenario),
    turns: createPhases(scenario),
  }
}
