import type { Counts } from '../../pipeline/counts.ts'
import { ARRIVED, FINISHED, GATHERED, ROUTED, rowTime } from '../../pipeline/rows.ts'
import { ordersInHand } from '../../trace/findRows.ts'
import { type Follower, follow, type RowVisitor } from '../../trace/follow.ts'
import { stateBefore, type Trace, traceRow } from '../../trace/trace.ts'
import { appendStep, createSteps, type Steps } from '../series/steps.ts'
import type { Leg } from './journey.ts'

/**
 * How many jobs stand before one job in its queue while it waits there, in order of arrival. At a first queue those outside
 * stand behind those inside. The trace may still grow.
 */
export interface QueuePlace extends Follower {
  readonly job: number
  readonly stage: number
  readonly ahead: Steps
  /** Jobs that came later and still wait. */
  readonly behind: Set<number>
  before: number
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
  const place: QueuePlace = { trace, counts, hands: null, rows: row, job, stage, ahead: createSteps(), behind: new Set(), before, over: false }
  follow(place, 1, null)
  appendStep(place.ahead, time, before)
  return place
}

/** Reads the new rows of the trace while the job waits. */
export function extendQueuePlace(place: QueuePlace): void {
  const { trace, job, stage, ahead, behind, counts } = place
  let there = 0
  const before = () => {
    there = present(trace, counts, stage)
  }
  const after: RowVisitor = (rows, i) => {
    const more = present(trace, counts, stage) - there
    if (place.over || more === 0) return
    const other = rows.job[i]
    if (more < 0 && other === job) place.over = true
    else if (more < 0) place.before -= behind.delete(other) ? 0 : 1
    else if (comesNew(rows.kind[i])) behind.add(other)
    else place.before += more
    appendStep(ahead, rowTime(rows, i), place.before)
  }
  while (!place.over && !follow(place, AT_ONCE, before, after));
}

/** Whether a row of this kind puts its job at the end of a queue. Others put jobs back at the head. */
function comesNew(kind: number): boolean {
  return kind === ARRIVED || kind === FINISHED || kind === ROUTED || kind === GATHERED
}

/** Returns how many jobs wait at a stage; at a first stage also those outside. */
function present({ topology }: Trace, { waiting, outside }: Counts, stage: number): number {
  return waiting[stage] + (topology.before[stage].length === 0 ? outside : 0)
}
