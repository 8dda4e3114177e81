import { countRow } from '../pipeline/countRow.ts'
import { type Counts, copyCounts, countsFrom, createCounts, type KeptCounts, keepCounts } from '../pipeline/counts.ts'
import type { Ending, Failure, Journal } from '../pipeline/journal.ts'
import { closeRows, copyRows, createRows, type Row, type Rows, rowAt, rowTime } from '../pipeline/rows.ts'
import { type Topology, topologyOf } from '../pipeline/topology.ts'
import type { EngineName } from '../scenario/model/engines.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { appendDecisions, closeDecisions, createDecisionLog, type DecisionLog } from './decisionLog.ts'

/** Bytes of the largest file of a trace that is opened. */
export const MAX_TRACE_FILE = 2_000_000_000

/** Rows a chunk of columns holds: a power of two, so that a row is found by a shift and a mask. */
const CHUNK_BITS = 16
const CHUNK = 1 << CHUNK_BITS
/** Rows between two checkpoints: folding so many takes a twentieth of a millisecond, and a frame under a hand that scrubs seeks more than once. */
const STRIDE = 1 << 11

/** How things stand after some rows: what a seek folds on from. */
export interface FoldedState {
  readonly counts: Counts
  /** Decisions so far, and the seats they have left by stage. */
  decisions: number
  readonly seats: Uint16Array
}

/** The same as it is kept. */
interface Checkpoint extends Omit<FoldedState, 'counts'> {
  readonly counts: KeptCounts
}

/** What happened: an append-only record of one run. Memory: 13 bytes a row, 4 or 8 a service, 12 a decision and 3 a seat changed. */
export interface Trace {
  readonly scenario: Scenario
  readonly engine: EngineName
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly topology: Topology
  readonly chunks: Rows[]
  readonly decisions: DecisionLog
  readonly checkpoints: Checkpoint[]
  readonly failures: Failure[]
  /** How things stand after the first `folded` rows. */
  readonly head: FoldedState
  folded: number
  /** Number of rows so far. */
  length: number
  ending: Ending | null
}

export function createTrace(scenario: Scenario, engine: EngineName, startedAt: number): Trace {
  return {
    scenario,
    engine,
    startedAt,
    topology: topologyOf(scenario),
    chunks: [],
    decisions: createDecisionLog(),
    checkpoints: [],
    failures: [],
    head: { counts: createCounts(scenario), decisions: 0, seats: new Uint16Array(scenario.stages.length) },
    folded: 0,
    length: 0,
    ending: null,
  }
}

/** Copies a journal to the end of the trace. */
export function append(trace: Trace, journal: Journal): void {
  const { rows } = journal
  const before = trace.length
  appendDecisions(trace.decisions, journal.decisions, before)
  for (let from = 0; from < rows.length; ) {
    const chunk = lastChunk(trace)
    const to = Math.min(rows.length, from + CHUNK - chunk.length)
    copyRows(rows, from, to, chunk)
    from = to
  }
  trace.length = before + rows.length
}

/**
 * Folds the rows appended since the last time into the head, with a checkpoint at every stride; at most `most` rows, so
 * that whoever draws meanwhile can spread the work over frames. Returns whether the head is up to date.
 */
export function catchUp(trace: Trace, most = Number.POSITIVE_INFINITY): boolean {
  const { head, checkpoints } = trace
  const end = Math.min(trace.length, trace.folded + most)
  while (trace.folded < end) {
    const start = trace.folded
    if (start % STRIDE === 0) checkpoints.push({ counts: keepCounts(head.counts), decisions: head.decisions, seats: head.seats.slice() })
    trace.folded = Math.min(end, start - (start % STRIDE) + STRIDE)
    fold(trace, head, start, trace.folded)
  }
  const upToDate = trace.folded === trace.length
  if (upToDate && trace.ending !== null) closeDecisions(trace.decisions)
  return upToDate
}

