import { clearJournal, createJournal, type Ending, type Failure, type Journal } from '../../pipeline/journal.ts'
import { ARRIVED, EXHAUSTED, HIRED, JOINED, LOST, NONE, pushFinished, pushRow, STARTED, STOPPED, THREW, TICK } from '../../pipeline/rows.ts'
import { ABSENT, BUSY, GONE, isDrained } from '../../pipeline/tally.ts'
import { workersEver } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/scenario.ts'
import { type Core, createCore, dispatch } from '../../scheduler/dispatch.ts'
import { type Arrivals, createArrivals } from '../../workload/arrivals.ts'
import { createServices, type Services } from '../../workload/service.ts'
import type { Engine, Listener } from '../engine.ts'
import { patience } from '../patience.ts'
import { advance, createTicker, isAtRest, noteRows, type Ticker } from '../ticker.ts'
import { book, type Calendar, cancel, createCalendar, nextDue, takeDue } from './calendar.ts'
import { burn, createSharedCores, nextThrough, passTime, type SharedCores, stopBurning, takeThrough } from './sharedCores.ts'

/** Rows that are played between two breaths, when the journal is handed over and Stop can come through. */
const ROWS_A_BREATH = 16_384

/**
 * The engine on a virtual clock: plays a scenario as fast as it can be worked out, the same in every browser and in Node.
 *
 * @param breathe called between stretches of a few milliseconds; a thread that wants to hear Stop lets messages in here
 */
export function createSimulation(breathe: () => Promise<void> = async () => {}): Engine {
  let stopped = false
  return {
    async start(scenario, listener) {
      const simulation = createRun(scenario, listener)
      let ending: Ending | null = null
      while (ending === null) {
        ending = stopped ? stopAt(simulation) : play(simulation)
        listener.journal(simulation.journal)
        clearJournal(simulation.journal)
        if (ending === null) await breathe()
      }
      listener.ended(ending)
    },
    stop() {
      stopped = true
    },
  }
}

/** One run under way. By worker: when its batch was given, how much of that went into changing stage, the work foretold. */
interface Run {
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
  readonly stageBefore: Int16Array
  /** How the booking of a worker will turn out: FINISHES, or it THROWS, or it is found SILENT. */
  readonly outcome: Uint8Array
  readonly hung: Uint8Array
  readonly leaving: Uint8Array
  readonly failing: readonly ReadonlySet<number>[]
  readonly due: number[]
  readonly thrown: number[]
  readonly lost: number[]
  readonly joined: number[]
  now: Micros
  arrival: Micros
  arrived: number
  event: number
  longestBatch: Micros
  /** Of an elastic policy, else null. */
  readonly ticker: Ticker | null
}

const FINISHES = 0
const THROWS = 1
const SILENT = 2

function createRun(scenario: Scenario, listener: Listener): Run {
  const workers = workersEver(scenario)
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const crowded = workers > scenario.cores && scenario.stages.some((stage) => stage.work !== 'wait')
  return {
    scenario,
    core: createCore(scenario, services.at),
    services,
    arrivals,
    journal: createJournal(),
    listener,
    calendar: createCalendar(workers),
    shared: crowded ? createSharedCores(scenario.cores, workers) : null,
    given: new Float64Array(workers),
    changing: new Float64Array(workers),
    work: new Float64Array(workers),
    stageBefore: new Int16Array(workers).fill(NONE),
    outcome: new Uint8Array(workers),
    hung: new Uint8Array(workers),
    leaving: new Uint8Array(workers),
    failing: scenario.stages.map((stage) => new Set(stage.fails?.jobs)),
    due: [],
    thrown: [],
    lost: [],
    joined: [],
    now: 0,
    arrival: arrivals.next(),
    arrived: 0,
    event: 0,
    longestBatch: 0,
    ticker: createTicker(scenario),
  }
}

/** Plays instant after instant until the journal is full or the run has ended. */
function play(run: Run): Ending | null {
  const { core, journal } = run
  while (journal.rows.length < ROWS_A_BREATH) {
    const exhausted = core.state.tally.exhausted
    const other = nextInstant(run)
    const time = run.ticker === null ? other : Math.min(other, run.ticker.next)
    if (other === Infinity && exhausted && (run.ticker === null || isAtRest(run.ticker, run.now))) return 'stuck'
    const from = journal.rows.length
    run.now = time === Infinity ? run.now : time
    gatherFacts(run, exhausted)
    if (journal.rows.length === from) continue
    const facts = dispatch(core, journal, from)
    if (run.ticker !== null) noteRows(run.ticker, journal.rows, from)
    bookOrders(run, facts)
    if (isDrained(core.state.tally)) return 'drained'
  }
  return null
}

