import { msg } from '../../language/msg.ts'
import { BUSY, frontOf, isOutside } from '../../pipeline/counts.ts'
import type { Failure } from '../../pipeline/journal.ts'
import { JOINED, LOST, NONE, pushRow, THREW } from '../../pipeline/rows.ts'
import { silenceLimit } from '../engine.ts'
import { stopBurning } from './calendar.ts'
import { SILENT, type SimulatedRun } from './simulatedRun.ts'

/** A worker that is to leave has finished its batch. If it has been dismissed too, the rows let it go. */
export function leaveAfterBatch(run: SimulatedRun, worker: number): void {
  if (run.core.state.counts.leaving[worker] === 0) run.lost.push(worker)
}

/** Appends throws, losses and joins, in this order. */
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
  const front = state.workerJobs[worker].slice(0, frontOf(state.counts, worker))
  const job = front.find((one) => run.failing[stage].has(one)) ?? NONE
  if (state.counts.prefetching[worker] === 1) run.withPrefetch.push(worker)
  pushRow(run.journal.rows, run.now, THREW, stage, worker, job)
  run.switchCosts.stoppedAt(worker, job)
  if (run.leaving[worker] === 1) leaveAfterBatch(run, worker)
  run.listener.failure({ time: run.now, kind: 'job', stage, worker, job, reason: msg('throws, as the scenario says') })
}

export function applyWorkerEvents(run: SimulatedRun): void {
  const { status, leaving, prefetching } = run.core.state.counts
  const { workerEvents: events } = run.scenario
  for (; run.nextEvent < events.length && events[run.nextEvent].at <= run.now; run.nextEvent++) {
    const { kind, worker } = events[run.nextEvent]
    // A worker that finishes at this instant still counts as busy but has no booking. A worker that waits for a resource has none either.
    const underway = status[worker] === BUSY && isBooked(run, worker)
    if (kind === 'join') run.joined.push(worker)
    else if (run.joined.includes(worker)) {
      if (kind === 'hang') run.hung[worker] = 1
      else run.joined.splice(run.joined.indexOf(worker), 1)
    } else if (isOutside(status[worker]) || run.lost.includes(worker)) continue
    // It was dismissed and finishes at this instant: the rows let it go.
    else if (leaving[worker] === 1 && !underway && prefetching[worker] === 0) continue
    else if (kind === 'crash') loseWorker(run, worker, msg('crashed'))
    else if (kind === 'hang') {
      run.hung[worker] = 1
      if (underway) fallSilent(run, worker)
    } else if (underway) run.leaving[worker] = 1
    else run.lost.push(worker)
  }
}

/** Notes that a worker is lost at this instant, and tells the listener why. */
export function loseWorker(run: SimulatedRun, worker: number, reason: string): void {
  const failure: Failure = { time: run.now, kind: 'worker', worker, reason }
  unbook(run, worker)
  const i = run.thrown.indexOf(worker)
  if (i >= 0) run.thrown.splice(i, 1)
  run.lost.push(worker)
  run.listener.failure(failure)
}

/** Forgets the worker that had this number before. The new one starts up at its stage. */
export function resetWorker(run: SimulatedRun, worker: number, stage: number): void {
  run.switchCosts.forget(worker)
  run.switchCosts.startUp(worker, stage, run.now)
  run.hung[worker] = 0
  run.leaving[worker] = 0
}

/** Books the time at which a worker that never answers is given up. */
export function fallSilent(run: SimulatedRun, worker: number): void {
  unbook(run, worker)
  run.outcome[worker] = SILENT
  run.calendar.set(
    worker,
    Math.max(
      run.now + 1,
      run.givenAt[worker] + silenceLimit(run.work[worker] + run.messageTime[worker], run.longestBatch),
    ),
  )
}

function isBooked(run: SimulatedRun, worker: number): boolean {
  return (
    (run.calendar.due[worker] > run.now && run.calendar.isBooked(worker)) ||
    run.shared?.calendar.isBooked(worker) === true
  )
}

function unbook(run: SimulatedRun, worker: number): void {
  run.calendar.cancel(worker)
  if (run.shared !== null) stopBurning(run.shared, worker)
}
