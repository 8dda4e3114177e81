import { bisectRight, sum } from 'd3-array'
import type { Frame } from '../../../measures/frame/frame.ts'
import { ARRIVED, FAILED, FINISHED, GATHERED, NONE, type Row, STARTED } from '../../../pipeline/rows.ts'
import { timeOf, traceRow } from '../../../trace/trace.ts'
import type { OrderLog } from './orderLog.ts'

/**
 * The ring of the order buffer at an instant. Slot s stands for the ticket from tail to tail + slots - 1 with remainder s when
 * divided by the number of slots.
 */
export interface Ring {
  readonly slots: number
  readonly tail: number
  /** Where the job of that ticket is: several places where it is copied. */
  readonly awaited: readonly TicketPlace[]
  /** Jobs that were served everywhere and wait for an earlier ticket. */
  readonly parked: number
  /** Trashed tickets in the ring that the tail has not passed. */
  readonly trashed: number
  /** Missing tickets before the furthest parked one. */
  readonly missing: number
  /** Arrived jobs whose tickets the ring does not reach. */
  readonly beyond: number
  /** Slots in ascending order, one a cell, or several where there are more slots than cells. */
  readonly cells: readonly RingCell[]
}

export interface RingCell extends Readonly<Record<'slots' | 'parked' | 'trashed' | 'missing', number>> {
  /** The stages where the first missing job of the cell is; empty where none is missing or it stands outside. */
  readonly stages: readonly number[]
}

/**
 * Returns the ring at the instant of `frame` in at most `maxCells` cells. The log must have read the rows until then. Costs a
 * few steps a cell and two a ticket: a million in 5 ms.
 */
export function ringAt(log: OrderLog, frame: Frame, maxCells: number): Ring {
  const { slots } = log.trace.topology
  const tail = tailAt(log, frame.time)
  const end = Math.min(tail + slots, frame.arrived)
  const furthest = frame.parked > 0 ? furthestParked(log, frame, tail, end) : NONE
  // Behind the furthest parked ticket there are only trashed ones, if any job has failed.
  const reach = frame.failed > 0 ? end : furthest + 1
  const count = Math.max(1, Math.min(slots, maxCells))
  const firstSlot = (cell: number) => Math.ceil((cell * slots) / count)
  const cells = Array.from({ length: count }, (_, c): Sums => {
    return { slots: firstSlot(c + 1) - firstSlot(c), parked: 0, trashed: 0, missing: 0, stages: [] }
  })
  // The ring in two parts: from the tail's slot to the last, then from the first.
  const lap = tail - (tail % slots)
  for (const from of [lap, lap + slots]) {
    for (let c = 0; c < count; c++) {
      const low = Math.max(tail, from + firstSlot(c))
      const high = Math.min(reach, from + firstSlot(c + 1))
      if (low < high) countCell(log, frame, cells[c], low, high, furthest)
    }
  }
  return {
    slots,
    tail,
    awaited: ticketPlaces(log, tail, frame),
    parked: sum(cells, ({ parked }) => parked),
    trashed: sum(cells, ({ trashed }) => trashed),
    missing: sum(cells, ({ missing }) => missing),
    beyond: Math.max(0, frame.arrived - tail - slots),
    cells,
  }
}

type Sums = { -readonly [K in keyof RingCell]: RingCell[K] }

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
  if (missing > 0 && cell.missing === 0)
    cell.stages = ticketPlaces(log, first, frame).flatMap((where) => ('stage' in where ? [where.stage] : []))
  cell.missing += missing
}

/** Returns the last of the parked tickets, counted up from the tail, since most are near it. */
function furthestParked({ readyAt, trashed }: OrderLog, { time, parked }: Frame, tail: number, end: number): number {
  let ticket = tail
  for (let left = parked; left > 0 && ticket < end; ticket++)
    if (readyAt[ticket] <= time && trashed[ticket] === 0) left--
  return ticket - 1
}

/** Where a job, or a part of it, is at an instant. */
export type TicketPlace =
  | { readonly at: 'coming' | 'outside' | 'parked' | 'left' | 'trashed' }
  | { readonly at: 'waiting'; readonly stage: number }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }

/** Returns the ticket that is waited for at time t: all before it have passed. */
export const tailAt = (log: OrderLog, t: number): number => bisectRight(log.passedAt, t, 0, log.tail)

/**
 * Returns where a job is at the instant of `frame`: several places where it is copied. Parts that wait at a join are left out,
 * since the others are waited for.
 */
export function ticketPlaces(log: OrderLog, job: number, frame: Frame): readonly TicketPlace[] {
  const { trace } = log
  // The log may be behind the frame.
  if (job >= log.jobs) return [{ at: 'coming' }]
  if (job < tailAt(log, frame.time)) return [{ at: log.trashed[job] === 1 ? 'trashed' : 'left' }]
  let row = log.latest[job]
  while (row !== NONE && timeOf(trace, row) > frame.time) row = log.before[row]
  if (row === NONE) return [{ at: 'coming' }]
  // Where jobs are not copied the latest row is enough.
  if (!trace.topology.copies) return placesAfter(log, frame, [row])
  const rows: number[] = []
  for (; row !== NONE; row = log.before[row]) rows.push(row)
  return placesAfter(log, frame, rows.reverse())
}

/** Returns where the parts of a job are after these rows, which go back as far as any part in progress. */
function placesAfter(log: OrderLog, frame: Frame, rows: readonly number[]): readonly TicketPlace[] {
  const { firsts, queuesAfter, joins } = log.trace.topology
  const parts = new Map<number, TicketPlace>()
  for (const i of rows) {
    const row = traceRow(log.trace, i)
    const { kind, stage, job } = row
    if (kind === FAILED) return [{ at: 'trashed' }]
    if (kind === GATHERED && stage === NONE) return [{ at: 'parked' }]
    if (kind === STARTED) parts.set(stage, startedAt(log, i, row, frame))
    else if (kind === FINISHED) {
      parts.delete(stage)
      // A separate row tells where a job is routed, or that all its parts have met.
      for (const to of queuesAfter[stage]) parts.set(to, { at: 'waiting', stage: to })
    } else if (kind === ARRIVED) {
      // Jobs are admitted from outside in the order of their numbers.
      if (job >= frame.arrived - frame.outside) return [{ at: 'outside' }]
      for (const first of firsts) parts.set(first, { at: 'waiting', stage: first })
    } else if (joins[stage] === 0 || kind === GATHERED) parts.set(stage, { at: 'waiting', stage })
  }
  return parts.size === 0 ? [{ at: 'parked' }] : [...parts.values()]
}

/** Returns where a job is whose latest row at this stage is a start. */
function startedAt(log: OrderLog, i: number, { stage, worker, job, time }: Row, frame: Frame): TicketPlace {
  const { trace } = log
  if (log.returns !== null) {
    const back = log.returns.rowsOf
      .get(job)
      ?.some((one) => one > i && timeOf(trace, one) <= frame.time && traceRow(trace, one).worker === worker)
    return back ? { at: 'waiting', stage } : { at: 'hands', stage, worker }
  }
  const { status, since, stage: at } = frame.workers[worker]
  // A worker that throws or is lost returns all its jobs without a row for each. Then it has another batch, or none.
  return status === 'busy' && since === time && at === stage ? { at: 'hands', stage, worker } : { at: 'waiting', stage }
}
