import { grown } from '../../../pipeline/column.ts'
import {
  ARRIVED,
  FAILED,
  FINISHED,
  GATHERED,
  NONE,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
} from '../../../pipeline/rows.ts'
import { SINK } from '../../../pipeline/topology.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { createFollower, follow } from '../../../trace/follow.ts'
import { followTrace, type Trace } from '../../../trace/trace.ts'

/** A stretch of time in which served jobs waited for one ticket. */
type Hole = { readonly ticket: number; readonly from: Micros; readonly to: Micros }

/** The cost of order so far. */
export interface OrderCost {
  /** The time that served jobs waited to leave, and the mean over those that have left. */
  readonly parkedTime: Micros
  readonly meanParked: Micros
  /** The longest time that jobs waited for one ticket; null if none ever waited. */
  readonly longest: Hole | null
  /** The most jobs that ever waited at once, for which ticket, and when. */
  readonly most: { readonly jobs: number; readonly ticket: number; readonly at: Micros } | null
}

/**
 * Returns what the order buffer at the sink has done so far. The trace may still grow. A ticket is a job's number.
 *
 *   ticket    0   1   2   3         served everywhere (or failed) at readyAt,
 *   readyAt   5   9   6   7         passed by the tail at passedAt, which ascends: the tail at time 8 is 1,
 *   passedAt  5   9   9   9         tickets 2 and 3 are parked, ticket 1 is the hole
 *
 * The rows of one job are chained backwards, so that finding a job takes a few steps: 4 bytes a row and 21 a job.
 */
export function createOrderLog(trace: Trace) {
  return {
    trace,
    /** Kept where workers may prefetch; else null. */
    returns: phasesOf(trace.scenario).some(({ batch }) => batch.inHand > 1) ? createReturns(trace) : null,
    rows: 0,
    /** The time of the last of them. */
    time: 0,
    jobs: 0,
    /** By job; Infinity until it is. */
    readyAt: new Float64Array(0),
    /** By job, for those before the tail. */
    passedAt: new Float64Array(0),
    /** By job: 1 if it failed and its ticket was trashed. */
    trashed: new Uint8Array(0),
    /** By job: its latest row other than its release. */
    latest: new Int32Array(0),
    /** By row: the row before it of the same job. */
    before: new Int32Array(0),
    tail: 0,
    parked: 0,
    parkedTime: 0,
    released: 0,
    /** The open hole: the ticket that others wait for, and since when; NONE while no job waits. */
    hole: NONE as number,
    holeSince: 0,
    longest: null as Hole | null,
    most: null as OrderCost['most'],
  }
}

export type OrderLog = ReturnType<typeof createOrderLog>

/** Reads at most `maxRows` new rows of the trace. Returns whether it is up to date. */
export function extendOrderLog(log: OrderLog, maxRows = Infinity): boolean {
  const { trace } = log
  const end = Math.min(trace.length, log.rows + maxRows)
  if (end > log.before.length) log.before = grown(log.before, end, NONE)
  const { next } = trace.topology
  if (log.returns !== null) noteReturns(log.returns, maxRows)
  return followTrace(trace, log, maxRows, (rows, i, row) => {
    if (rowTime(rows, i) > log.time) advance(log, rowTime(rows, i))
    readRow(log, next, rows, i, row)
  })
}

/** Returns the cost of order until the last row read. */
export function orderCost(log: OrderLog): OrderCost {
  const { released, parkedTime, most } = log
  return { parkedTime, meanParked: released > 0 ? parkedTime / released : 0, longest: longer(log, log.time), most }
}

function readRow(log: OrderLog, next: Int16Array, rows: Rows, i: number, row: number): void {
  const job = rows.job[i]
  const kind = rows.kind[i]
  const stage = rows.stage[i]
  if (kind === ARRIVED) admit(log, job)
  else if ((kind === FINISHED && next[stage] === SINK) || (kind === GATHERED && stage === NONE)) {
    log.parked++
    passReady(log, job, rowTime(rows, i))
  } else if (kind === FAILED) {
    log.trashed[job] = 1
    passReady(log, job, rowTime(rows, i))
  } else if (kind === RELEASED) {
    log.parked--
    log.released++
    return
  } else if (kind !== STARTED && kind !== ROUTED && kind !== FINISHED && kind !== GATHERED) return
  log.before[row] = log.latest[job]
  log.latest[job] = row
}

function admit(log: OrderLog, job: number): void {
  const jobs = job + 1
  if (jobs > log.readyAt.length) {
    log.readyAt = grown(log.readyAt, jobs, Infinity)
    log.passedAt = grown(log.passedAt, jobs, Infinity)
    log.trashed = grown(log.trashed, jobs)
    log.latest = grown(log.latest, jobs, NONE)
  }
  log.jobs = jobs
}

/**
 * Returns which jobs went back to their queues, and by which rows. Of a front and a prefetched batch begun at one time, one may
 * go back and the other not. With one batch a worker its time is enough.
 */
const createReturns = (trace: Trace) => ({ ...createFollower(trace, true), rowsOf: new Map<number, number[]>() })

function noteReturns(returns: ReturnType<typeof createReturns>, maxRows: number): void {
  follow(returns, maxRows, (_rows, _i, back, row) => {
    for (const job of back) returns.rowsOf.set(job, [...(returns.rowsOf.get(job) ?? []), row])
  })
}

/** The ticket has arrived. Moves the tail past all arrived tickets up to the first gap. */
function passReady(log: OrderLog, job: number, time: Micros): void {
  log.readyAt[job] = time
  while (log.tail < log.jobs && log.readyAt[log.tail] <= time) log.passedAt[log.tail++] = time
}

/** Adds the values from the last instant until `time`. */
function advance(log: OrderLog, time: Micros): void {
  const { parked, tail } = log
  if (log.hole !== NONE && log.hole !== tail) {
    log.longest = longer(log, log.time)
    log.hole = NONE
  }
  if (parked > 0) {
    log.parkedTime += parked * (time - log.time)
    if (log.hole === NONE) {
      log.hole = tail
      log.holeSince = log.time
    }
    if (parked > (log.most?.jobs ?? 0)) log.most = { jobs: parked, ticket: tail, at: log.time }
  }
  log.time = time
}

/** Returns the longest hole, if the open one closed now. */
function longer({ hole, holeSince, longest }: OrderLog, now: Micros): Hole | null {
  const lasted = hole === NONE ? 0 : now - holeSince
  return lasted > (longest === null ? 0 : longest.to - longest.from)
    ? { ticket: hole, from: holeSince, to: now }
    : longest
}
