import type { Counts } from '../../pipeline/counts.ts'
import * as log from '../../pipeline/rows.ts'
import { SINK } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Follower, follow, isPrefetch, ordersInHand, type RowVisitor } from '../../trace/follow.ts'
import { stateBefore, type Trace, traceRow } from '../../trace/trace.ts'
import { appendStep, createSteps, type Steps } from '../series/steps.ts'

/** One job on its way through the pipeline. The trace may still grow. */
export interface Journey {
  readonly job: number
  /** -1 before it has arrived. */
  arrivedAt: Micros
  /** When all its parts had been served; -1 before. */
  parkedAt: Micros
  /** -1 while it is here. */
  leftAt: Micros
  failed: boolean
  /** Its client gave up for good. */
  gaveUp: boolean
  /** One for each wait in a queue and what followed. Parts have legs at the same time. */
  readonly legs: Leg[]
  rows: number
}

/** A wait and the service after it. Times are -1 until they are known. */
export interface Leg {
  readonly stage: number
  /** The row that put it into the queue, and its time. */
  readonly row: number
  readonly queuedAt: Micros
  startedAt: Micros
  worker: number
  /** When the work began and ended: later than the start in a batch or after a change. */
  began: Micros
  ended: Micros
  /** The time of the row that ended the leg. */
  overAt: Micros
  outcome: 'waiting' | 'in hand' | 'served' | 'thrown back' | 'given up'
  /** Whether it is in a prefetched batch, which has not begun. */
  prefetched: boolean
}

export function createJourney(job: number): Journey {
  return { job, arrivedAt: -1, parkedAt: -1, leftAt: -1, failed: false, gaveUp: false, legs: [], rows: 0 }
}

/** Reads the new rows in a plain loop: ten milliseconds for eight million. */
export function extendJourney(journey: Journey, trace: Trace): void {
  const { job, legs } = journey
  // The worker that has a part of it: usually none or one.
  let held = legs.filter(inHand)
  let holder = holderOf(held)
  let base = 0
  for (const rows of trace.chunks) {
    const { kind, worker, job: jobs, length } = rows
    for (let i = Math.max(0, journey.rows - base); i < length; i++) {
      if (jobs[i] !== job && (holder === log.NONE || (holder !== SEVERAL && worker[i] !== holder))) continue
      const leg = held.find((candidate) => candidate.worker === worker[i])
      // The batch in front is over, all of it at once.
      if (leg?.prefetched && (kind[i] === log.FINISHED || kind[i] === log.THREW)) leg.prefetched = false
      else if (jobs[i] === job || (leg !== undefined && (kind[i] === log.LOST || kind[i] === log.THREW)))
        take(journey, trace, rows, i, base + i)
      held = legs.filter(inHand)
      holder = holderOf(held)
    }
    base += length
  }
  journey.rows = trace.length
}

const SEVERAL = -2

function holderOf(held: readonly Leg[]): number {
  return held.length === 0 ? log.NONE : held.length === 1 ? held[0].worker : SEVERAL
}

const inHand = ({ outcome }: Leg): boolean => outcome === 'in hand'

function take(journey: Journey, trace: Trace, rows: log.Rows, i: number, row: number): void {
  const { topology } = trace
  const { legs } = journey
  const time = log.rowTime(rows, i)
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const waiting = () => legs.find((leg) => leg.stage === stage && leg.outcome === 'waiting')
  switch (rows.kind[i]) {
    case log.ARRIVED:
    case log.RETRIED:
      if (rows.kind[i] === log.ARRIVED) journey.arrivedAt = time
      for (const first of topology.firsts) queue(journey, first, row, time)
      return
    case log.STARTED: {
      const leg = waiting()
      if (leg !== undefined)
        Object.assign(leg, { startedAt: time, worker, outcome: 'in hand', prefetched: isPrefetch(trace, row) })
      return
    }
    case log.FINISHED: {
      const leg = legs.find((candidate) => inHand(candidate) && candidate.stage === stage)
      if (leg !== undefined)
        Object.assign(leg, {
          began: log.beganAt(rows, i),
          ended: log.endedAt(rows, i),
          overAt: time,
          outcome: 'served',
        })
      if (topology.next[stage] === SINK) journey.parkedAt = time
      // A separate row tells where a job is routed, or that all its parts have met.
      for (const to of topology.queuesAfter[stage]) queue(journey, to, row, time)
      return
    }
    case log.ROUTED:
      if (topology.joins[stage] === 0) queue(journey, stage, row, time)
      return
    case log.GATHERED:
      if (stage === log.NONE) journey.parkedAt = time
      else queue(journey, stage, row, time)
      return
    case log.THREW:
    case log.LOST:
    case log.DISMISSED: {
      // Jobs from a worker's hands go back to the head of their queue.
      const leg = legs.find((candidate) => inHand(candidate) && candidate.worker === worker)
      if (leg === undefined) return
      Object.assign(leg, { ended: time, overAt: time, outcome: 'thrown back' })
      queue(journey, leg.stage, row, time)
      return
    }
    case log.RENEGED:
    case log.GAVE_UP:
    case log.WITHDRAWN:
    case log.FAILED: {
      // A job that waits outside is given up without a stage.
      const leg = stage === log.NONE ? legs.at(-1) : waiting()
      if (leg !== undefined) Object.assign(leg, { ended: time, overAt: time, outcome: 'given up' })
      if (rows.kind[i] === log.WITHDRAWN || rows.kind[i] === log.RENEGED) return
      if (rows.kind[i] === log.FAILED) journey.failed = true
      else journey.gaveUp = true
      journey.leftAt = time
      return
    }
    case log.RELEASED:
      journey.leftAt = time
  }
}

