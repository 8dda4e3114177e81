import { bisectRight } from 'd3-array'
import type { Frame } from '../../../measures/frame/frame.ts'
import { ARRIVED, FAILED, FINISHED, GATHERED, NONE, type Row, STARTED } from '../../../pipeline/rows.ts'
import { timeOf, traceRow } from '../../../trace/trace.ts'
import type { OrderLog } from './orderLog.ts'

/** Where a job, or a part of it, is at an instant. */
export type TicketPlace =
  | { readonly at: 'coming' | 'outside' | 'parked' | 'left' | 'trashed' }
  | { readonly at: 'waiting'; readonly stage: number }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }

/** Returns the ticket that is waited for at time t: all before it have passed. */
export function tailAt(log: OrderLog, t: number): number {
  return bisectRight(log.passedAt, t, 0, log.tail)
}

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

/** Returns where the parts of a job are after these rows, which go back as far as any part under way. */
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
      // A row of its own says where a job is routed, or that all its parts have met.
      for (const to of queuesAfter[stage]) parts.set(to, { at: 'waiting', stage: to })
    } else if (kind === ARRIVED) {
      // Jobs are let in from outside in the order of their numbers.
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
    const back = log.returns.rowsOf.get(job)?.some((one) => one > i && timeOf(trace, one) <= frame.time && traceRow(trace, one).worker === worker)
    return back ? { at: 'waiting', stage } : { at: 'hands', stage, worker }
  }
  const { status, since, stage: post } = frame.workers[worker]
  // A worker that throws or is lost lays back all jobs without a row for each. Then its batch is another, or none.
  return status === 'busy' && since === time && post === stage ? { at: 'hands', stage, worker } : { at: 'waiting', stage }
}
