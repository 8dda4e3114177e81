import { msg } from '../../language/msg.ts'
import { ABSENT, BUSY, frontOf, GONE } from '../../pipeline/counts.ts'
import { ARRIVED, EXHAUSTED, JOINED, LOST, NONE, pushFinished, pushRow, STOPPED, THREW, TICK } from '../../pipeline/rows.ts'
import { awaits, isWaiting } from '../../pipeline/state.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { pushPhases } from '../phases.ts'
import { advanceTicker } from '../ticker.ts'
import type { Reply } from './batchPort.ts'
import { LONGEST_TICK } from './callTracker.ts'
import type { Report } from './inbox.ts'
import type { ConductedRun } from './run.ts'
import { fitTimes } from './wallClock.ts'

/** Appends what the inbox holds, and what is due by the clock, as the facts of the instant `run.now`, in the order of law 11. */
export function gatherFacts(run: ConductedRun): void {
  const { inbox, core, now } = run
  const { rows } = run.journal
  const later = inbox.reports.filter((report) => waitsFor(run, report))
  const reports = inbox.reports.filter((report) => !later.includes(report) && isAwaited(run, report)).sort((a, b) => a.worker - b.worker)
  for (const { worker, reply, silence } of reports) if (reply !== null && reply.threw === null) finish(run, worker, reply, silence)
  for (const report of reports) if (report.reply === null || report.reply.threw !== null) giveUp(run, report)
  playEvents(run, new Set(reports.map(({ worker }) => worker)))
  for (const worker of inbox.lost.sort((a, b) => a - b)) pushRow(rows, now, LOST, NONE, worker, NONE)
  for (const worker of inbox.joined.sort((a, b) => a - b)) pushRow(rows, now, JOINED, NONE, worker, NONE)
  if (run.turns.next <= now) pushPhases(run)
  while (run.arrival >= 0 && run.arrival <= now) {
    pushRow(rows, now, ARRIVED, NONE, NONE, run.arrived++)
    run.arrival = run.arrivals.next()
  }
  if (run.arrival < 0 && !core.state.counts.exhausted) pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
  if (run.ticker !== null && run.ticker.next <= now) {
    pushRow(rows, now, TICK, NONE, NONE, NONE)
    // What a machine slept through was no rest in which nothing came of the ticks.
    run.ticker.stirred += Math.max(0, now - run.ticker.next - LONGEST_TICK)
    advanceTicker(run.ticker, now)
  }
  if (inbox.stopped) pushRow(rows, now, STOPPED, NONE, NONE, NONE)
  inbox.reports = later
  inbox.lost = []
  inbox.joined = []
}

/** The report of a second batch has come before the first is through: it is for a later instant. */
function waitsFor({ core }: ConductedRun, { worker, lease }: Report): boolean {
  return lease > 0 && core.state.prefetchLeases[worker] === lease
}

/** A reply counts once and only under its lease: from a worker that has been given up it may still come. */
function isAwaited(run: ConductedRun, { worker, lease }: Report): boolean {
  if (awaits(run.core.state, worker, lease)) return true
  run.figures.ignored++
  return false
}

/** A batch is through: its jobs in ascending order, each with the time in which it was served. */
function finish(run: ConductedRun, worker: number, reply: Reply, silence: Micros): void {
  const { now, origin, runPayloads } = run
  const { counts, hands } = run.core.state
  const stage = counts.stage[worker]
  const front = frontOf(counts, worker)
  const hand = front === hands[worker].length ? hands[worker] : hands[worker].slice(0, front)
  const { ended } = reply
  const began = fitTimes(reply.began, ended, origin, run.given[worker], now)
  // A machine that slept meanwhile must not teach us to wait for hours.
  run.longest = Math.max(run.longest, Math.min(now - run.given[worker], silence + LONGEST_TICK))
  const { payloads } = reply
  if (runPayloads !== null) for (let k = 0; k < hand.length; k++) runPayloads.put(hand[k], stage, payloads?.[k] ?? null)
  const beganAt = (k: number) => (k === 0 ? began : Math.min(ended[k], ended[k - 1] + run.changes.between(worker, hand[k - 1], hand[k])))
  const report = (k: number) => pushFinished(run.journal.rows, now, stage, worker, hand[k], beganAt(k), ended[k])
  // Hands are in order of service, rows in order of jobs: mostly the same.
  if (hand.every((job, k) => k === 0 || hand[k - 1] < job)) for (let k = 0; k < hand.length; k++) report(k)
  else for (const k of [...hand.keys()].sort((a, b) => hand[a] - hand[b])) report(k)
  // The next batch was begun as this one ended, before anybody heard of that.
  if (counts.prefetching[worker] === 1) run.given[worker] = ended.at(-1) ?? now
  leaveIfMeantTo(run, worker)
}

function giveUp(run: ConductedRun, { worker, reply, reason }: Report): void {
  const { counts, hands } = run.core.state
  const stage = counts.stage[worker]
  const job = reply?.threw?.job ?? hands[worker][0]
  pushRow(run.journal.rows, run.now, THREW, stage, worker, job)
  run.changes.stoppedAt(worker, job)
  run.listener.failure({ time: run.now, kind: 'job', stage, worker, job, reason: reply?.threw?.reason ?? reason })
  run.given[worker] = run.now
  leaveIfMeantTo(run, worker)
}

function leaveIfMeantTo(run: ConductedRun, worker: number): void {
  // Whoever is dismissed with a second batch in hand does that one first.
  if (run.core.state.counts.leaving[worker] === 1 && run.core.state.counts.prefetching[worker] === 0) {
    // Dismissed: by the fold of the row it is gone, and cannot be lost any more.
    const i = run.inbox.lost.indexOf(worker)
    if (i >= 0) run.inbox.lost.splice(i, 1)
    run.pool.dismiss(worker)
    return
  }
  if (run.leaving[worker] === 0 || run.inbox.lost.includes(worker)) return
  run.inbox.lost.push(worker)
  run.pool.dismiss(worker)
}

/** Really does what the scenario says of workers. One who hangs was told so beforehand: in the middle of its work it could not hear it. */
function playEvents(run: ConductedRun, reported: ReadonlySet<number>): void {
  const { inbox, pool } = run
  const { status, leaving, prefetching } = run.core.state.counts
  const { workerEvents } = run.scenario
  for (; run.event < workerEvents.length && workerEvents[run.event].at <= run.now; run.event++) {
    const { kind, worker } = workerEvents[run.event]
    if (kind === 'join') {
      run.joining.add(worker)
      pool.hire(worker)
    } else if (kind === 'hang' || status[worker] === GONE || status[worker] === ABSENT || inbox.lost.includes(worker)) continue
    else if (leaving[worker] === 1 && reported.has(worker) && prefetching[worker] === 0) continue
    else if (kind === 'leave' && status[worker] === BUSY && !reported.has(worker) && !isWaiting(run.core.state, worker)) run.leaving[worker] = 1
    else {
      pool.dismiss(worker)
      if (kind === 'crash') run.listener.failure({ time: run.now, kind: 'worker', worker, reason: msg('crashed') })
      noteLost(run, worker)
    }
  }
}

/** Notes that a worker is lost; one who never took part is not. */
export function noteLost(run: ConductedRun, worker: number): void {
  const { inbox, joining } = run
  joining.delete(worker)
  const joined = inbox.joined.indexOf(worker)
  if (joined >= 0) inbox.joined.splice(joined, 1)
  else if (run.core.state.counts.status[worker] !== ABSENT) inbox.lost.push(worker)
}
