import { msg } from '../../language/msg.ts'
import { BUSY, frontOf, isDrained } from '../../pipeline/counts.ts'
import { clearJournal, type Ending } from '../../pipeline/journal.ts'
import { ARRIVED, EXHAUSTED, HIRED, NONE, PREFETCH, pushFinished, pushRow, STARTED, STOPPED, TICK } from '../../pipeline/rows.ts'
import { isWaiting } from '../../pipeline/state.ts'
import { CLOCK_END } from '../../scenario/model/limits.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { dispatch } from '../../scheduler/dispatch.ts'
import type { Engine } from '../engine.ts'
import { sendGranted } from '../granted.ts'
import { pushPhases } from '../phases.ts'
import { advanceTicker, isAtRest, noteRows } from '../ticker.ts'
import { book, nextDue, takeDue } from './calendar.ts'
import { fallSilent, greet, leaveAfterBatch, loseWorker, pushFaults, workerEvents } from './faults.ts'
import { createSimulatedRun, FINISHES, type SimulatedRun, THROWS } from './run.ts'
import { burn, nextThrough, passTime, takeThrough } from './sharedCores.ts'

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
      const simulation = createSimulatedRun(scenario, listener)
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

/** Plays instant after instant until the journal is full or the run has ended. */
function play(run: SimulatedRun): Ending | null {
  const { core, journal } = run
  while (journal.rows.length < ROWS_A_BREATH) {
    const exhausted = core.state.counts.exhausted
    const other = nextInstant(run)
    // A source without jobs runs dry at the first instant, which no turn makes.
    const turn = run.arrival < 0 && !exhausted ? Infinity : run.turns.next
    const time = Math.min(other, turn, run.ticker === null ? Infinity : run.ticker.next)
    if (other === Infinity && exhausted && isHopeless(run)) return 'stuck'
    if (time >= CLOCK_END && time < Infinity) return endOfTime(run)
    const from = journal.rows.length
    run.now = time === Infinity ? run.now : time
    gatherFacts(run, exhausted)
    if (journal.rows.length === from) continue
    const facts = dispatch(core, journal, from)
    if (run.ticker !== null) noteRows(run.ticker, journal.rows, from)
    bookOrders(run, facts)
    if (isDrained(core.state.counts)) return 'drained'
  }
  return null
}

/** To be asked where nothing but ticks and turns could follow: whether neither will bring any work. */
function isHopeless({ core, turns, ticker, now }: SimulatedRun): boolean {
  if (ticker === null) return turns.next === Infinity || core.state.counts.live === 0
  return turns.next === Infinity && isAtRest(ticker, now)
}

/** No parse foresees what a heavy tail will draw: where the clock cannot tell the next instant the run ends before it. */
function endOfTime({ listener, now }: SimulatedRun): Ending {
  listener.failure({ time: now, kind: 'run', reason: msg('the next thing would happen after 142 years, where the clock of a run ends') })
  return 'stuck'
}

function stopAt(run: SimulatedRun): Ending {
  pushRow(run.journal.rows, run.now, STOPPED, NONE, NONE, NONE)
  dispatch(run.core, run.journal, run.journal.rows.length - 1)
  return 'stopped'
}

