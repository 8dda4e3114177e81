import { addEntry, extractEntry, type HeapEntry } from '../pipeline/discipline.ts'
import type { Ending, Failure, Journal } from '../pipeline/journal.ts'
import { GAVE_UP, NONE, PHASE, pushRow, RENEGED, RETRIED, type Rows, rowTime, TICK } from '../pipeline/rows.ts'
import { isWaiting, type State } from '../pipeline/state.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import { MAX_JOBS, MAX_TICKS } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../scenario/model/schedule.ts'
import { countJobs, type Retry } from '../scenario/model/sources.ts'
import type { StartCode } from '../scheduler/codePolicy.ts'
import { patienceOf } from '../workload/service.ts'

/** The callbacks of an engine. The journal belongs to the engine and is reused after the call: copy what you keep. */
export interface Listener {
  journal(journal: Journal): void
  failure(failure: Failure): void
  /** Called once, after the last journal. */
  ended(ending: Ending): void
}

/** Loads the sandbox for the code of a policy, for one run. Called only for a scenario that needs it. */
export type LoadCode = () => Promise<StartCode>

/** Plays one scenario. Creating an engine starts nothing. */
export interface Engine {
  /** Plays the scenario once, from time 0. Resolves after `ended` of the listener has been called. */
  start(scenario: Scenario, listener: Listener): Promise<void>
  /** Ends the run at the next instant. Jobs in progress stay unfinished. */
  stop(): void
}

/** Tells the listener why the policy could not decide. Such a run ends at this instant. */
export function policyFailed(listener: Listener, time: Micros, reason: string): Ending {
  listener.failure({ time, kind: 'run', reason })
  return 'stuck'
}

/** When the controllers of an elastic policy run: every `every` from time 0 on. Each time is one tick. */
export interface ControllerClock {
  every: Micros
  /** The time of the next tick; Infinity after the last that a run may have. */
  next: Micros
  ticks: number
  /** When the last row other than a tick was added. */
  lastActivity: Micros
}

/** A run in which only ticks can follow is stuck after this much time without another row. */
const IDLE_LIMIT: Micros = 10_000_000

/** Returns null if the policy has no controllers. */
export function createControllerClock({ policy }: Scenario): ControllerClock | null {
  return isElastic(policy) ? { every: policy.every, next: 0, ticks: 0, lastActivity: 0 } : null
}

/** Advances the clock after a tick at `now`. A late engine skips the ticks that it has missed. */
export function advanceControllerClock(clock: ControllerClock, now: Micros): void {
  clock.ticks++
  clock.next = clock.ticks < MAX_TICKS ? (Math.floor(now / clock.every) + 1) * clock.every : Infinity
}

/** Sets the period, which counts from time 0 too. A tick that is already due still happens. */
export function changePeriod(clock: ControllerClock, every: Micros, now: Micros): void {
  clock.every = every
  if (clock.next > now && clock.next < Infinity) clock.next = (Math.floor(now / every) + 1) * every
}

/** Takes note of the rows of an instant, which are those from `from` on. */
export function noteActivity(clock: ControllerClock, rows: Rows, from: number): void {
  if (rows.length - from > 1 || rows.kind[from] !== TICK) clock.lastActivity = rowTime(rows, from)
}

/** Returns whether only ticks have happened for so long that the run is stuck. Call it only if no other events can follow. */
export function isIdle(clock: ControllerClock, now: Micros): boolean {
  return clock.next === Infinity || now - clock.lastActivity >= IDLE_LIMIT
}

/** Which phases of the schedule have begun. */
export interface Phases {
  taken: number
  /** When the next phase begins; Infinity if there is none. */
  next: Micros
}

export function createPhases({ later }: Scenario): Phases {
  return { taken: 0, next: later.length === 0 ? Infinity : later[0].at }
}

interface PhaseChange {
  readonly scenario: Scenario
  readonly journal: Journal
  readonly phases: Phases
  readonly controllerClock: ControllerClock | null
  readonly now: Micros
}