/** Row i as an object. Throws a RangeError outside. */
export function traceRow(trace: Trace, i: number): Row {
  if (!(i >= 0 && i < trace.length)) throw new RangeError(`row ${i} of ${trace.length}`)
  return rowAt(trace.chunks[i >> CHUNK_BITS], i & (CHUNK - 1))
}

/** The time of the last row; 0 before the first. */
export function endOf(trace: Trace): Micros {
  return trace.length === 0 ? 0 : timeOf(trace, trace.length - 1)
}

export function timeOf(trace: Trace, i: number): Micros {
  return rowTime(trace.chunks[i >> CHUNK_BITS], i & (CHUNK - 1))
}

/** The chunk that row i stands in, and its place there. */
export function chunkOf(chunks: readonly Rows[], i: number): { readonly chunk: Rows; readonly at: number } {
  return { chunk: chunks[i >> CHUNK_BITS], at: i & (CHUNK - 1) }
}

/** Number of rows whose time is at most t: by binary search, since time never runs back. */
export function rowsUntil(trace: Trace, t: Micros): number {
  let low = 0
  let high = trace.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeOf(trace, middle) <= t) low = middle + 1
    else high = middle
  }
  return low
}

/** Visits rows [from, to) as (columns, index in them): the quick way over many rows. */
export function eachRow(trace: Trace, from: number, to: number, visit: (rows: Rows, i: number, row: number) => void): void {
  for (let row = from; row < to; row++) visit(trace.chunks[row >> CHUNK_BITS], row & (CHUNK - 1), row)
}

/** How things stood before row `row`, and before a decision that stands there: what that decision saw. */
export function stateBefore(trace: Trace, row: number): FoldedState {
  // No further than is asked for: whoever draws the beginning of a long run does not wait for its end.
  if (trace.folded < row) catchUp(trace, row - trace.folded)
  const k = Math.min(Math.floor(row / STRIDE), trace.checkpoints.length - 1)
  const standing = k < 0 ? copyStanding(trace.head) : standingFrom(trace.checkpoints[k], trace.head)
  fold(trace, standing, Math.max(0, k) * STRIDE, Math.min(row, trace.length))
  return standing
}

/** How things stood at time t, with all that happened and was decided at that time. */
export function stateAt(trace: Trace, t: Micros): FoldedState {
  const row = rowsUntil(trace, t)
  const standing = stateBefore(trace, row)
  takeSeats(trace.decisions, standing, row)
  return standing
}

function lastChunk(trace: Trace): Rows {
  const last = trace.chunks.at(-1)
  if (last !== undefined && last.length < CHUNK) return last
  if (last !== undefined) closeRows(last)
  const chunk = createRows(CHUNK)
  trace.chunks.push(chunk)
  return chunk
}

/** Folds rows [from, to) and the decisions that stand before them. */
function fold(trace: Trace, standing: FoldedState, from: number, to: number): void {
  const { topology, decisions } = trace
  const { counts } = standing
  let next = standing.decisions < decisions.length ? decisions.row[standing.decisions] : Infinity
  for (let row = from; row < to; row++) {
    if (next === row) {
      takeSeats(decisions, standing, row)
      next = standing.decisions < decisions.length ? decisions.row[standing.decisions] : Infinity
    }
    countRow(topology, counts, trace.chunks[row >> CHUNK_BITS], row & (CHUNK - 1))
  }
}

/** Applies the decisions that stand before or at row `row`. */
function takeSeats(log: DecisionLog, standing: FoldedState, row: number): void {
  while (standing.decisions < log.length && log.row[standing.decisions] <= row) {
    const d = standing.decisions++
    for (let c = d === 0 ? 0 : log.ends[d - 1]; c < log.ends[d]; c++) standing.seats[log.stage[c]] = log.seats[c]
  }
}

function standingFrom({ counts, decisions, seats }: Checkpoint, head: FoldedState): FoldedState {
  return { counts: countsFrom(counts, head.counts), decisions, seats: seats.slice() }
}

function copyStanding({ counts, decisions, seats }: FoldedState): FoldedState {
  return { counts: copyCounts(counts), decisions, seats: seats.slice() }
}
