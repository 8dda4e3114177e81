import { bisectRight } from 'd3-array'
import type { Counts } from '../pipeline/counts.ts'
import { PREFETCH, STARTED } from '../pipeline/rows.ts'
import type { Micros } from '../scenario/model/scenario.ts'
import { rowsUntil, type Trace, timeOf, traceRow } from './trace.ts'

/** Returns when decision `d` was taken: the time of the facts before it. */
export function decisionTime(trace: Trace, d: number): Micros {
  return timeBefore(trace, trace.decisions.row[d])
}

/** Returns the time of the row before row `row`; 0 before the first. */
export function timeBefore(trace: Trace, row: number): Micros {
  return row === 0 ? 0 : timeOf(trace, row - 1)
}

/** Returns the latest decision at or before time t; -1 before the first. */
export function decisionIndexAt(trace: Trace, t: Micros): number {
  const { row, length } = trace.decisions
  return bisectRight(row, rowsUntil(trace, t), 0, length) - 1
}

/** Returns the rows that gave a worker the jobs it has in hand, first to last. All are before row `row`, which is not among the `finished` rows of a batch. */
export function ordersInHand(trace: Trace, { jobsInHand, prefetching, since }: Counts, worker: number, row: number): number[] {
  // Without a prefetched batch all were given by the time when the worker began this batch.
  let at = prefetching[worker] === 1 ? row : Math.min(row, rowsUntil(trace, since[worker]))
  const orders: number[] = []
  while (orders.length < jobsInHand[worker] && at-- > 0) {
    const { kind, worker: other } = traceRow(trace, at)
    if (kind === STARTED && other === worker) orders.unshift(at)
  }
  return orders
}

/** Whether the order in this row is of a prefetched batch: a `second` row announces the run of such orders. */
export function isPrefetch(trace: Trace, row: number): boolean {
  const { worker } = traceRow(trace, row)
  for (let before = row - 1; before >= 0; before--) {
    const { kind, worker: other } = traceRow(trace, before)
    if (kind !== STARTED || other !== worker) return kind === PREFETCH && other === worker
  }
  return false
}
