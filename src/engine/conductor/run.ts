import { createJournal, type Journal } from '../../pipeline/journal.ts'
import { createSwitchCosts, type SwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { type Core, createCore } from '../../scheduler/dispatch.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { groupingOf } from '../../workload/groups.ts'
import { routingOf } from '../../workload/routes.ts'
import { createServices, type Services } from '../../workload/service.ts'
import type { Listener } from '../engine.ts'
import { createPhases, type Phases } from '../phases.ts'
import { createTicker, type Ticker } from '../ticker.ts'
import type { Output, Payloads } from '../work/payloads.ts'
import type { TilePixels } from '../work/tile.ts'
import { createInbox, type Inbox } from './inbox.ts'
import type { Pool } from './pool.ts'

export interface ThreadsListener extends Listener {
  /** What a run over records has made of them; called once, before `ended`, unless the run was stopped. */
  output?(output: Output): void
  /** Tiles of a picture that have left, before the journal that says so. They are the listener's to keep. */
  tiles?(tiles: readonly TilePixels[]): void
}

/** For whoever looks for faults. */
export interface Diagnostics {
  /** Replies that nobody awaited any more. */
  ignored: number
  /** Instants with facts. */
  instants: number
}

/** One run under way on threads, as its conductor sees it. Times are of the run's clock, which is 0 when all workers have answered. */
export interface ConductedRun {
  readonly scenario: Scenario
  readonly core: Core
  readonly services: Services
  readonly arrivals: Arrivals
  readonly journal: Journal
  readonly listener: ThreadsListener
  readonly pool: Pool
  readonly figures: Diagnostics
  readonly inbox: Inbox
  readonly failing: readonly ReadonlySet<number>[]
  /** Workers whose thread has been started and has not answered. */
  readonly joining: Set<number>
  /** By worker: when its batch was given, whether it leaves after its batch. */
  readonly given: Float64Array
  readonly leaving: Uint8Array
  readonly changes: SwitchCosts
  /** How many times longer than foretold burning takes where there are more workers than cores. */
  readonly crowding: number
  /** What the jobs carry; null if nothing. */
  runPayloads: Payloads | null
  /** Time 0 of the run by `wallMicros`. */
  origin: Micros
  now: Micros
  /** When the next job arrives, NO_MORE if none; how many have; the next of the scenario's worker events. */
  arrival: Micros
  arrived: number
  event: number
  readonly turns: Phases
  /** Of an elastic policy, else null. */
  readonly ticker: Ticker | null
  /** The longest time a batch was away so far while the machine was awake. */
  longest: Micros
  /** When the journal was last handed over. */
  handedOver: Micros
}

/** A run in which nothing has happened yet, on a machine of so many cores. */
export function createConductedRun(scenario: Scenario, listener: ThreadsListener, pool: Pool, figures: Diagnostics, cores: number): ConductedRun {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const groupOf = groupingOf(scenario)
  const burns = scenario.stages.some((stage) => stage.work !== 'wait')
  return {
    scenario,
    core: createCore(scenario, services.at, groupOf, routingOf(scenario)),
    services,
    arrivals,
    journal: createJournal(),
    listener,
    pool,
    figures,
    inbox: createInbox(),
    failing: scenario.stages.map((stage) => new Set(stage.fails?.jobs)),
    joining: new Set(),
    given: new Float64Array(workers),
    leaving: new Uint8Array(workers),
    changes: createSwitchCosts(scenario, workers, groupOf),
    crowding: burns ? Math.max(1, workers / (cores || 1)) : 1,
    runPayloads: null,
    origin: 0,
    now: 0,
    arrival: arrivals.next(),
    arrived: 0,
    event: 0,
    ticker: createTicker(scenario),
    turns: createPhases(scenario),
    longest: 0,
    handedOver: 0,
  }
}
