import { msg } from '../../language/msg.ts'
import { BUSY, frontOf, isDrained } from '../../pipeline/counts.ts'
import { clearJournal, type Ending, leaveJournal } from '../../pipeline/journal.ts'
import {
  ARRIVED,
  EXHAUSTED,
  HIRED,
  NONE,
  PREFETCH,
  pushFinished,
  pushRow,
  STARTED,
  STOPPED,
  TICK,
} from '../../pipeline/rows.ts'
import { isWaiting } from '../../pipeline/state.ts'
import { CLOCK_END } from '../../scenario/model/limits.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { needsCode, type StartCode } from '../../scheduler/codePolicy.ts'
import type { Core } from '../../scheduler/core.ts'
import { dispatch } from '../../scheduler/dispatch.ts'
import {
  advanceControllerClock,
  type Engine,
  isIdle,
  type Listener,
  type LoadCode,
  noteActivity,
  policyFailed,
  pushPhases,
  startGranted,
} from '../engine.ts'
import { burn, nextDone, passTime, takeDone } from './calendar.ts'
import { applyWorkerEvents, fallSilent, leaveAfterBatch, loseWorker, pushFaults, resetWorker } from './faults.ts'
import { PlainRun } from './plain.ts'
import {
  clockEnded,
  createSimulatedRun,
  FINISHES,
  isPlain,
  type RunUnderWay,
  type SimulatedRun,
  THROWS,
} from './simulatedRun.ts'

/** Rows between two pauses, in which the journal is handed over and Stop is noticed. */
const ROWS_A_SLICE = 16_384

/** Returns the engine on a virtual clock. `letMessagesIn` lets messages in every few milliseconds; `begin` is for tests; `loadCode`: where policy code runs. */
export function createSimulation(
  letMessagesIn: () => Promise<void> = async () => {},
  begin = beginRun,
  loadCode?: LoadCode,
): Engine {
  let stopped = false
  return {
    async start(scenario, listener) {
      const run = begin(scenario, listener, loadCode && needsCode(scenario) ? await loadCode() : undefined)
      let ending: Ending | null = null
      while (ending === null) {
        ending = stopped ? run.stop() : run.play(ROWS_A_SLICE)
        listener.journal(run.journal)
        clearJournal(run.journal)
        if (ending === null) await letMessagesIn()
      }
      leaveJournal(run.journal)
      listener.ended(ending)
    },
    stop() {
      stopped = true
    },
  }
}

function beginRun(scenario: Scenario, listener: Listener, startCode?: StartCode): RunUnderWay {
  return isPlain(scenario) ? new PlainRun(scenario, listener) : beginAnyRun(scenario, listener, startCode)
}

/** Begins a run of any scenario. Its core can be watched. */
export function beginAnyRun(
  scenario: Scenario,
  listener: Listener,
  startCode?: StartCode,
): RunUnderWay & { readonly core: Core } {
  const run = createSimulatedRun(scenario, listener, startCode)
  return { core: run.core, journal: run.journal, play: (rowsAtMost) => play(run, rowsAtMost), stop: () => stopAt(run) }
}

function play(run: SimulatedRun, rowsAtMost: number): Ending | null {
  const { core, journal } = run
  while (journal.rows.length < rowsAtMost) {
    const exhausted = core.state.counts.exhausted
    const other = nextInstant(run)
    // A source without jobs is exhausted at the first instant, which is never the start of a phase.
    const phase = run.nextArrival < 0 && !exhausted ? Infinity : run.phases.next
    const time = Math.min(other, phase, run.controllerClock === null ? Infinity : run.controllerClock.next)
    if (other === Infinity && exhausted && isStuck(run)) return 'stuck'
    if (time >= CLOCK_END && time < Infinity) return clockEnded(run.listener, run.now)
    const from = journal.rows.length
    run.now = time === Infinity ? run.now : time
    gatherFacts(run, exhausted)
    if (journal.rows.length > from) {
      const facts = dispatch(core, journal, from)
      if (run.controllerClock !== null) noteActivity(run.controllerClock, journal.rows, from)
      if (run.jobByJob) bookJobs(run, facts)
      else bookOrders(run, facts)
    }
    if (run.dueCount > 0) clearBookings(run)
    if (core.problem !== null) return policyFailed(run.listener, run.now, core.problem)
    if (isDrained(core.state.counts)) return 'drained'
  }
  return null
}

/** Returns whether the run is stuck, if only ticks and phases can follow. */
function isStuck({ core, phases, controllerClock, now }: SimulatedRun): boolean {
  if (controllerClock === null) return phases.next === Infinity || core.state.counts.live === 0
  return phases.next === Infinity && !core.starting.any && isIdle(controllerClock, now)
}