/** Appends a row for each phase that begins by now. Returns the scenario with the values of the latest phase. */
export function pushPhases({ scenario, journal, phases, controllerClock, now }: PhaseChange): Scenario {
  const { later } = scenario
  for (; phases.next <= now; phases.next = later[phases.taken]?.at ?? Infinity)
    pushRow(journal.rows, now, PHASE, NONE, NONE, phases.taken++)
  const held = scenarioAtPhase(scenario, phases.taken)
  if (controllerClock !== null && isElastic(held.policy)) changePeriod(controllerClock, held.policy.every, now)
  return held
}

/** Calls `begin` for each worker that got the resource it waited for. An engine calls this after every dispatch, before it carries out orders. */
export function startGranted(state: State, begin: (worker: number, stage: number) => void): void {
  const { granted, workerJobs, counts } = state
  if (granted.length === 0) return
  // A worker lost at the same instant has no job any more.
  for (const worker of granted)
    if (workerJobs[worker].length > 0 && !isWaiting(state, worker)) begin(worker, counts.stage[worker])
  granted.length = 0
}

/** Added to the number of a job in an entry of `Clients` that is about sending it again. */
const SENDS_AGAIN = MAX_JOBS

/** When clients give up jobs that have not started, and send them again: see `Retry`. */
export class Clients {
  /** When the next client acts; Infinity if none will. */
  next: Micros = Infinity
  private readonly heap: HeapEntry[] = []
  /** By job: how often its client has given up. */
  private readonly gaveUp: Uint8Array
  private readonly retry: Retry
  private readonly patience: (job: number, nth: number) => Micros

  constructor(scenario: Scenario, retry: Retry) {
    this.retry = retry
    this.patience = patienceOf(scenario)
    this.gaveUp = new Uint8Array(countJobs(scenario.source))
  }

  /** Notes that a job was sent at `now`. */
  sent(job: number, now: Micros): void {
    this.add(now + this.patience(job, this.gaveUp[job]), job)
  }

  /** Appends the rows of clients that act by now: jobs given up, those outside first so that no job moves in between, then jobs sent again. */
  act(rows: Rows, now: Micros, { clients, topology }: State): void {
    const leaving: number[] = []
    const returning: number[] = []
    for (; this.heap.length > 0 && this.heap[0].size <= now; extractEntry(this.heap, 0)) {
      const { job } = this.heap[0]
      if (job >= SENDS_AGAIN) returning.push(job - SENDS_AGAIN)
      else if (clients?.unstarted.has(job)) leaving.push(job)
    }
    const isOutside = (job: number) => clients?.outside.has(job) === true
    leaving.sort((a, b) => Number(isOutside(b)) - Number(isOutside(a)) || a - b)
    for (const job of leaving) {
      const stage = isOutside(job) ? NONE : topology.first
      const tries = ++this.gaveUp[job]
      pushRow(rows, now, tries > this.retry.limit ? GAVE_UP : RENEGED, stage, NONE, job)
      if (tries > this.retry.limit) continue
      const wait = this.retry.backoff * (1 << (tries - 1))
      if (wait > 0) this.add(now + wait, job + SENDS_AGAIN)
      else returning.push(job)
    }
    for (const job of returning.sort((a, b) => a - b)) {
      pushRow(rows, now, RETRIED, NONE, NONE, job)
      this.sent(job, now)
    }
    this.next = this.heap.length > 0 ? this.heap[0].size : Infinity
  }

  private add(time: Micros, job: number): void {
    addEntry(this.heap, { job, size: time, rank: job })
    if (time < this.next) this.next = time
  }
}

/** Returns null if no client ever gives up. */
export function createClients(scenario: Scenario): Clients | null {
  return scenario.source.retry === undefined ? null : new Clients(scenario, scenario.source.retry)
}

const MIN_SILENCE: Micros = 2_000_000
const FACTOR = 10

/** Returns how long a worker may be silent over a batch: ten times its expected time or the longest so far, and at least two seconds. */
export function silenceLimit(expected: Micros, longest: Micros): Micros {
  return Math.max(MIN_SILENCE, FACTOR * expected, FACTOR * longest)
}
