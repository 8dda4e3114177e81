import { ARRIVED, FAILED, FINISHED, NONE, STARTED } from '../pipeline/rows.ts'
import { timeOf, traceRow } from '../trace/trace.ts'
import type { Frame } from './frame.ts'
import type { OrderLog } from './orderLog.ts'
import { firstAtLeast } from './search.ts'

/** Where a job is at an instant. */
export type Where =
  | { readonly at: 'coming' | 'outside' | 'parked' | 'left' | 'trashed' }
  | { readonly at: 'waiting'; readonly stage: number }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }

/**
 * The ring of the order buffer at an instant. Slot s stands for the one ticket from tail to tail + slots - 1 that leaves
 * the remainder s when divided by the number of slots.
 */
export interface Ring {
  readonly slots: number
  /** The ticket that is waited for. */
  readonly tail: number
  /** Where the job of that ticket is. */
  readonly awaited: Where
  /** Jobs that have been served everywhere and wait for an earlier ticket. */
  readonly parked: number
  /** Trashed tickets in the ring that the tail has not passed. */
  readonly trashed: number
  /** Tickets before the furthest parked one that are not there yet. */
  readonly missing: number
  /** The furthest parked ticket; -1 if none is. */
  readonly furthest: number
  /** Jobs that have arrived and whose tickets the ring does not reach. */
  readonly beyond: number
  /** Slots in ascending order, a slot a cell, or several where there are more of them than cells. */
  readonly cells: readonly RingCell[]
}

export interface RingCell {
  readonly slots: number
  readonly parked: number
  readonly trashed: number
  readonly missing: number
  /** The stage of the first job of the cell that is missing; -1 where none is or it stands outside. */
  readonly stage: number
}

/**
 * The ring at the instant of `frame`, drawn together into at most `cells` cells. The log must have taken in the rows until
 * then. Costs a few steps a cell and two a ticket, up to the furthest parked one or, once a job has failed, to the end of
 * the ring: a million in 5 ms.
 */
export function ringAt(log: OrderLog, frame: Frame, cells: number): Ring {
  const { slots } = log.trace.topology
  const tail = tailAt(log, frame.time)
  const end = Math.min(tail + slots, frame.arrived)
  const furthest = frame.parked > 0 ? furthestParked(log, frame, tail, end) : NONE
  // Behind it stand but trashed tickets, if any job has failed.
  const reach = frame.failed > 0 ? end : furthest + 1
  const count = Math.max(1, Math.min(slots, cells))
  const sums = Array.from({ length: count }, (_, c) => emptyCell(Math.ceil(((c + 1) * slots) / count) - Math.ceil((c * slots) / count)))
  // Two stretches of the ring: from the tail's slot to the last, and on from the first.
  const lap = tail - (tail % slots)
  for (const from of [lap, lap + slots]) {
    for (let c = 0; c < count; c++) {
      const low = Math.max(tail, from + Math.ceil((c * slots) / count))
      const high = Math.min(reach, from + Math.ceil(((c + 1) * slots) / count))
      if (low < high) countCell(log, frame, sums[c], low, high, furthest)
    }
  }
  const total = (of: (cell: RingCell) => number) => sums.reduce((sum, cell) => sum + of(cell), 0)
  return {
    slots,
    tail,
    awaited: whereIs(log, tail, frame),
    parked: total((cell) => cell.parked),
    trashed: total((cell) => cell.trashed),
    missing: total((cell) => cell.missing),
    furthest,
    beyond: Math.max(0, frame.arrived - tail - slots),
    cells: sums,
  }
}

/** The ticket waited for at time t: all before it have passed by then. */
export function tailAt(log: OrderLog, t: number): number {
  return firstAtLeast(log.passedAt, log.tail, t, 0, true)
}

/** Where a job is at the instant of `frame`. */
export function whereIs(log: OrderLog, job: number, frame: Frame): Where {
  const { trace } = log
  if (job >= frame.arrived) return { at: 'coming' }
  if (job < tailAt(log, frame.time)) return { at: log.trashed[job] === 1 ? 'trashed' : 'left' }
  let row = log.latest[job]
  while (row !== NONE && timeOf(trace, row) > frame.time) row = log.before[row]
  return row === NONE ? { at: 'coming' } : afterRow(log, row, frame)
}

/** Where a job is whose latest row is this one. */
export function afterRow(log: OrderLog, row: number, frame: Frame): Where {
  const { trace } = log
  const { topology } = trace
  const { kind, stage, worker, job, time } = traceRow(trace, row)
  if (kind === FAILED) return { at: 'trashed' }
  // Jobs are let in from outside in the order of their numbers.
  if (kind === ARRIVED) return job >= frame.arrived - frame.outside ? { at: 'outside' } : { at: 'waiting', stage: topology.first }
  if (kind === STARTED) {
    if (log.returns !== null) {
      const back = log.returns.rows.get(job)?.some((one) => one > row && timeOf(trace, one) <= frame.time)
      return back ? { at: 'waiting', stage } : { at: 'hands', stage, worker }
    }
    const { status, since, stage: post } = frame.workers[worker]
    // Whoever throws or is lost gives back all it holds, without a row a job: then its batch is another, or none.
    return status === 'busy' && since === time && post === stage ? { at: 'hands', stage, worker } : { at: 'waiting', stage }
  }
  // Of a job in several places it is the one that a row has told of last, and of parts that wait for each other the join.
  if (kind === FINISHED && topology.ways[stage].length > 0) return { at: 'waiting', stage: topology.ways[stage][0] }
  return stage === NONE || kind === FINISHED ? { at: 'parked' } : { at: 'waiting', stage }
}

interface Sums {
  readonly slots: number
  parked: number
  trashed: number
  missing: number
  stage: number
}

function emptyCell(slots: number): Sums {
  return { slots, parked: 0, trashed: 0, missing: 0, stage: -1 }
}

/** Adds tickets low to high - 1 to their cell. A plain loop over locals: a ring may hold a million. */
function countCell(log: OrderLog, frame: Frame, cell: Sums, low: number, high: number, furthest: number): void {
  const { readyAt, trashed } = log
  const { time } = frame
  const holes = Math.min(high, furthest)
  let there = 0
  let given = 0
  let missing = 0
  let first = NONE
  for (let ticket = low; ticket < high; ticket++) {
    if (readyAt[ticket] <= time) {
      there++
      given += trashed[ticket]
    } else if (ticket < holes) {
      if (missing === 0) first = ticket
      missing++
    }
  }
  cell.parked += there - given
  cell.trashed += given
  if (missing > 0 && cell.missing === 0) {
    const where = whereIs(log, first, frame)
    if (where.at === 'waiting' || where.at === 'hands') cell.stage = where.stage
  }
  cell.missing += missing
}

/** The last of the parked tickets, found by counting them up from the tail: those parked are mostly near it. */
function furthestParked({ readyAt, trashed }: OrderLog, { time, parked }: Frame, tail: number, end: number): number {
  let ticket = tail
  for (let left = parked; left > 0 && ticket < end; ticket++) if (readyAt[ticket] <= time && trashed[ticket] === 0) left--
  return ticket - 1
}