function stopAt(run: Run): Ending {
  pushRow(run.journal.rows, run.now, STOPPED, NONE, NONE, NONE)
  dispatch(run.core, run.journal, run.journal.rows.length - 1)
  return 'stopped'
}

function nextInstant(run: Run): Micros {
  let time = nextDue(run.calendar)
  if (run.shared !== null) {
    const through = nextThrough(run.shared)
    if (through < time) time = through
  }
  if (run.arrival >= 0 && run.arrival < time) time = run.arrival
  const { workerEvents } = run.scenario
  if (run.event < workerEvents.length && workerEvents[run.event].at < time) time = workerEvents[run.event].at
  return time
}

/** Appends the facts of the present instant in the order of law 11. */
function gatherFacts(run: Run, exhausted: boolean): void {
  const { now, calendar, shared, due, thrown, lost } = run
  const { rows } = run.journal
  if (shared === null) while (nextDue(calendar) === now) turnOut(run, takeDue(calendar))
  else {
    while (nextDue(calendar) === now) due.push(takeDue(calendar))
    passTime(shared, now)
    takeThrough(shared, due)
    if (due.length > 1) due.sort((a, b) => a - b)
    for (const worker of due) turnOut(run, worker)
    due.length = 0
  }
  if (run.event < run.scenario.workerEvents.length) workerEvents(run)
  if (thrown.length > 0 || lost.length > 0 || run.joined.length > 0) pushTroubles(run)
  while (run.arrival === now) {
    pushRow(rows, now, ARRIVED, NONE, NONE, run.arrived++)
    run.arrival = run.arrivals.next()
  }
  if (run.arrival < 0 && !exhausted) pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
  if (run.ticker !== null && run.ticker.next <= now) {
    pushRow(rows, now, TICK, NONE, NONE, NONE)
    advance(run.ticker, now)
  }
}

/** The booking of a worker is due. */
function turnOut(run: Run, worker: number): void {
  const outcome = run.outcome[worker]
  if (outcome === FINISHES) finish(run, worker)
  else if (outcome === THROWS) run.thrown.push(worker)
  else lose(run, worker, 'has not answered and is given up')
}

/** A batch is through: its jobs in ascending order, each with the time in which it was served. */
function finish(run: Run, worker: number): void {
  const { now, services } = run
  const { rows } = run.journal
  const hand = run.core.state.hands[worker]
  const stage = run.core.state.tally.stage[worker]
  const began = run.given[worker] + run.changing[worker]
  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)
  if (hand.length === 1) {
    pushFinished(rows, now, stage, worker, hand[0], began, now)
    return
  }
  // On shared cores the batch took longer than its work; each job has its part of that.
  const stretch = (now - began) / (run.work[worker] - run.changing[worker])
  let worked = 0
  const served = hand.map((job) => {
    const from = began + Math.round(worked * stretch)
    worked += services.at(stage, job)
    return { job, from, to: began + Math.round(worked * stretch) }
  })
  served.sort((a, b) => a.job - b.job)
  for (const { job, from, to } of served) pushFinished(rows, now, stage, worker, job, from, to)
}

/** Who has been dismissed as well goes by itself. */
function leaveAfterBatch(run: Run, worker: number): void {
  if (run.core.state.tally.leaving[worker] === 0) run.lost.push(worker)
}

/** Throws, losses and joins, in the order of law 11. */
function pushTroubles(run: Run): void {
  const { now, thrown, lost, joined } = run
  const { rows } = run.journal
  for (const worker of thrown) throwBatch(run, worker)
  for (const worker of lost.sort((a, b) => a - b)) pushRow(rows, now, LOST, NONE, worker, NONE)
  for (const worker of joined) pushRow(rows, now, JOINED, NONE, worker, NONE)
  thrown.length = 0
  lost.length = 0
  joined.length = 0
}

