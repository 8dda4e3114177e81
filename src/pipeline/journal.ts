import type { Micros } from '../scenario/model/scenario.ts'
import { grown } from './column.ts'
import { clearRows, createRows, type Rows, sliceRows } from './rows.ts'

/** The output of an engine: rows and decisions since the last output. A decision names the row that follows it and a hash of its input. */
export type Journal = { rows: Rows; decisions: Decisions }

/** Decision d comes before `row[d]` of the journal and changed entries ends[d - 1] (0 for the first) to ends[d] of `stage` and `seats`. */
export interface Decisions {
  length: number
  row: Uint32Array
  hash: Uint32Array
  ends: Uint32Array
  changes: number
  stage: Uint8Array
  seats: Uint16Array
}

/** How a run ended. Drained: all jobs have left. Stuck: nothing more could happen, though jobs remain. */
export type Ending = 'drained' | 'stopped' | 'stuck'

export interface Failure {
  readonly time: Micros
  readonly kind: 'job' | 'worker' | 'run'
  readonly stage?: number
  readonly worker?: number
  readonly job?: number
  readonly reason: string
}

/** The journal of the last run, kept for reuse: studies run thousands of small runs, and allocating a journal takes a tenth of each. */
let spare: Journal | null = null

/** Returns an empty journal, which reuses the memory of the last one if it was kept. */
export function createJournal(): Journal {
  const journal = spare ?? { rows: createRows(), decisions: createDecisions() }
  spare = null
  return journal
}

/** Clears a journal that is no longer used, and keeps it for the next run. */
export function leaveJournal(journal: Journal): void {
  clearJournal(journal)
  const { elapsed, endedAgo } = journal.rows
  if (elapsed instanceof Uint32Array && endedAgo === null) spare = journal
}

export function createDecisions(capacity = 256): Decisions {
  return {
    length: 0,
    row: new Uint32Array(capacity),
    hash: new Uint32Array(capacity),
    ends: new Uint32Array(capacity),
    changes: 0,
    stage: new Uint8Array(capacity),
    seats: new Uint16Array(capacity),
  }
}

/** Begins a decision. `pushSeats` adds its changed seats. */
export function pushDecision(decisions: Decisions, row: number, hash: number): void {
  const d = decisions.length
  if (d === decisions.row.length) {
    decisions.row = grown(decisions.row, d)
    decisions.hash = grown(decisions.hash, d)
    decisions.ends = grown(decisions.ends, d)
  }
  decisions.row[d] = row
  decisions.hash[d] = hash
  decisions.ends[d] = decisions.changes
  decisions.length = d + 1
}

/** Adds to the last decision that `stage` now has this many seats. */
export function pushSeats(decisions: Decisions, stage: number, seats: number): void {
  const c = decisions.changes
  if (c === decisions.stage.length) {
    decisions.stage = grown(decisions.stage, c)
    decisions.seats = grown(decisions.seats, c)
  }
  decisions.stage[c] = stage
  decisions.seats[c] = seats
  decisions.changes = c + 1
  decisions.ends[decisions.length - 1] = c + 1
}

/** Adds to the last decision what has changed since `before`, and brings that up to date. Entry k of both is of stage stageOf[k]. */
export function pushChangedSeats(
  decisions: Decisions,
  stageOf: Int16Array,
  seats: Int32Array,
  before: Int32Array,
): void {
  for (let k = 0; k < seats.length; k++) {
    if (seats[k] === before[k]) continue
    pushSeats(decisions, stageOf[k], seats[k])
    before[k] = seats[k]
  }
}

/** Visits the seats that decision `d` changed, stage by stage. */
export function eachSeat(
  { ends, stage, seats }: Decisions,
  d: number,
  visit: (stage: number, seats: number) => void,
): void {
  for (let c = d === 0 ? 0 : ends[d - 1]; c < ends[d]; c++) visit(stage[c], seats[c])
}

/** Writes the seats that decision `d` changed into `target`, which has the seats of each stage. */
export function applySeats({ ends, stage, seats }: Decisions, d: number, target: { [stage: number]: number }): void {
  for (let c = d === 0 ? 0 : ends[d - 1]; c < ends[d]; c++) target[stage[c]] = seats[c]
}

/** Returns a copy of exactly its content. Its buffers (see `buffersOf`) may be transferred to another thread. */
export function sliceJournal(journal: Journal): Journal {
  const { length, changes, row, hash, ends, stage, seats } = journal.decisions
  return {
    rows: sliceRows(journal.rows),
    decisions: {
      length,
      changes,
      row: row.slice(0, length),
      hash: hash.slice(0, length),
      ends: ends.slice(0, length),
      stage: stage.slice(0, changes),
      seats: seats.slice(0, changes),
    },
  }
}

export function clearJournal(journal: Journal): void {
  clearRows(journal.rows)
  journal.decisions.length = 0
  journal.decisions.changes = 0
}

/** Returns the buffers behind a journal, for a transfer list. */
export function buffersOf(journal: Journal): ArrayBuffer[] {
  const columns: unknown[] = [...Object.values(journal.rows), ...Object.values(journal.decisions)]
  return columns.filter((column) => ArrayBuffer.isView(column)).map((column) => column.buffer as ArrayBuffer)
}
