import type { Micros } from '../scenario/model/scenario.ts'
import { rowsUntil, type Trace, timeOf } from './trace.ts'

/** When decision d was taken: the time of the facts that it stands behind. */
export function decisionTime(trace: Trace, d: number): Micros {
  const row = trace.decisions.row[d]
  return row === 0 ? 0 : timeOf(trace, row - 1)
}

/** The latest decision at or before time t; -1 before the first. */
export function decisionIndexAt(trace: Trace, t: Micros): number {
  const { row, length } = trace.decisions
  const rows = rowsUntil(trace, t)
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (row[middle] <= rows) low = middle + 1
    else high = middle
  }
  return low - 1
}
