import { ARRIVED, beganAt, endedAt, FAILED, FINISHED, LOST, NONE, RELEASED, type Rows, STARTED, THREW } from '../pipeline/rows.ts'
import { SINK } from '../pipeline/topology.ts'
import type { Micros } from '../scenario/scenario.ts'
import type { Trace } from '../trace/trace.ts'

/** One job on its way through the pipeline, kept up with a trace that may still grow. */
export interface Journey {
  readonly job: number
  /** -1 before it has arrived. */
  arrivedAt: Micros
  /** -1 while it is here. */
  leftAt: Micros
  failed: boolean
  /** One for every time it went from a queue to a worker, and one for the queue it stands in. */
  readonly legs: Leg[]
  /** Rows looked at. */
  rows: number
}

/** A wait and what came after it. Instants are -1 while they have not come. */
export interface Leg {
  readonly stage: number
  readonly queuedAt: Micros
  startedAt: Micros
  worker: number
  /** When the worker's time went into this job: within a batch, or after a change of stage, later than the start. */
  began: Micros
  ended: Micros
  outcome: 'waiting' | 'in hand' | 'served' | 'thrown back' | 'given up'
}

export function createJourney(job: number): Journey {
  return { job, arrivedAt: -1, leftAt: -1, failed: false, legs: [], rows: 0 }
}

/** Takes in the rows the trace has got since the last time. A plain loop over columns: some ten milliseconds for the eight million rows of a million jobs. */
export function extendJourney(journey: Journey, trace: Trace): void {
  const { job } = journey
  let holder = holderOf(journey)
  let base = 0
  for (const rows of trace.chunks) {
    const { kind, worker, job: jobs, length } = rows
    for (let i = Math.max(0, journey.rows - base); i < length; i++) {
      if (jobs[i] !== job && (worker[i] !== holder || (kind[i] !== LOST && kind[i] !== THREW) || holder < 0)) continue
      take(journey, trace, rows, i)
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

function take(journey: Journey, { topology }: Trace, rows: Rows, i: number): void {
  const time = rows.time[i]
  const leg = journey.legs.at(-1)
  switch (rows.kind[i]) {
    case ARRIVED:
      journey.arrivedAt = time
      queue(journey, topology.first, time)
      return
    case STARTED:
      if (leg !== undefined) Object.assign(leg, { startedAt: time, worker: rows.worker[i], outcome: 'in hand' })
      return
    case FINISHED: {
      if (leg !== undefined) Object.assign(leg, { began: beganAt(rows, i), ended: endedAt(rows, i), outcome: 'served' })
      const next = topology.next[rows.stage[i]]
      if (next !== SINK) queue(journey, next, time)
      return
    }
    case THREW:
    case LOST:
      // What was in a worker's hands goes back to the head of the queue it came from.
      if (leg?.outcome !== 'in hand') return
      Object.assign(leg, { ended: time, outcome: 'thrown back' })
      queue(journey, leg.stage, time)
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

function queue({ legs }: Journey, stage: number, queuedAt: Micros): void {
  legs.push({ stage, queuedAt, startedAt: -1, worker: NONE, began: -1, ended: -1, outcome: 'waiting' })
}
