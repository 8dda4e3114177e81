import { countRow } from '../../pipeline/countRow.ts'
import type { Counts } from '../../pipeline/counts.ts'
import { ARRIVED, FINISHED, GATHERED, ROUTED, type Rows, rowTime } from '../../pipeline/rows.ts'
import { ordersInHand } from '../../trace/findRows.ts'
import { eachRow, stateBefore, type Trace, traceRow } from '../../trace/trace.ts'
import { appendStep, createSteps, type Steps } from '../series/steps.ts'
import type { Leg } from './journey.ts'

/**
 * How many jobs stand before one job in its queue while it waits there, in order of arrival. At a first queue those outside
 * stand behind those inside. The trace may still grow.
 */
export interface QueuePlace {
  readonly job: number
  readonly stage: number
  readonly ahead: Steps
  /** Jobs that came later and still wait. */
  readonly behind: Set<number>
  readonly counts: Counts
  before: number
  /** Rows taken in. */
  rows: number
  over: boolean
}

/** Rows between two checks whether it still waits. */
const AT_ONCE = 4096

/** Returns the place from the row on that put the job into this queue. */
export function createQueuePlace(trace: Trace, job: number, { stage, row }: Pick<Leg, 'stage' | 'row'>): QueuePlace {
  const { counts } = stateBefore(trace, row)
  const { kind, time, worker } = traceRow(trace, row)
  // Jobs that a worker lays back go to the head, in the order in which it was given them.
  const before = comesNew(kind)
    ? present(trace, counts, stage)
    : ordersInHand(trace, counts, worker, row).findIndex((order) => traceRow(trace, order).job === job)
  const place: QueuePlace = { job, stage, ahead: createSteps(), behind: new Set(), counts, before, rows: row, over: false }
  eachRow(trace, row, row + 1, (rows, i) => countRow(trace.topology, counts, rows, i))
  place.rows = row + 1
  appendStep(place.ahead, time, before)
  return place
}

/** Takes in the new rows of the trace while the job waits. */
export function extendQueuePlace(place: QueuePlace, trace: Trace): void {
  const { job, stage, ahead, behind, counts } = place
  const take = (rows: Rows, i: number): void => {
    if (place.over) return
    const there = present(trace, counts, stage)
    countRow(trace.topology, counts, rows, i)
    const more = present(trace, counts, stage) - there
    if (more === 0) return
    const who = rows.job[i]
    const kind = rows.kind[i]
    if (more < 0 && who === job) place.over = true
    else if (more < 0) place.before -= behind.delete(who) ? 0 : 1
    else if (comesNew(kind)) behind.add(who)
    else place.before += more
    appendStep(ahead, rowTime(rows, i), place.before)
  }
  for (let to = place.rows; !place.over && to < trace.length; place.rows = to) {
    to = Math.min(trace.length, to + AT_ONCE)
    eachRow(trace, place.rows, to, take)
  }
}

/** Whether a row of this kind puts its job at the end of a queue. Others put jobs back at the head. */
function comesNew(kind: number): boolean {
  return kind === ARRIVED || kind === FINISHED || kind === ROUTED || kind === GATHERED
}

/** Returns how many jobs wait at a stage; at a first stage also those outside. */
function present({ topology }: Trace, { waiting, outside }: Counts, stage: number): number {
  return waiting[stage] + (topology.before[stage].length === 0 ? outside : 0)
}