function stopAt(run: SimulatedRun): Ending {
  pushRow(run.journal.rows, run.now, STOPPED, NONE, NONE, NONE)
  dispatch(run.core, run.journal, run.journal.rows.length - 1)
  return 'stopped'
}

function nextInstant(run: SimulatedRun): Micros {
  let time = run.calendar.next
  if (run.shared !== null) {
    const done = nextDone(run.shared)
    if (done < time) time = done
  }
  if (run.nextArrival >= 0 && run.nextArrival < time) time = run.nextArrival
  if (run.clients !== null && run.clients.next < time) time = run.clients.next
  const { workerEvents } = run.scenario
  if (run.nextEvent < workerEvents.length && workerEvents[run.nextEvent].at < time)
    time = workerEvents[run.nextEvent].at
  return time
}

/** Appends the facts of the present instant, in the fixed order of kinds. */
function gatherFacts(run: SimulatedRun, exhausted: boolean): void {
  const { now, calendar, shared, due, thrown, lost } = run
  const { rows } = run.journal
  if (shared === null) {
    if (calendar.next === now) {
      if (calendar.isFirstAlone) due[run.dueCount++] = calendar.first
      else run.dueCount = calendar.firsts(due)
      for (let i = 0; i < run.dueCount; i++) settleBooking(run, due[i])
    }
  } else {
    const done: number[] = []
    while (calendar.next === now) done.push(calendar.take())
    passTime(shared, now)
    takeDone(shared, done)
    if (done.length > 1) done.sort((a, b) => a - b)
    for (const worker of done) settleBooking(run, worker)
  }
  if (run.nextEvent < run.scenario.workerEvents.length) applyWorkerEvents(run)
  if (thrown.length > 0 || lost.length > 0 || run.joined.length > 0) pushFaults(run)
  if (run.phases.next === now) {
    const { cores } = pushPhases(run)
    if (shared !== null) shared.cores = cores
  }
  const { clients } = run
  if (clients !== null && clients.next === now) clients.act(rows, now, run.core.state)
  while (run.nextArrival === now) {
    if (clients !== null) clients.sent(run.arrived, now)
    pushRow(rows, now, ARRIVED, NONE, NONE, run.arrived++)
    run.nextArrival = run.arrivals.next()
  }
  if (run.nextArrival < 0 && !exhausted) pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
  if (run.controllerClock !== null && run.controllerClock.next <= now) {
    pushRow(rows, now, TICK, NONE, NONE, NONE)
    advanceControllerClock(run.controllerClock, now)
  }
}

/** Handles the booking of a worker that is due. */
function settleBooking(run: SimulatedRun, worker: number): void {
  if (run.jobByJob) {
    const { counts, workerJobs } = run.core.state
    pushFinished(
      run.journal.rows,
      run.now,
      counts.stage[worker],
      worker,
      workerJobs[worker][0],
      run.beganAt[worker],
      run.now,
    )
    return
  }
  const outcome = run.outcome[worker]
  if (outcome === FINISHES) finish(run, worker)
  else if (outcome === THROWS) run.thrown.push(worker)
  else loseWorker(run, worker, msg('has not answered and is given up'))
}

/** Cancels the bookings of workers that were due and got no job. The others are booked again already, which costs one change of the calendar. */
function clearBookings(run: SimulatedRun): void {
  const { due, now, calendar } = run
  for (let i = 0; i < run.dueCount; i++) if (calendar.due[due[i]] === now) calendar.set(due[i], Infinity)
  run.dueCount = 0
}

/** Books the jobs that the orders from `from` on begin. Only for runs that serve jobs one by one. */
function bookJobs(run: SimulatedRun, from: number): void {
  const { now, services, calendar, beganAt } = run
  const { rows } = run.journal
  for (let i = from; i < rows.length; i++) {
    if (rows.kind[i] !== STARTED) continue
    const worker = rows.worker[i]
    beganAt[worker] = now
    calendar.set(worker, now + services.at(rows.stage[i], rows.job[i]))
  }
}

