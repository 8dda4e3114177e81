import { ARRIVED, beganAt, DISMISSED, endedAt, FAILED, FINISHED, LOST, NONE, RELEASED, type Rows, SECOND, STARTED, THREW } from '../pipeline/rows.ts'
import { SINK } from '../pipeline/topology.ts'
import type { Micros } from '../scenario/scenario.ts'
import { type Trace, traceRow } from '../trace/trace.ts'

/** One job on its way through the pipeline, kept up with a trace that may still grow. */
export interface Journey {
  readonly job: number
  /** -1 before it has arrived. */
  arrivedAt: Micros
  /** When it had been served everywhere: from then on it waits to leave in order. -1 before. */
  parkedAt: Micros
  /** -1 while it is here. */
  leftAt: Micros
  failed: boolean
  /** One for every time it went from a queue to a worker, and one for the queue it stands in. */
  readonly legs: Leg[]
  /** Whether it is in hand in a second batch, which nobody has begun. */
  behind: boolean
  /** Rows looked at. */
  rows: number
}

/** A wait and what came after it. Instants are -1 while they have not come. */
export interface Leg {
  readonly stage: number
  /** The row that put it into the queue, and its time. */
  readonly row: number
  readonly queuedAt: Micros
  startedAt: Micros
  worker: number
  /** When the worker's time went into this job: within a batch, or after a change of stage, later than the start. */
  began: Micros
  ended: Micros
  outcome: 'waiting' | 'in hand' | 'served' | 'thrown back' | 'given up'
}

export function createJourney(job: number): Journey {
  return { job, arrivedAt: -1, parkedAt: -1, leftAt: -1, failed: false, legs: [], behind: false, rows: 0 }
}

/** Takes in the rows the trace has got since the last time. A plain loop over columns: some ten milliseconds for the eight million rows of a million jobs. */
export function extendJourney(journey: Journey, trace: Trace): void {
  const { job } = journey
  let holder = holderOf(journey)
  let base = 0
  for (const rows of trace.chunks) {
    const { kind, worker, job: jobs, length } = rows
    for (let i = Math.max(0, journey.rows - base); i < length; i++) {
      if (jobs[i] !== job && (worker[i] !== holder || holder < 0)) continue
      // The batch before its own is through: all of it at once.
      if (journey.behind && (kind[i] === FINISHED || kind[i] === THREW)) journey.behind = false
      else if (jobs[i] === job || kind[i] === LOST || kind[i] === THREW) take(journey, trace, rows, i, base + i)
      if (kind[i] === STARTED && jobs[i] === job) journey.behind = isSecond(trace, base + i)
      holder = holderOf(journey)
    }
    base += length
  }
  journey.rows = trace.length
}

function holderOf({ legs }: Journey): number {
  const last = legs.at(-1)
  return last?.outcome === 'in hand' ? last.worker : NONE
}

/** Whether the order in this row is one of a second batch: such a run of orders is announced. */
function isSecond(trace: Trace, row: number): boolean {
  const { worker } = traceRow(trace, row)
  for (let before = row - 1; before >= 0; before--) {
    const { kind, worker: who } = traceRow(trace, before)
    if (kind !== STARTED || who !== worker) return kind === SECOND && who === worker
  }
  return false
}

function take(journey: Journey, { topology }: Trace, rows: Rows, i: number, row: number): void {
  const time = rows.time[i]
  const leg = journey.legs.at(-1)
  switch (rows.kind[i]) {
    case ARRIVED:
      journey.arrivedAt = time
      queue(journey, topology.first, row, time)
      return
    case STARTED:
      if (leg !== undefined) Object.assign(leg, { startedAt: time, worker: rows.worker[i], outcome: 'in hand' })
      return
    case FINISHED: {
      if (leg !== undefined) Object.assign(leg, { began: beganAt(rows, i), ended: endedAt(rows, i), outcome: 'served' })
      const next = topology.next[rows.stage[i]]
      if (next === SINK) journey.parkedAt = time
      else queue(journey, next, row, time)
      return
    }
    case THREW:
    case LOST:
    case DISMISSED:
      // What was in a worker's hands goes back to the head of the queue it came from.
      if (leg?.outcome !== 'in hand') return
      Object.assign(leg, { ended: time, outcome: 'thrown back' })
      queue(journey, leg.stage, row, time)
      return
    case FAILED:
      if (leg?.outcome === 'waiting') Object.assign(leg, { ended: time, outcome: 'given up' })
      journey.failed = true
      journey.leftAt = time
      return
    case RELEASED:
      journey.leftAt = time
  }
}

function queue({ legs }: Journey, stage: number, row: number, queuedAt: Micros): void {
  legs.push({ stage, row, queuedAt, startedAt: -1, worker: NONE, began: -1, ended: -1, outcome: 'waiting' })
}
