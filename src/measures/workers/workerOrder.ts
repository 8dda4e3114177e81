import { bisectRight } from 'd3-array'
import { BUSY, type Counts } from '../../pipeline/counts.ts'
import { STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { isPrefetch, ordersInHand } from '../../trace/findRows.ts'
import { rowsUntil, stateAt, type Trace, traceRow } from '../../trace/trace.ts'

/** The batch that a worker is at, or was at last, and the decision that gave it. */
export interface WorkerOrder {
  readonly decision: number
  readonly stage: number
  /** The first job, and how many there are. */
  readonly job: number
  readonly jobs: number
  /** Whether it was given while the worker was at another batch. */
  readonly prefetch: boolean
}

/** Returns the latest batch that a worker has begun by time t, by rows, so that decisions of one instant can be distinguished; null before its first. */
export function workerOrderAt(trace: Trace, worker: number, t: Micros): WorkerOrder | null {
  const { counts } = stateAt(trace, t)
  const row = counts.status[worker] === BUSY ? ordersInHand(trace, counts, worker, rowsUntil(trace, t))[0] : lastOrder(trace, counts, worker)
  return row === undefined ? null : orderIn(trace, row)
}

/** Returns a row of the last order that a worker without jobs has had. */
function lastOrder(trace: Trace, { since }: Counts, worker: number): number | undefined {
  for (let row = rowsUntil(trace, since[worker]) - 1; row >= 0; row--) if (isOrderFor(trace, row, worker)) return row
  return undefined
}

/** Returns the whole order that a row is part of: its rows are adjacent. */
function orderIn(trace: Trace, row: number): WorkerOrder {
  const { worker, stage } = traceRow(trace, row)
  let first = row
  while (first > 0 && isOrderFor(trace, first - 1, worker)) first--
  let end = row + 1
  while (end < trace.length && isOrderFor(trace, end, worker)) end++
  const { row: decisions, length } = trace.decisions
  return {
    decision: bisectRight(decisions, first, 0, length) - 1,
    stage,
    job: traceRow(trace, first).job,
    jobs: end - first,
    prefetch: isPrefetch(trace, first),
  }
}

function isOrderFor(trace: Trace, row: number, worker: number): boolean {
  const { kind, worker: other } = traceRow(trace, row)
  return kind === STARTED && other === worker
}
