import { countRow } from '../../pipeline/countRow.ts'
import type { Counts } from '../../pipeline/counts.ts'
import { ARRIVED, FINISHED, GATHERED, ROUTED, type Rows, rowTime } from '../../pipeline/rows.ts'
import { ordersInHand } from '../../trace/ordersInHand.ts'
import { eachRow, stateBefore, type Trace, traceRow } from '../../trace/trace.ts'
import { appendStep, createSteps, type Steps } from '../series/steps.ts'
import type { Leg } from './journey.ts'

/**
 * How many stand before one job in its queue, in the order in which they came to it, while it waits there; of the first queue
 * those outside stand behind those inside. Kept up with a trace that may still grow.
 */
export interface QueuePlace {
  readonly job: number
  readonly stage: number
  readonly ahead: Steps
  /** Who came later and still waits. */
  readonly behind: Set<number>
  readonly counts: Counts
  before: number
  /** Rows taken in. */
  rows: number
  over: boolean
}

/** Rows between two looks at whether it still waits. */
const AT_ONCE = 4096

/** From the row on that put the job into this queue. */
export function createQueuePlace(trace: Trace, job: number, { stage, row }: Pick<Leg, 'stage' | 'row'>): QueuePlace {
  const { counts } = stateBefore(trace, row)
  const { kind, time, worker } = traceRow(trace, row)
  // What a worker has to lay back goes to the head, in the order in which it was given.
  const before = comesNew(kind)
    ? present(trace, counts, stage)
    : ordersInHand(trace, counts, worker, row).findIndex((order) => traceRow(trace, order).job === job)
  const place: QueuePlace = { job, stage, ahead: createSteps(), behind: new Set(), counts, before, rows: row, over: false }
  eachRow(trace, row, row + 1, (rows, i) => countRow(trace.topology, counts, rows, i))
  place.rows = row + 1
  appendStep(place.ahead, time, before)
  return place
}

/** Takes in the rows the trace has got since the last time, as long as the job waits. */
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

/** Whether such a row puts a job behind those that wait; others lay back what had its turn. */
function comesNew(kind: number): boolean {
  return kind === ARRIVED || kind === FINISHED || kind === ROUTED || kind === GATHERED
}

/** Who waits at a stage; of the first one, or ones, those for whom its queue has no room too. */
function present({ topology }: Trace, { waiting, outside }: Counts, stage: number): number {
  return waiting[stage] + (topology.before[stage].length === 0 ? outside : 0)
}
