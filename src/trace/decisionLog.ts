import { grown, resized } from '../pipeline/column.ts'
import type { Decisions } from '../pipeline/journal.ts'

/** The decisions of a run in columns, as in a journal (see Decisions). Rows are counted from the first of the run. */
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

/** Appends a journal's decisions. `before`: the number of rows before the journal. */
export function appendDecisions(log: DecisionLog, decisions: Decisions, before: number): void {
  const { length, changes } = log
  const total = length + decisions.length
  if (total > log.row.length) {
    log.row = grown(log.row, total)
    log.hash = grown(log.hash, total)
    log.ends = grown(log.ends, total)
  }
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
export function closeDecisions(log: DecisionLog): void {
  if (log.row.length > log.length) for (const column of ['row', 'hash', 'ends'] as const) log[column] = resized(log[column], log.length)
  if (log.stage.length > log.changes) {
    log.stage = resized(log.stage, log.changes)
    log.seats = resized(log.seats, log.changes)
  }
}