function nextInstant(run: SimulatedRun): Micros {
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
function gatherFacts(run: SimulatedRun, exhausted: boolean): void {
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
  if (thrown.length > 0 || lost.length > 0 || run.joined.length > 0) pushFaults(run)
  if (run.turns.next === now) {
    const { cores } = pushPhases(run)
    if (shared !== null) shared.cores = cores
  }
  while (run.arrival === now) {
    pushRow(rows, now, ARRIVED, NONE, NONE, run.arrived++)
    run.arrival = run.arrivals.next()
  }
  if (run.arrival < 0 && !exhausted) pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
  if (run.ticker !== null && run.ticker.next <= now) {
    pushRow(rows, now, TICK, NONE, NONE, NONE)
    advanceTicker(run.ticker, now)
  }
}

/** The booking of a worker is due. */
function turnOut(run: SimulatedRun, worker: number): void {
  const outcome = run.outcome[worker]
  if (outcome === FINISHES) finish(run, worker)
  else if (outcome === THROWS) run.thrown.push(worker)
  else loseWorker(run, worker, msg('has not answered and is given up'))
}

/** A batch is through: its jobs in ascending order, each with the time in which it was served. */
function finish(run: SimulatedRun, worker: number): void {
  const { now, services } = run
  const { rows } = run.journal
  const { hands, counts } = run.core.state
  const front = frontOf(counts, worker)
  const hand = hands[worker]
  const stage = counts.stage[worker]
  if (counts.prefetching[worker] === 1) run.next.push(worker)
  const began = run.given[worker] + run.changing[worker]
  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)
  if (front === 1) {
    pushFinished(rows, now, stage, worker, hand[0], began, now)
    return
  }
  // On shared cores the batch took longer than its work; each job has its part of that.
  const stretch = (now - began) / (run.work[worker] - run.changing[worker])
  let worked = 0
  const served = (front === hand.length ? hand : hand.slice(0, front)).map((job, k) => {
    if (k > 0) worked += run.changes.between(worker, hand[k - 1], job)
    const from = began + Math.round(worked * stretch)
    worked += services.at(stage, job)
    return { job, from, to: began + Math.round(worked * stretch) }
  })
  served.sort((a, b) => a.job - b.job)
  for (const { job, from, to } of served) pushFinished(rows, now, stage, worker, job, from, to)
}

/** Books what the orders since `from` begin: a batch is a run of `started` rows of one worker. Who waits for a resource is booked when it is granted. */
function bookOrders(run: SimulatedRun, from: number): void {
  const { rows } = run.journal
  const { state } = run.core
  sendGranted(state, (worker, stage) => bookFront(run, worker, stage))
  if (run.next.length > 0) beginSeconds(run)
  for (let i = from; i < rows.length; ) {
    if (rows.kind[i] !== STARTED) {
      if (rows.kind[i] === HIRED) greet(run, rows.worker[i])
      // A second batch is begun when the first is through.
      if (rows.kind[i] === PREFETCH) while (rows.kind[i + 1] === STARTED && rows.worker[i + 1] === rows.worker[i] && i + 1 < rows.length) i++
      i++
      continue
    }
    const worker = rows.worker[i]
    const stage = rows.stage[i]
    while (i < rows.length && rows.kind[i] === STARTED && rows.worker[i] === worker) i++
    if (!isWaiting(state, worker)) bookFront(run, worker, stage)
  }
}

/** Whoever is through with a batch and has another begins it at once, unless it was lost at this very instant. */
function beginSeconds(run: SimulatedRun): void {
  const { counts } = run.core.state
  for (const worker of run.next) if (counts.status[worker] === BUSY) bookFront(run, worker, counts.stage[worker])
  run.next.length = 0
}

/** Books the batch that a worker begins now: of what it has in hand, the first. */
function bookFront(run: SimulatedRun, worker: number, stage: number): void {
  const { hands, counts } = run.core.state
  const hand = hands[worker]
  const front = frontOf(counts, worker)
  bookBatch(run, worker, stage, front === hand.length ? hand : hand.slice(0, front))
}

function bookBatch(run: SimulatedRun, worker: number, stage: number, jobs: readonly number[]): void {
  const { services, scenario, now, changes } = run
  const failing = run.failing[stage]
  const changing = changes.before(worker, stage, jobs, run.turns.taken)
  let work = changing
  let outcome = FINISHES
  for (let k = 0; k < jobs.length && outcome === FINISHES; k++) {
    if (k > 0) work += changes.between(worker, jobs[k - 1], jobs[k])
    work += services.at(stage, jobs[k])
    if (failing.size > 0 && failing.has(jobs[k])) outcome = THROWS
  }
  run.given[worker] = now
  run.changing[worker] = changing
  run.work[worker] = work
  run.outcome[worker] = outcome
  if (work > run.longestBatch) run.longestBatch = work
  if (run.hung[worker] === 1) fallSilent(run, worker)
  else if (run.shared !== null && scenario.stages[stage].work !== 'wait') burn(run.shared, worker, work)
  else book(run.calendar, worker, now + work)
}
