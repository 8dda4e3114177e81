import { createDecisions, eachSeat, type Journal, pushDecision, pushSeats } from '../pipeline/journal.ts'
import { copyRows, createRows } from '../pipeline/rows.ts'
import { chunkOf, type Trace } from './trace.ts'

/** A place in a trace: before a row and before a decision. */
export type TracePlace = { readonly rows: number; readonly decisions: number }

/** The beginning of every trace. */
export const beginning: TracePlace = { rows: 0, decisions: 0 }

/** Returns the end of a trace so far. */
export function endPlace({ length, decisions }: Trace): TracePlace {
  return { rows: length, decisions: decisions.length }
}

/** Returns a part of a trace as a journal whose decisions count rows from its first. It can be appended to a copy of what is before it. */
export function journalBetween(trace: Trace, from: TracePlace, to: TracePlace = endPlace(trace)): Journal {
  const { chunks, decisions } = trace
  const rows = createRows(Math.max(1, to.rows - from.rows))
  for (let row = from.rows; row < to.rows; ) {
    const { chunk, at } = chunkOf(chunks, row)
    const end = Math.min(chunk.length, at + to.rows - row)
    copyRows(chunk, at, end, rows)
    row += end - at
  }
  const taken = createDecisions(Math.max(1, to.decisions - from.decisions))
  for (let d = from.decisions; d < to.decisions; d++) {
    pushDecision(taken, decisions.row[d] - from.rows, decisions.hash[d])
    eachSeat(decisions, d, (stage, seats) => pushSeats(taken, stage, seats))
  }
  return { rows, decisions: taken }
}
