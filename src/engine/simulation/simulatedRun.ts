import { isDivisorRule } from '../../allocation/rules.ts'
import { msg } from '../../language/msg.ts'
import { createJournal, type Ending, type Journal } from '../../pipeline/journal.ts'
import { looksAhead } from '../../pipeline/outlook.ts'
import { createSwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { MAX_RESENDS, resendAfter } from '../../scenario/model/limits.ts'
import { isLinear } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario, Stage } from '../../scenario/model/scenario.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import type { StartCode } from '../../scheduler/codePolicy.ts'
import { createCore } from '../../scheduler/core.ts'
import { createArrivals } from '../../workload/arrivals.ts'
import { groupingOf } from '../../workload/groups.ts'
import { createRandom, randomKey } from '../../workload/random.ts'
import { createServices, routingOf, sizesOf, startUpsOf, victimsOf } from '../../workload/service.ts'
import { createClients, createControllerClock, createPhases, type Listener } from '../engine.ts'
import { Calendar, createSharedCores } from './calendar.ts'

/** A simulated run, with columns by worker. */
export type SimulatedRun = ReturnType<typeof createSimulatedRun>

export const FINISHES = 0
export const THROWS = 1
export const SILENT = 2

export function createSimulatedRun(scenario: Scenario, listener: Listener, startCode?: StartCode) {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const groupOf = groupingOf(scenario)
  const startUps = startUpsOf(scenario)
  const messages = messageTimesOf(scenario)
  // Over a network each worker is a machine of its own, with a core of its own.
  const crowded =
    messages === null &&
    phasesOf(scenario).some(({ cores }) => workers > cores) &&
    scenario.stages.some((stage) => stage.work !== 'wait')
  return {
    scenario,
    core: createCore(
      scenario,
      sizesOf(scenario, services.at),
      groupOf,
      routingOf(scenario),
      startCode,
      startUps,
      victimsOf(scenario),
    ),
    services,
    arrivals,
    journal: createJournal(),
    listener,
    calendar: new Calendar(workers),
    /** The cores of burning workers; null if there are enough for all. */
    shared: crowded ? createSharedCores(scenario.cores, workers) : null,
    messages,
    givenAt: new Float64Array(workers),
    /** When the batch began; over a network that is after it was given, or, with a second batch in hand, before the answer to the first. */
    beganAt: new Float64Array(workers),
    /** How long the two messages of the batch take, when the worker finishes it, and when its second batch arrives. */
    messageTime: new Float64Array(workers),
    freeAt: new Float64Array(workers),
    prefetchedAt: new Float64Array(workers),
    /** The switch cost before the first job, and the sum of that and all services. */
    switchTime: new Float64Array(workers),
    work: new Float64Array(workers),
    switchCosts: createSwitchCosts(scenario, workers, groupOf, startUps),
    /** The meaning of the booking: the worker FINISHES, it THROWS, or it is given up because it is SILENT. */
    outcome: new Uint8Array(workers),
    hung: new Uint8Array(workers),
    leaving: new Uint8Array(workers),
    failing: scenario.stages.map((stage): ReadonlySet<number> => new Set(stage.fails?.jobs)),
    /** Whether each batch is one job and lasts its service time: nothing throws, hangs, shares a core or was in progress before. */
    jobByJob: messages === null && !crowded && servesJobByJob(scenario),
    /** The workers that are due at this instant, and how many. */
    due: new Int32Array(workers),
    dueCount: 0,
    thrown: [] as number[],
    lost: [] as number[],
    joined: [] as number[],
    /** The workers that have finished a batch at this instant and have a prefetched one in hand. */
    withPrefetch: [] as number[],
    now: 0,
    nextArrival: arrivals.next(),
    arrived: 0,
    nextEvent: 0,
    longestBatch: 0,
    /** Null unless the policy is elastic. */
    controllerClock: createControllerClock(scenario),
    phases: createPhases(scenario),
    /** Null unless clients give up. */
    clients: createClients(scenario),
  }
}

function servesJobByJob(scenario: Scenario): boolean {
  const { stages, workerEvents } = scenario
  const phases = phasesOf(scenario).every(
    (phase) =>
      phase.batch.size === 1 && phase.batch.inHand === 1 && phase.switchCost === 0 && phase.groupSwitchCost === 0,
  )
  return (
    phases &&
    workerEvents.length === 0 &&
    stages.every(({ resource, fails, startUp }) => resource === null && fails === null && startUp === null)
  )
}

export interface RunUnderWay {
  /** The rows and decisions since it was cleared. */
  readonly journal: Journal
  /** Plays instant after instant until the journal has this many rows. Returns how the run ended; null: it continues. */
  play(rowsAtMost: number): Ending | null
  /** Ends the run at the present instant. */
  stop(): Ending
}

/** Ends the run at the last time the clock can count. A heavy tail can reach it, which parsing cannot predict. */
export function clockEnded(listener: Listener, now: Micros): Ending {
  listener.failure({
    time: now,
    kind: 'run',
    reason: msg('the next thing would happen after 142 years, where the clock of a run ends'),
  })
  return 'stuck'
}

/** Whether a scenario has no special feature: FIFO queues in a line, one job at a time, and workers that stay. */
export function isPlain(scenario: Scenario): boolean {
  const { policy, stages, batch, order, workers, cores } = scenario
  return (
    isDivisorRule(policy.kind) &&
    !looksAhead(policy) &&
    isLinear(scenario) &&
    stages.every(isPlainStage) &&
    batch.size === 1 &&
    batch.inHand === 1 &&
    order.kind === 'none' &&
    scenario.source.retry === undefined &&
    scenario.workerEvents.length === 0 &&
    scenario.later.length === 0 &&
    scenario.switchCost === 0 &&
    scenario.groupSwitchCost === 0 &&
    scenario.network === null &&
    (workers <= cores || stages.every(({ work }) => work === 'wait'))
  )
}

function isPlainStage({ discipline, capacity, resource, fails, startUp }: Stage): boolean {
  return discipline === 'fifo' && capacity === null && resource === null && fails === null && startUp === null
}

/** How long the two messages of a batch travel. A batch is named by its stage and its first job. */
export type MessageTimes = { there(stage: number, job: number): Micros; back(stage: number, job: number): Micros }

/** Returns how long messages take; null without a network: half the round trip, and `resendAfter` for each loss, drawn by (seed, stage, job), way, try. */
export function messageTimesOf({
  network,
  seed,
  stages,
}: Pick<Scenario, 'network' | 'seed' | 'stages'>): MessageTimes | null {
  if (network === null) return null
  const { roundTrip, loss } = network
  const there = Math.floor(roundTrip / 2)
  const again = resendAfter(roundTrip)
  // Stage ids contain no space, so this key is unique.
  const random = stages.map(({ id }) => createRandom(seed, randomKey(`${id} messages`)))
  const waited = (stage: number, job: number, way: 0 | 1): Micros => {
    let lost = 0
    if (loss > 0) while (lost < MAX_RESENDS && random[stage](job, 2 * lost + way) < loss) lost++
    return lost * again
  }
  return {
    there: (stage, job) => there + waited(stage, job, 0),
    back: (stage, job) => roundTrip - there + waited(stage, job, 1),
  }
}
