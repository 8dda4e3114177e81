import { bisectRight } from 'd3-array'
import { countRow } from '../pipeline/countRow.ts'
import { type Counts, createCounts } from '../pipeline/counts.ts'
import { PREFETCH, type Rows, STARTED } from '../pipeline/rows.ts'
import { createWorkerJobs, updateWorkerJobs, type WorkerJobs } from '../pipeline/workerJobs.ts'
import type { Micros } from '../scenario/model/scenario.ts'
import { chunkOf, rowsUntil, type Trace, timeOf, traceRow } from './trace.ts'

/** Reads a trace row by row and knows the state at each. The trace may still grow. */
export interface Follower {
  readonly trace: Trace
  readonly counts: Counts
  /** The unfinished jobs of each worker; null if they are not needed. */
  readonly hands: WorkerJobs | null
  /** The number of rows read. */
  rows: number
}

/** Row `row` of the trace is row `i` of `rows`. `back`: the jobs that its worker puts back into their queue, if the follower keeps the hands. */
export type RowVisitor = (rows: Rows, i: number, back: readonly number[], row: number) => void

const nothing: readonly number[] = Object.freeze([])

/** Returns a follower at the first row. */
export function createFollower(trace: Trace, keepsHands = false): Follower {
  const counts = createCounts(trace.scenario)
  return { trace, counts, hands: keepsHands ? createWorkerJobs(counts.status.length) : null, rows: 0 }
}

/** Reads at most `maxRows` new rows: `before` sees the counts before a row, `after` those after it. Returns whether the follower is up to date. */
export function follow(
  follower: Follower,
  most: number,
  before: RowVisitor | null,
  after: RowVisitor | null = null,
): boolean {
  const { trace, counts, hands } = follower
  const { topology } = trace
  const end = Math.min(trace.length, follower.rows + most)
  while (follower.rows < end) {
    const { chunk, at } = chunkOf(trace.chunks, follower.rows)
    const to = Math.min(chunk.length, at + end - follower.rows)
    for (let i = at; i < to; i++) {
      const row = follower.rows
      const back = hands === null ? nothing : updateWorkerJobs(hands, counts, chunk, i)
      if (before !== null) before(chunk, i, back, row)
      countRow(topology, counts, chunk, i)
      follower.rows = row + 1
      if (after !== null) after(chunk, i, back, row)
    }
  }
  return end === trace.length
}

/** Runs work that pauses from time to time (a generator that yields nothing) to its end. Returns its result. */
export function runToEnd<T>(work: Generator<void, T>): T {
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

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
export function ordersInHand(
  trace: Trace,
  { jobsInHand, prefetching, since }: Counts,
  worker: number,
  row: number,
): number[] {
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
