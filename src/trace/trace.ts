import { bisector, bisectRight } from 'd3-array'
import { grown, resized } from '../pipeline/column.ts'
import { countRow } from '../pipeline/countRow.ts'
import { type Counts, copyCounts, countsFrom, createCounts, type KeptCounts, keepCounts } from '../pipeline/counts.ts'
import {
  applySeats,
  createDecisions,
  type Decisions,
  type Ending,
  type Failure,
  type Journal,
} from '../pipeline/journal.ts'
import { copyRows, createRows, makeRoom, type Row, type Rows, rowAt, rowTime } from '../pipeline/rows.ts'
import { type Topology, topologyOf, workersEver } from '../pipeline/topology.ts'
import type { EngineName } from '../scenario/model/engines.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import type { FormerPolicy } from '../scenario/parse/gone.ts'

/** Bytes of the largest trace file that is opened. */
export const MAX_TRACE_FILE = 2_000_000_000

/** Rows in a chunk of columns: a power of two, so that a row is found by a shift and a mask. */
const CHUNK_BITS = 16
const CHUNK = 1 << CHUNK_BITS
/** The fewest rows between two checkpoints. To fold them takes a twentieth of a millisecond; scrubbing seeks more than once a frame. */
const MIN_STRIDE = 1 << 11
/** The most bytes of checkpoints a row, for the columns of workers (31 bytes a worker). Ten thousand workers have a checkpoint every 32,768 rows. */
const BYTES_A_ROW = 16

/** The state after some rows. A seek folds on from here. */
export interface FoldedState {
  readonly counts: Counts
  /** Decisions so far, and the seats they left by stage. */
  decisions: number
  readonly seats: Uint16Array
}

type Checkpoint = Omit<FoldedState, 'counts'> & { readonly counts: KeptCounts }

/** What happened: an append-only record of one run. Memory: 15 bytes a row (see Rows), 12 a decision and 3 a changed seat. */
export interface Trace {
  readonly scenario: Scenario
  readonly engine: EngineName
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly topology: Topology
  readonly chunks: Rows[]
  /** As in a journal, but rows are counted from the first of the run. */
  readonly decisions: Decisions
  readonly checkpoints: Checkpoint[]
  /** Rows between two checkpoints. */
  readonly stride: number
  readonly failures: Failure[]
  /** The state after the first `folded` rows. */
  readonly head: FoldedState
  folded: number
  /** Number of rows so far. */
  length: number
  ending: Ending | null
  /** Not null if the rows before were dropped. */
  begins: Begins | null
  /** By the number of begun phases: the policy of a record that this version no longer has, and cannot explain; null where it can. Empty: it can everywhere. */
  readonly formerPolicies: readonly (FormerPolicy | null)[]
}

/**
 * Where a record of the last rows of a run begins: before this row and time it has only what belongs to jobs inside, and to the last job of each
 * worker. How many jobs had arrived, been released and failed by then: those that are left out had left.
 */
export interface Begins {
  readonly row: number
  readonly time: Micros
  readonly arrived: number
  readonly released: number
  readonly failed: number
}

export function createTrace(
  scenario: Scenario,
  engine: EngineName,
  startedAt: number,
  formerPolicies: Trace['formerPolicies'] = [],
): Trace {
  return {
    scenario,
    engine,
    startedAt,
    topology: topologyOf(scenario),
    chunks: [],
    decisions: createDecisions(0),
    checkpoints: [],
    stride: strideFor(workersEver(scenario)),
    failures: [],
    head: { counts: createCounts(scenario), decisions: 0, seats: new Uint16Array(scenario.stages.length) },
    folded: 0,
    length: 0,
    ending: null,
    begins: null,
    formerPolicies,
  }
}

function strideFor(workers: number): number {
  let stride = MIN_STRIDE
  while (stride * BYTES_A_ROW < 31 * workers) stride *= 2
  return stride
}

/** Copies a journal to the end of the trace. */
export function append(trace: Trace, journal: Journal): void {
  const { rows } = journal
  const before = trace.length
  appendDecisions(trace.decisions, journal.decisions, before)
  for (let from = 0; from < rows.length; ) {
    const chunk = lastChunk(trace)
    const to = Math.min(rows.length, from + CHUNK - chunk.length)
    makeRoom(chunk, chunk.length + to - from, CHUNK)
    copyRows(rows, from, to, chunk)
    from = to
  }
  trace.length = before + rows.length
}

/** Folds at most `most` new rows into the head, with a checkpoint at every stride. Returns whether the head is up to date. */
export function catchUp(trace: Trace, most = Number.POSITIVE_INFINITY): boolean {
  const { head, checkpoints, stride } = trace
  const end = Math.min(trace.length, trace.folded + most)
  while (trace.folded < end) {
    const start = trace.folded
    if (start % stride === 0)
      checkpoints.push({ counts: keepCounts(head.counts), decisions: head.decisions, seats: head.seats.slice() })
    trace.folded = Math.min(end, start - (start % stride) + stride)
    fold(trace, head, start, trace.folded)
  }
  const upToDate = trace.folded === trace.length
  if (upToDate && trace.ending !== null) closeDecisions(trace.decisions)
  return upToDate
}

/** Returns row `i` as an object. Throws RangeError outside. */
export function traceRow(trace: Trace, i: number): Row {
  if (!(i >= 0 && i < trace.length)) throw new RangeError(`row ${i} of ${trace.length}`)
  return rowAt(trace.chunks[i >> CHUNK_BITS], i & (CHUNK - 1))
}