function throwBatch(run: Run, worker: number): void {
  const { state } = run.core
  const stage = state.tally.stage[worker]
  const job = state.hands[worker].find((one) => run.failing[stage].has(one)) ?? NONE
  pushRow(run.journal.rows, run.now, THREW, stage, worker, job)
  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)
  run.listener.failure({ time: run.now, kind: 'job', stage, worker, job, reason: 'throws, as the scenario says' })
}

/** Applies the scenario's worker events of the present instant. */
function workerEvents(run: Run): void {
  const { status, leaving } = run.core.state.tally
  const { workerEvents: events } = run.scenario
  for (; run.event < events.length && events[run.event].at <= run.now; run.event++) {
    const { kind, worker } = events[run.event]
    // Whoever finishes at this very instant still counts as busy here, but has no booking left.
    const underway = status[worker] === BUSY && isBooked(run, worker)
    if (kind === 'join') run.joined.push(worker)
    else if (kind !== 'hang' && run.joined.includes(worker)) run.joined.splice(run.joined.indexOf(worker), 1)
    else if (status[worker] === GONE || status[worker] === ABSENT || run.lost.includes(worker)) continue
    // Dismissed, and through at this very instant: it goes by itself.
    else if (leaving[worker] === 1 && !underway) continue
    else if (kind === 'crash') lose(run, worker, 'crashed')
    else if (kind === 'hang') {
      run.hung[worker] = 1
      if (underway) fallSilent(run, worker)
    } else if (underway) run.leaving[worker] = 1
    else run.lost.push(worker)
  }
}

function lose(run: Run, worker: number, reason: string): void {
  const failure: Failure = { time: run.now, kind: 'worker', worker, reason }
  unbook(run, worker)
  const i = run.thrown.indexOf(worker)
  if (i >= 0) run.thrown.splice(i, 1)
  run.lost.push(worker)
  run.listener.failure(failure)
}

/** Books what the orders since `from` begin: a batch is a run of `started` rows of one worker. */
function bookOrders(run: Run, from: number): void {
  const { rows } = run.journal
  for (let i = from; i < rows.length; ) {
    if (rows.kind[i] !== STARTED) {
      if (rows.kind[i] === HIRED) greet(run, rows.worker[i])
      i++
      continue
    }
    const worker = rows.worker[i]
    const begin = i
    while (i < rows.length && rows.kind[i] === STARTED && rows.worker[i] === worker) i++
    bookBatch(run, worker, rows.stage[begin], begin, i)
  }
}

/** A new worker under an old number: it comes from no stage, and does not hang because the one before did. */
function greet(run: Run, worker: number): void {
  run.stageBefore[worker] = NONE
  run.hung[worker] = 0
  run.leaving[worker] = 0
}

function bookBatch(run: Run, worker: number, stage: number, begin: number, end: number): void {
  const { rows } = run.journal
  const { services, scenario, now } = run
  const failing = run.failing[stage]
  const before = run.stageBefore[worker]
  const changing = before === NONE || before === stage ? 0 : scenario.switchCost
  let work = changing
  let outcome = FINISHES
  for (let i = begin; i < end && outcome === FINISHES; i++) {
    work += services.at(stage, rows.job[i])
    if (failing.size > 0 && failing.has(rows.job[i])) outcome = THROWS
  }
  run.stageBefore[worker] = stage
  run.given[worker] = now
  run.changing[worker] = changing
  run.work[worker] = work
  run.outcome[worker] = outcome
  if (work > run.longestBatch) run.longestBatch = work
  if (run.hung[worker] === 1) fallSilent(run, worker)
  else if (run.shared !== null && scenario.stages[stage].work !== 'wait') burn(run.shared, worker, work)
  else book(run.calendar, worker, now + work)
}

/** A worker will never answer: what is booked is that this is noticed. */
function fallSilent(run: Run, worker: number): void {
  unbook(run, worker)
  run.outcome[worker] = SILENT
  book(run.calendar, worker, Math.max(run.now + 1, run.given[worker] + patience(run.work[worker], run.longestBatch)))
}

function isBooked(run: Run, worker: number): boolean {
  return run.calendar.place[worker] >= 0 || (run.shared !== null && run.shared.calendar.place[worker] >= 0)
}

function unbook(run: Run, worker: number): void {
  cancel(run.calendar, worker)
  if (run.shared !== null) stopBurning(run.shared, worker)
}
