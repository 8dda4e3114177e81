import { bisectRight } from 'd3-array'
import type { Micros } from '../scenario/model/scenario.ts'
import { rowsUntil, type Trace, timeOf } from './trace.ts'

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