/** Returns the time of the last row; 0 before the first. */
export function endOf(trace: Trace): Micros {
  return trace.length === 0 ? 0 : timeOf(trace, trace.length - 1)
}

export function timeOf(trace: Trace, i: number): Micros {
  return rowTime(trace.chunks[i >> CHUNK_BITS], i & (CHUNK - 1))
}

/** Returns the chunk that row `i` stands in, and its place there. */
export function chunkOf(chunks: readonly Rows[], i: number): { readonly chunk: Rows; readonly at: number } {
  return { chunk: chunks[i >> CHUNK_BITS], at: i & (CHUNK - 1) }
}

const byStart = bisector((chunk: Rows) => chunk.since)

/** Returns the number of rows whose time is at most t. */
export function rowsUntil({ chunks }: Trace, t: Micros): number {
  const k = byStart.right(chunks, t) - 1
  if (k < 0) return 0
  const { elapsed, length, since } = chunks[k]
  // Exact: `since` is whole, so a multiple of the last bit of `t`.
  return k * CHUNK + bisectRight(elapsed, t - since, 0, length)
}

/** Visits rows [from, to) as columns and an index in them: the quick way over many rows. */
export function eachRow(
  trace: Trace,
  from: number,
  to: number,
  visit: (rows: Rows, i: number, row: number) => void,
): void {
  for (let row = from; row < to; row++) visit(trace.chunks[row >> CHUNK_BITS], row & (CHUNK - 1), row)
}

/** Visits the rows that `follower` has not read, at most `most` of them. Returns whether it is up to date then. The trace may still grow. */
export function followTrace(
  trace: Trace,
  follower: { rows: number },
  most: number,
  visit: (rows: Rows, i: number, row: number) => void,
): boolean {
  const end = Math.min(trace.length, follower.rows + most)
  eachRow(trace, follower.rows, end, visit)
  follower.rows = end
  return end === trace.length
}

/** Returns the state before row `row`, and before a decision at that place: the input of that decision. */
export function stateBefore(trace: Trace, row: number): FoldedState {
  // No further than asked for: drawing the beginning of a long run must not wait for its end.
  if (trace.folded < row) catchUp(trace, row - trace.folded)
  const k = Math.min(Math.floor(row / trace.stride), trace.checkpoints.length - 1)
  const { head, checkpoints } = trace
  const { decisions, seats } = k < 0 ? head : checkpoints[k]
  const counts = k < 0 ? copyCounts(head.counts) : countsFrom(checkpoints[k].counts, head.counts)
  const state = { counts, decisions, seats: seats.slice() }
  fold(trace, state, Math.max(0, k) * trace.stride, Math.min(row, trace.length))
  return state
}

/** Returns the state at time t, after everything that happened and was decided at that time. */
export function stateAt(trace: Trace, t: Micros): FoldedState {
  const row = rowsUntil(trace, t)
  const state = stateBefore(trace, row)
  takeSeats(trace.decisions, state, row)
  return state
}

function lastChunk(trace: Trace): Rows {
  const last = trace.chunks.at(-1)
  if (last !== undefined && last.length < CHUNK) return last
  // The first is as small as the run: a study plays thousands of small ones. The others will be full.
  const chunk = createRows(last === undefined ? 0 : CHUNK)
  trace.chunks.push(chunk)
  return chunk
}

/** Folds rows [from, to) and the decisions before them. */
function fold(trace: Trace, state: FoldedState, from: number, to: number): void {
  const { topology, decisions } = trace
  const { counts } = state
  for (let row = from; row < to; row++) {
    if (decisions.row[state.decisions] === row) takeSeats(decisions, state, row)
    countRow(topology, counts, trace.chunks[row >> CHUNK_BITS], row & (CHUNK - 1))
  }
}

/** Applies the decisions before or at row `row`. */
function takeSeats(log: Decisions, state: FoldedState, row: number): void {
  while (state.decisions < log.length && log.row[state.decisions] <= row)
    applySeats(log, state.decisions++, state.seats)
}

/** Appends a journal's decisions. `before`: the number of rows before the journal. */
function appendDecisions(log: Decisions, decisions: Decisions, before: number): void {
  const { length, changes } = log
  const total = length + decisions.length
  if (total > log.row.length)
    for (const column of ['row', 'hash', 'ends'] as const) log[column] = grown(log[column], total)
  for (let d = 0; d < decisions.length; d++) {
    log.row[length + d] = decisions.row[d] + before
    log.hash[length + d] = decisions.hash[d]
    log.ends[length + d] = decisions.ends[d] + changes
  }
  const totalChanges = changes + decisions.changes
  if (totalChanges > log.stage.length) {
    log.stage = grown(log.stage, totalChanges)
    log.seats = grown(log.seats, totalChanges)
  }
  log.stage.set(decisions.stage.subarray(0, decisions.changes), changes)
  log.seats.set(decisions.seats.subarray(0, decisions.changes), changes)
  log.length = total
  log.changes = totalChanges
}

/** Frees the unused room. Call it when nothing more will be appended. */
export function closeDecisions(log: Decisions): void {
  if (log.row.length > log.length)
    for (const column of ['row', 'hash', 'ends'] as const) log[column] = resized(log[column], log.length)
  if (log.stage.length > log.changes) {
    log.stage = resized(log.stage, log.changes)
    log.seats = resized(log.seats, log.changes)
  }
}