/** Appends the jobs of a finished batch in ascending order, each with the time in which it was served. */
function finish(run: SimulatedRun, worker: number): void {
  const { now, services } = run
  const { rows } = run.journal
  const { workerJobs, counts } = run.core.state
  const front = frontOf(counts, worker)
  const hand = workerJobs[worker]
  const stage = counts.stage[worker]
  if (counts.prefetching[worker] === 1) run.withPrefetch.push(worker)
  const began = run.beganAt[worker] + run.switchTime[worker]
  const ended = run.messages === null ? now : run.freeAt[worker]
  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)
  if (front === 1) {
    pushFinished(rows, now, stage, worker, hand[0], began, ended)
    return
  }
  // On shared cores a batch takes longer than its work; each job gets its share of that.
  const stretch = (ended - began) / (run.work[worker] - run.switchTime[worker])
  let worked = 0
  const served = (front === hand.length ? hand : hand.slice(0, front)).map((job, k) => {
    if (k > 0) worked += run.switchCosts.between(worker, hand[k - 1], job)
    const from = began + Math.round(worked * stretch)
    worked += services.at(stage, job)
    return { job, from, to: began + Math.round(worked * stretch) }
  })
  served.sort((a, b) => a.job - b.job)
  for (const { job, from, to } of served) pushFinished(rows, now, stage, worker, job, from, to)
}

/** Books the batches that the orders from `from` on begin. A worker that waits for a resource is booked when the resource is granted. */
function bookOrders(run: SimulatedRun, from: number): void {
  const { rows } = run.journal
  const { state } = run.core
  startGranted(state, (worker, stage) => bookFront(run, worker, stage, false))
  if (run.withPrefetch.length > 0) startPrefetched(run)
  for (let i = from; i < rows.length; ) {
    if (rows.kind[i] !== STARTED) {
      if (rows.kind[i] === HIRED) resetWorker(run, rows.worker[i], rows.stage[i])
      // A prefetched batch begins when the one before it ends.
      if (rows.kind[i] === PREFETCH && run.messages !== null)
        run.prefetchedAt[rows.worker[i]] = run.now + run.messages.there(rows.stage[i], rows.job[i + 1])
      if (rows.kind[i] === PREFETCH)
        while (rows.kind[i + 1] === STARTED && rows.worker[i + 1] === rows.worker[i] && i + 1 < rows.length) i++
      i++
      continue
    }
    const worker = rows.worker[i]
    const stage = rows.stage[i]
    while (i < rows.length && rows.kind[i] === STARTED && rows.worker[i] === worker) i++
    // A worker that waits for a resource starts up meanwhile.
    if (isWaiting(state, worker)) run.switchCosts.startUp(worker, stage, run.now)
    else bookFront(run, worker, stage, false)
  }
}

/** Books the prefetched batches of the workers that have just finished one, unless they were lost at this instant. */
function startPrefetched(run: SimulatedRun): void {
  const { counts } = run.core.state
  for (const worker of run.withPrefetch)
    if (counts.status[worker] === BUSY) bookFront(run, worker, counts.stage[worker], true)
  run.withPrefetch.length = 0
}

/** Books the first batch that a worker has in hand. */
function bookFront(run: SimulatedRun, worker: number, stage: number, prefetched: boolean): void {
  const { workerJobs, counts } = run.core.state
  const hand = workerJobs[worker]
  const front = frontOf(counts, worker)
  bookBatch(run, worker, stage, front === hand.length ? hand : hand.slice(0, front), prefetched)
}

function bookBatch(
  run: SimulatedRun,
  worker: number,
  stage: number,
  jobs: readonly number[],
  prefetched: boolean,
): void {
  const { services, scenario, now, switchCosts, messages } = run
  const failing = run.failing[stage]
  const switchTime = switchCosts.before(worker, stage, jobs, run.phases.taken, now)
  let work = switchTime
  let outcome = FINISHES
  for (let k = 0; k < jobs.length && outcome === FINISHES; k++) {
    if (k > 0) work += switchCosts.between(worker, jobs[k - 1], jobs[k])
    work += services.at(stage, jobs[k])
    if (failing.size > 0 && failing.has(jobs[k])) outcome = THROWS
  }
  const there = messages === null ? 0 : messages.there(stage, jobs[0])
  const back = messages === null ? 0 : messages.back(stage, jobs[0])
  // With a second batch in hand the worker continues before the scheduler gets the report of the first.
  const begins = prefetched && messages !== null ? Math.max(run.prefetchedAt[worker], run.freeAt[worker]) : now + there
  run.givenAt[worker] = now
  run.beganAt[worker] = begins
  run.freeAt[worker] = begins + work
  run.messageTime[worker] = there + back
  run.switchTime[worker] = switchTime
  run.work[worker] = work
  run.outcome[worker] = outcome
  const took = work + there + back
  if (took > run.longestBatch) run.longestBatch = took
  if (run.hung[worker] === 1) fallSilent(run, worker)
  else if (run.shared !== null && scenario.stages[stage].work !== 'wait') burn(run.shared, worker, work)
  // The answers of a worker come in order, even if the first was lost and sent again.
  else run.calendar.set(worker, Math.max(now + 1, begins + work + back))
}
