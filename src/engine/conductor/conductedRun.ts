import { createJournal } from '../../pipeline/journal.ts'
import { createSwitchCosts, withoutSwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { hasCode, type Micros, type Scenario } from '../../scenario/model/scenario.ts'
import { Carrying } from '../../scheduler/carrying.ts'
import type { StartCode } from '../../scheduler/codePolicy.ts'
import { createCore } from '../../scheduler/core.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { groupingOf } from '../../workload/groups.ts'
import { createServices, routingOf, sizesOf, startUpsOf, victimsOf } from '../../workload/service.ts'
import { createClients, createControllerClock, createPhases, type Listener } from '../engine.ts'
import type { TilePixels } from '../work/mandelbrot.ts'
import type { Output, Payloads } from '../work/payloads.ts'
import type { Environment } from './environment.ts'
import { createInbox } from './inbox.ts'
import type { Pool } from './pool.ts'

export interface ThreadsListener extends Listener {
  /** A worker has answered before time 0. At time 0 a journal is sent, even without rows. */
  ready?(worker: number): void
  /** The code of the policy is about to decide, or the thread is free again. */
  deciding?(deciding: boolean): void
  /** The output of a run over records. Called once, before `ended`, unless the run was stopped. */
  output?(output: Output): void
  /** Finished tiles of a picture, before the journal that reports them. The listener may keep them. */
  tiles?(tiles: readonly TilePixels[]): void
}

/** What a run of functions has in place of what a scenario makes up: inputs that come when they come, values, and limits by stage. */
export interface OwnWork {
  /** May answer `NOT_YET`; wake the conductor when that has changed. */
  readonly arrivals: Arrivals
  readonly payloads: Payloads
  /** By stage: how many workers may be there at once; null: no stage has such a limit. */
  readonly limits: readonly number[] | null
  /** By stage: how many threads may end at an input until it has failed. */
  readonly threadEnds: readonly number[]
  /** By stage: how long a thread may be silent over one batch; Infinity: without limit. */
  readonly silence: readonly Micros[]
}

export interface Diagnostics {
  /** Replies that arrived after their worker was given up. */
  ignored: number
  instants: number
}

/** One run on threads, as its conductor sees it. Times are on the run's clock, which is 0 when all workers have answered. */
export type ConductedRun = ReturnType<typeof createConductedRun>

export function createConductedRun(
  scenario: Scenario,
  listener: ThreadsListener,
  pool: Pool,
  diagnostics: Diagnostics,
  { cores, newWorkers }: Pick<Environment, 'cores' | 'newWorkers'>,
  startCode?: StartCode,
  own: OwnWork | null = null,
) {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = own?.arrivals ?? createArrivals(scenario)
  const groupOf = groupingOf(scenario)
  const burns = scenario.stages.some((stage) => stage.work !== 'wait')
  const startUps = startUpsOf(scenario)
  const core = createCore(
    scenario,
    sizesOf(scenario, services.at),
    groupOf,
    routingOf(scenario),
    startCode,
    startUps,
    victimsOf(scenario),
  )
  if (own !== null || hasCode(scenario)) core.state.threadEnds = new Map()
  if (own !== null) core.state.threadEndsAllowed.set(own.threadEnds)
  const limits = own?.limits ?? null
  // A policy under which workers carry jobs may follow in mid-run, and a replay of the record knows from the beginning that it will.
  if (own !== null && limits === null) core.carrying ??= new Carrying(scenario.stages.length)
  if (limits !== null) core.assignments.limits = Int32Array.from(core.stageOf, (stage) => limits[stage])
  // A worker sets itself up for its first stage too.
  if (own !== null && core.roundTrips !== null) core.roundTrips.firstCosts = scenario.switchCost > 0
  return {
    /** Changes when the run gets new settings from outside. */
    scenario: own === null ? scenario : { ...scenario, workerEvents: [] },
    core,
    own,
    services,
    arrivals,
    journal: createJournal(),
    listener,
    pool,
    diagnostics,
    inbox: createInbox(),
    failing: scenario.stages.map((stage): ReadonlySet<number> => new Set(stage.fails?.jobs)),
    /** Workers whose thread has been started and has not answered yet. */
    joining: new Set<number>(),
    /** Threads that join during the run; null if none can. */
    newWorkers: newWorkers ?? null,
    /** By worker: 1 if the scenario has this worker now, so that a new thread may take its number. */
    wanted: Uint8Array.from({ length: workers }, (_, worker) => (worker < scenario.workers ? 1 : 0)),
    /** The time, by `NewWorkers.waited`, since which there is no worker; Infinity if there is one. */
    emptySince: Infinity,
    /** By worker: since when it may be at its batch, when its prefetched batch was given, and whether it leaves after its batch. */
    givenAt: new Float64Array(workers),
    prefetchedAt: new Float64Array(workers),
    leaving: new Uint8Array(workers),
    switchCosts: own === null ? createSwitchCosts(scenario, workers, groupOf, startUps) : withoutSwitchCosts,
    /** How many times longer than expected burning takes, since there are more workers than cores. */
    slowdown: burns ? Math.max(1, workers / (cores || 1)) : 1,
    runPayloads: null as Payloads | null,
    /** Time 0 of the run, on the environment's clock. */
    origin: 0,
    now: 0,
    /** When the next job arrives (below 0: none does), how many have arrived, and the index of the next worker event. */
    nextArrival: arrivals.next(),
    arrived: 0,
    nextEvent: 0,
    /** Null unless the policy is elastic. */
    controllerClock: createControllerClock(scenario),
    phases: createPhases(scenario),
    /** Null unless clients give up. */
    clients: own === null ? createClients(scenario) : null,
    /** The longest time that a batch has taken so far, minus the time that the machine was asleep. */
    longestBatch: 0,
    handedOver: 0,
  }
}
