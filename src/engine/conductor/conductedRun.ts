import { createJournal, type Journal } from '../../pipeline/journal.ts'
import { createSwitchCosts, type SwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { initialWorkerCount } from '../../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import type { StartCode } from '../../scheduler/codePolicy.ts'
import { type Core, createCore } from '../../scheduler/core.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { groupingOf } from '../../workload/groups.ts'
import { createServices, routingOf, type Services } from '../../workload/service.ts'
import { type ControllerClock, createControllerClock, createPhases, type Listener, type Phases } from '../engine.ts'
import type { Output, Payloads } from '../work/payloads.ts'
import type { TilePixels } from '../work/tile.ts'
import type { Comers, Environment } from './environment.ts'
import { createInbox, type Inbox } from './inbox.ts'
import type { Pool } from './pool.ts'

export interface ThreadsListener extends Listener {
  /** A worker has answered before time 0. At time 0 a journal comes, with rows or without. */
  ready?(worker: number): void
  /** The output of a run over records. Called once, before `ended`, unless the run was stopped. */
  output?(output: Output): void
  /** Finished tiles of a picture, before the journal that says so. The listener may keep them. */
  tiles?(tiles: readonly TilePixels[]): void
}

export interface Diagnostics {
  /** Replies that came after their worker was given up. */
  ignored: number
  instants: number
}

/** One run under way on threads, as its conductor sees it. Times are on the run's clock, which is 0 when all workers have answered. */
export interface ConductedRun {
  readonly scenario: Scenario
  readonly core: Core
  readonly services: Services
  readonly arrivals: Arrivals
  readonly journal: Journal
  readonly listener: ThreadsListener
  readonly pool: Pool
  readonly diagnostics: Diagnostics
  readonly inbox: Inbox
  readonly failing: readonly ReadonlySet<number>[]
  /** Workers whose thread has been started and has not answered yet. */
  readonly joining: Set<number>
  /** Threads that come in mid-run; null: none do. */
  readonly comers: Comers | null
  /** By worker: 1 if the scenario has it work now, so that a comer may take its number. */
  readonly wanted: Uint8Array
  /** Since when there has been no worker, by `Comers.waited`; Infinity if there is one. */
  emptySince: Micros
  /** By worker: since when it may be at its batch, when its prefetched batch was given, and whether it leaves after its batch. */
  readonly givenAt: Float64Array
  readonly prefetchedAt: Float64Array
  readonly leaving: Uint8Array
  readonly switchCosts: SwitchCosts
  /** How many times longer than expected burning takes, since there are more workers than cores. */
  readonly slowdown: number
  runPayloads: Payloads | null
  /** Time 0 of the run, on the environment's clock. */
  origin: Micros
  now: Micros
  /** When the next job arrives (below 0: none does), how many have arrived, and the index of the next worker event. */
  nextArrival: Micros
  arrived: number
  nextEvent: number
  readonly phases: Phases
  /** Null unless the policy is elastic. */
  readonly controllerClock: ControllerClock | null
  /** The longest time that a batch has taken so far, minus the time that the machine was asleep. */
  longestBatch: Micros
  handedOver: Micros
}

export function createConductedRun(
  scenario: Scenario,
  listener: ThreadsListener,
  pool: Pool,
  diagnostics: Diagnostics,
  { cores, comers }: Pick<Environment, 'cores' | 'comers'>,
  startCode?: StartCode,
): ConductedRun {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const groupOf = groupingOf(scenario)
  const burns = scenario.stages.some((stage) => stage.work !== 'wait')
  return {
    scenario,
    core: createCore(scenario, services.at, groupOf, routingOf(scenario), startCode),
    services,
    arrivals,
    journal: createJournal(),
    listener,
    pool,
    diagnostics,
    inbox: createInbox(),
    failing: scenario.stages.map((stage) => new Set(stage.fails?.jobs)),
    joining: new Set(),
    comers: comers ?? null,
    wanted: Uint8Array.from({ length: workers }, (_, worker) => (worker < initialWorkerCount(scenario) ? 1 : 0)),
    emptySince: Infinity,
    givenAt: new Float64Array(workers),
    prefetchedAt: new Float64Array(workers),
    leaving: new Uint8Array(workers),
    switchCosts: createSwitchCosts(scenario, workers, groupOf),
    slowdown: burns ? Math.max(1, workers / (cores || 1)) : 1,
    runPayloads: null,
    origin: 0,
    now: 0,
    nextArrival: arrivals.next(),
    arrived: 0,
    nextEvent: 0,
    controllerClock: createControllerClock(scenario),
    phases: createPhases(scenario),
    longestBatch: 0,
    handedOver: 0,
  }
}
