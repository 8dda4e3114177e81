import { msg } from '../../language/msg.ts'
import { BUSY, frontOf, isOutside } from '../../pipeline/counts.ts'
import {
  ARRIVED,
  EXHAUSTED,
  FINISHED,
  JOINED,
  LOST,
  NONE,
  pushRow,
  pushRows,
  STOPPED,
  setWork,
  THREW,
  TICK,
} from '../../pipeline/rows.ts'
import { expectsReply, isWaiting } from '../../pipeline/state.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { NOT_YET } from '../../workload/arrivals.ts'
import { advanceControllerClock, pushPhases } from '../engine.ts'
import type { Reply, Thrown } from './batchPort.ts'
import { LONGEST_TICK } from './callTracker.ts'
import type { ConductedRun } from './conductedRun.ts'
import { fitTimes } from './environment.ts'
import type { Report } from './inbox.ts'

/** Appends the facts of the instant `run.now`: messages of the inbox and events that are due by the clock, in the fixed order of kinds. */
export function gatherFacts(run: ConductedRun): void {
  const { inbox, core, now } = run
  const { rows } = run.journal
  const later = inbox.reports.filter((report) => isEarly(run, report))
  const reports = inbox.reports
    .filter((report) => !later.includes(report) && isAwaited(run, report))
    .sort((a, b) => a.worker - b.worker)
  for (const { worker, reply, silence } of reports)
    if (reply !== null && reply.threw === null) finish(run, worker, reply, silence)
  for (const report of reports)
    if (report.reply === null || report.reply.threw !== null || report.reply.thrown !== undefined) giveUp(run, report)
  playEvents(run, new Set(reports.map(({ worker }) => worker)))
  for (const worker of inbox.lost.sort((a, b) => a - b)) pushRow(rows, now, LOST, NONE, worker, NONE)
  for (const worker of inbox.joined.sort((a, b) => a - b)) pushRow(rows, now, JOINED, NONE, worker, NONE)
  if (run.phases.next <= now) pushPhases(run)
  if (run.clients !== null && run.clients.next <= now) run.clients.act(rows, now, core.state)
  if (run.nextArrival === NOT_YET) run.nextArrival = run.arrivals.next()
  if (run.nextArrival >= 0 && run.nextArrival <= now) arrive(run)
  if (run.nextArrival < 0 && !core.state.counts.exhausted) pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
  if (run.controllerClock !== null && run.controllerClock.next <= now) {
    pushRow(rows, now, TICK, NONE, NONE, NONE)
    // Time during which the machine slept does not count as inactivity.
    run.controllerClock.lastActivity += Math.max(0, now - run.controllerClock.next - LONGEST_TICK)
    advanceControllerClock(run.controllerClock, now)
  }
  if (inbox.stopped) pushRow(rows, now, STOPPED, NONE, NONE, NONE)
  inbox.reports = later
  inbox.lost = []
  inbox.joined = []
}

/** Appends the jobs that have arrived. A function of its own: a hundred thousand at once would make V8 compile the caller again. */
function arrive(run: ConductedRun): void {
  const { now, arrivals, clients } = run
  const { rows } = run.journal
  let next = run.nextArrival
  for (; next >= 0 && next <= now; next = arrivals.next()) {
    if (clients !== null) clients.sent(run.arrived, now)
    pushRow(rows, now, ARRIVED, NONE, NONE, run.arrived++)
  }
  run.nextArrival = next
}

/** Whether a prefetched batch is reported before the batch ahead of it. Such a report waits for a later instant. */
function isEarly({ core }: ConductedRun, { worker, lease }: Report): boolean {
  return lease > 0 && core.state.prefetchLeases[worker] === lease
}

/** A reply counts once, and only under its lease: a worker that was given up may still answer. */
function isAwaited(run: ConductedRun, { worker, lease }: Report): boolean {
  if (expectsReply(run.core.state, worker, lease)) return true
  run.diagnostics.ignored++
  return false
}

