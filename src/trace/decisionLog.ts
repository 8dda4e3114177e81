import type { Decisions } from '../pipeline/journal.ts'

/** The decisions of a run in columns, as in a journal (see Decisions), with rows counted from the first of the run. */
export interface DecisionLog extends Decisions {}

export function createDecisionLog(): DecisionLog {
  return {
    length: 0,
    row: new Uint32Array(0),
    hash: new Uint32Array(0),
    ends: new Uint32Array(0),
    changes: 0,
    stage: new Uint8Array(0),
    seats: new Uint16Array(0),
  }
}

/** Appends a journal's decisions; `before` is the number of rows that stood before the journal. */
export function appendDecisions(log: DecisionLog, decisions: Decisions, before: number): void {
  const { length, changes } = log
  const total = length + decisions.length
  if (total > log.row.length) {
    log.row = resized(log.row, total, Uint32Array)
    log.hash = resized(log.hash, total, Uint32Array)
    log.ends = resized(log.ends, total, Uint32Array)
  }
  for (let d = 0; d < decisions.length; d++) {
    log.row[length + d] = decisions.row[d] + before
    log.hash[length + d] = decisions.hash[d]
    log.ends[length + d] = decisions.ends[d] + changes
  }
  const totalChanges = changes + decisions.changes
  if (totalChanges > log.stage.length) {
    log.stage = resized(log.stage, totalChanges, Uint8Array)
    log.seats = resized(log.seats, totalChanges, Uint16Array)
  }
  log.stage.set(decisions.stage.subarray(0, decisions.changes), changes)
  log.seats.set(decisions.seats.subarray(0, decisions.changes), changes)
  log.length = total
  log.changes = totalChanges
}

/** Somewhat more than is needed: memory is the bound here, so columns do not double. */
function resized<T extends Uint8Array | Uint16Array | Uint32Array>(column: T, needed: number, make: new (length: number) => T): T {
  const bigger = new make(Math.ceil(needed * 1.4) + 64)
  bigger.set(column)
  return bigger
}
