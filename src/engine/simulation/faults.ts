import { msg } from '../../language/msg.ts'
import { ABSENT, BUSY, frontOf, GONE } from '../../pipeline/counts.ts'
import type { Failure } from '../../pipeline/journal.ts'
import { JOINED, LOST, NONE, pushRow, THREW } from '../../pipeline/rows.ts'
import { patience } from '../patience.ts'
import { book, cancel } from './calendar.ts'
import { SILENT, type SimulatedRun } from './run.ts'
import { stopBurning } from './sharedCores.ts'

/** A worker that was told to leave is through with its batch. Who has been dismissed as well goes by itself. */
export function leaveAfterBatch(run: SimulatedRun, worker: number): void {
  if (run.core.state.counts.leaving[worker] === 0) run.lost.push(worker)
}

/** Throws, losses and joins, in the order of law 11. */
export function pushFaults(run: SimulatedRun): void {
  const { now, thrown, lost, joined } = run
  const { rows } = run.journal
  for (const worker of thrown) throwBatch(run, worker)
  for (const worker of lost.sort((a, b) => a - b)) pushRow(rows, now, LOST, NONE, worker, NONE)
  for (const worker of joined) pushRow(rows, now, JOINED, NONE, worker, NONE)
  thrown.length = 0
  lost.length = 0
  joined.length = 0
}

function throwBatch(run: SimulatedRun, worker: number): void {
  const { state } = run.core
  const stage = state.counts.stage[worker]
  const front = state.hands[worker].slice(0, frontOf(state.counts, worker))
  const job = front.find((one) => run.failing[stage].has(one)) ?? NONE
  if (state.counts.prefetching[worker] === 1) run.next.push(worker)
  pushRow(run.journal.rows, run.now, THREW, stage, worker, job)
  run.changes.stoppedAt(worker, job)
  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)
  run.listener.failure({ time: run.now, kind: 'job', stage, worker, job, reason: msg('throws, as the scenario says') })
}

/** Applies the scenario's worker events of the present instant. */
export function workerEvents(run: SimulatedRun): void {
  const { status, leaving, prefetching } = run.core.state.counts
  const { workerEvents: events } = run.scenario
  for (; run.event < events.length && events[run.event].at <= run.now; run.event++) {
    const { kind, worker } = events[run.event]
    // Whoever finishes at this very instant still counts as busy here, but has no booking left; nor has one who waits for a resource.
    const underway = status[worker] === BUSY && isBooked(run, worker)
    if (kind === 'join') run.joined.push(worker)
    else if (kind !== 'hang' && run.joined.includes(worker)) run.joined.splice(run.joined.indexOf(worker), 1)
    else if (status[worker] === GONE || status[worker] === ABSENT || run.lost.includes(worker)) continue
    // Dismissed, and through at this very instant: it goes by itself.
    else if (leaving[worker] === 1 && !underway && prefetching[worker] === 0) continue
    else if (kind === 'crash') loseWorker(run, worker, msg('crashed'))
    else if (kind === 'hang') {
      run.hung[worker] = 1
      if (underway) fallSilent(run, worker)
    } else if (underway) run.leaving[worker] = 1
    else run.lost.push(worker)
  }
}

/** A worker is lost at this instant, and the listener hears why. */
export function loseWorker(run: SimulatedRun, worker: number, reason: string): void {
  const failure: Failure = { time: run.now, kind: 'worker', worker, reason }
  unbook(run, worker)
  const i = run.thrown.indexOf(worker)
  if (i >= 0) run.thrown.splice(i, 1)
  run.lost.push(worker)
  run.listener.failure(failure)
}

/** A new worker under an old number: it comes from no stage, and does not hang because the one before did. */
export function greet(run: SimulatedRun, worker: number): void {
  run.changes.forget(worker)
  run.hung[worker] = 0
  run.leaving[worker] = 0
}

/** A worker will never answer: what is booked is that this is noticed. */
export function fallSilent(run: SimulatedRun, worker: number): void {
  unbook(run, worker)
  run.outcome[worker] = SILENT
  book(run.calendar, worker, Math.max(run.now + 1, run.given[worker] + patience(run.work[worker], run.longestBatch)))
}

function isBooked(run: SimulatedRun, worker: number): boolean {
  return run.calendar.place[worker] >= 0 || (run.shared !== null && run.shared.calendar.place[worker] >= 0)
}

function unbook(run: SimulatedRun, worker: number): void {
  cancel(run.calendar, worker)
  if (run.shared !== null) stopBurning(run.shared, worker)
}