/** Appends the jobs of a finished batch in ascending order, each with the time in which it was served. */
function finish(run: ConductedRun, worker: number, reply: Reply, silence: Micros): void {
  const { now, origin, runPayloads } = run
  const { counts, workerJobs } = run.core.state
  const stage = counts.stage[worker]
  const front = frontOf(counts, worker)
  const batch = front === workerJobs[worker].length ? workerJobs[worker] : workerJobs[worker].slice(0, front)
  const { ended, thrown } = reply
  const hand = thrown === undefined ? batch : batch.filter((job) => !thrown.some((one) => one.job === job))
  const began = fitTimes(reply.began, ended, origin, run.givenAt[worker], now)
  // A batch during which the machine slept for hours must not raise the limit to hours.
  run.longestBatch = Math.max(run.longestBatch, Math.min(now - run.givenAt[worker], silence + LONGEST_TICK))
  const { payloads } = reply
  if (runPayloads !== null)
    for (let k = 0; k < hand.length; k++) runPayloads.put(hand[k], stage, payloads === null ? null : payloads[k])
  const { rows } = run.journal
  const from = rows.length
  // Hands are in order of service, rows in order of jobs; mostly these are equal.
  const order = isAscending(hand) ? null : [...hand.keys()].sort((a, b) => hand[a] - hand[b])
  if (hand.length > 0) pushRows(rows, now, FINISHED, stage, worker, order === null ? hand : order.map((k) => hand[k]))
  for (let i = 0; i < hand.length; i++) {
    const k = order === null ? i : order[i]
    const first =
      k === 0 ? began : Math.min(ended[k], ended[k - 1] + run.switchCosts.between(worker, hand[k - 1], hand[k]))
    setWork(rows, from + i, now, first, ended[k])
  }
  // What it threw is still in its hands.
  if (thrown !== undefined) return
  // The worker began the next batch as soon as this one ended, if it had got it by then.
  if (counts.prefetching[worker] === 1) run.givenAt[worker] = Math.max(run.prefetchedAt[worker], ended.at(-1) ?? now)
  leaveIfDue(run, worker)
}

function isAscending(jobs: readonly number[]): boolean {
  for (let k = 1; k < jobs.length; k++) if (jobs[k] < jobs[k - 1]) return false
  return true
}

function giveUp(run: ConductedRun, { worker, reply, reason }: Report): void {
  const { counts, workerJobs } = run.core.state
  const stage = counts.stage[worker]
  const thrown: readonly Thrown[] = reply?.thrown ?? [reply?.threw ?? { job: workerJobs[worker][0], reason }]
  const { job } = thrown[0]
  pushRow(run.journal.rows, run.now, THREW, stage, worker, job)
  run.switchCosts.stoppedAt(worker, job)
  for (const one of thrown) run.listener.failure({ time: run.now, kind: 'job', stage, worker, ...one })
  run.givenAt[worker] = run.now
  leaveIfDue(run, worker)
}

function leaveIfDue(run: ConductedRun, worker: number): void {
  // A dismissed worker with a prefetched batch serves that first.
  if (run.core.state.counts.leaving[worker] === 1 && run.core.state.counts.prefetching[worker] === 0) {
    // In the rows it has already left, so it cannot be lost any more.
    const i = run.inbox.lost.indexOf(worker)
    if (i >= 0) run.inbox.lost.splice(i, 1)
    run.pool.dismiss(worker)
    return
  }
  if (run.leaving[worker] === 0 || run.inbox.lost.includes(worker)) return
  run.inbox.lost.push(worker)
  run.pool.dismiss(worker)
}

/** Carries out the worker events that are due. A worker was told in advance when to hang, since a busy worker reads no messages. */
function playEvents(run: ConductedRun, reported: ReadonlySet<number>): void {
  const { inbox, pool, joining } = run
  const { status, leaving, prefetching } = run.core.state.counts
  const { workerEvents } = run.scenario
  for (; run.nextEvent < workerEvents.length && workerEvents[run.nextEvent].at <= run.now; run.nextEvent++) {
    const { kind, worker } = workerEvents[run.nextEvent]
    run.wanted[worker] = kind === 'join' ? 1 : 0
    if (kind === 'join') {
      joining.add(worker)
      pool.hire(worker)
    } else if (kind !== 'hang' && (joining.has(worker) || inbox.joined.includes(worker))) {
      // It has not joined yet, and will not join any more.
      pool.dismiss(worker)
      noteLost(run, worker)
    } else if (kind === 'hang' || isOutside(status[worker]) || inbox.lost.includes(worker)) continue
    else if (leaving[worker] === 1 && reported.has(worker) && prefetching[worker] === 0) continue
    else if (kind === 'leave' && status[worker] === BUSY && !reported.has(worker) && !isWaiting(run.core.state, worker))
      run.leaving[worker] = 1
    else {
      pool.dismiss(worker)
      if (kind === 'crash') run.listener.failure({ time: run.now, kind: 'worker', worker, reason: msg('crashed') })
      noteLost(run, worker)
    }
  }
}

/** Notes that a worker is lost, unless it takes no part at present. */
export function noteLost(run: ConductedRun, worker: number): void {
  const { inbox, joining } = run
  joining.delete(worker)
  const joined = inbox.joined.indexOf(worker)
  if (joined >= 0) inbox.joined.splice(joined, 1)
  else if (!isOutside(run.core.state.counts.status[worker])) inbox.lost.push(worker)
}
