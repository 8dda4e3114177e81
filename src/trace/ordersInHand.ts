import type { Counts } from '../pipeline/counts.ts'
import { PREFETCH, STARTED } from '../pipeline/rows.ts'
import { rowsUntil, type Trace, traceRow } from './trace.ts'

/** Returns the rows by which a worker was given the jobs it has in hand, first to last. `row` bounds the search: all stand before it. */
export function ordersInHand(trace: Trace, { hand, prefetching, since }: Counts, worker: number, row: number): number[] {
  // Without a prefetched batch all were given when the worker began this one, or earlier.
  let at = prefetching[worker] === 1 ? row : Math.min(row, rowsUntil(trace, since[worker]))
  const orders: number[] = []
  while (orders.length < hand[worker] && at-- > 0) {
    const { kind, worker: who } = traceRow(trace, at)
    if (kind === STARTED && who === worker) orders.unshift(at)
  }
  return orders
}

/** Whether the order in this row is of a prefetched batch: a row announces the run of such orders. */
export function isPrefetch(trace: Trace, row: number): boolean {
  const { worker } = traceRow(trace, row)
  for (let before = row - 1; before >= 0; before--) {
    const { kind, worker: who } = traceRow(trace, before)
    if (kind !== STARTED || who !== worker) return kind === PREFETCH && who === worker
  }
  return false
}