function queue({ legs }: Journey, stage: number, row: number, queuedAt: Micros): void {
  legs.push({
    stage,
    row,
    queuedAt,
    startedAt: -1,
    worker: log.NONE,
    began: -1,
    ended: -1,
    overAt: -1,
    outcome: 'waiting',
    prefetched: false,
  })
}

/** Where a job or a part is. Parked: served everywhere, waiting to leave in order. */
export type Whereabouts =
  | { readonly at: 'queue'; readonly leg: Leg }
  | { readonly at: 'hands'; readonly stage: number; readonly worker: number }
  | { readonly at: 'parked' }

/** Returns where the job is after `t`: several places where it is copied, none while it is elsewhere. */
export function whereaboutsAt({ arrivedAt, parkedAt, leftAt, legs }: Journey, t: Micros): Whereabouts[] {
  if (arrivedAt < 0 || t < arrivedAt || (leftAt >= 0 && t >= leftAt)) return []
  if (parkedAt >= 0 && t >= parkedAt) return [{ at: 'parked' }]
  return legs
    .filter(({ queuedAt, overAt }) => queuedAt <= t && (overAt < 0 || t < overAt))
    .map((leg) =>
      leg.startedAt >= 0 && leg.startedAt <= t
        ? { at: 'hands', stage: leg.stage, worker: leg.worker }
        : { at: 'queue', leg },
    )
}

/** How many jobs are before one in its queue. Those outside a first queue come last. */
export interface QueuePlace extends Follower {
  readonly job: number
  readonly stage: number
  readonly ahead: Steps
  /** Jobs that arrived later and still wait. */
  readonly behind: Set<number>
  before: number
  over: boolean
}

/** Rows between two checks whether it still waits. */
const ROWS_A_CHECK = 4096

/** Returns the place from the row on that put the job into this queue. */
export function createQueuePlace(trace: Trace, job: number, { stage, row }: Pick<Leg, 'stage' | 'row'>): QueuePlace {
  const { counts } = stateBefore(trace, row)
  const { kind, time, worker } = traceRow(trace, row)
  // Jobs that a worker returns go to the head, in the order in which it was given them.
  const before = isQueuedAtEnd(kind)
    ? present(trace, counts, stage)
    : ordersInHand(trace, counts, worker, row).findIndex((order) => traceRow(trace, order).job === job)
  const place: QueuePlace = {
    trace,
    counts,
    hands: null,
    rows: row,
    job,
    stage,
    ahead: createSteps(),
    behind: new Set(),
    before,
    over: false,
  }
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
    else if (isQueuedAtEnd(rows.kind[i])) behind.add(other)
    else place.before += more
    appendStep(ahead, log.rowTime(rows, i), place.before)
  }
  while (!place.over && !follow(place, ROWS_A_CHECK, before, after));
}

/** Whether such a row puts its job at the end of a queue, not at the head. */
function isQueuedAtEnd(kind: number): boolean {
  return (
    kind === log.ARRIVED ||
    kind === log.RETRIED ||
    kind === log.FINISHED ||
    kind === log.ROUTED ||
    kind === log.GATHERED
  )
}

/** Returns how many jobs wait at a stage; at a first stage also those outside. */
function present({ topology }: Trace, { waiting, outside }: Counts, stage: number): number {
  return waiting[stage] + (topology.before[stage].length === 0 ? outside : 0)
}
