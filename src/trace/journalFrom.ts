import { createDecisions, type Journal, pushDecision, pushSeats } from '../pipeline/journal.ts'
import { closeRows, copyRows, createRows } from '../pipeline/rows.ts'
import { chunkOf, type Trace } from './trace.ts'

/** How much of a trace somebody has already. */
export interface Had {
  readonly rows: number
  readonly decisions: number
}

/** What has come to a trace since somebody had so much of it, as one journal: to be appended to a copy of the rest. */
export function journalFrom({ chunks, length, decisions }: Trace, had: Had): Journal {
  const rows = createRows(length - had.rows)
  for (let from = had.rows; from < length; ) {
    const { chunk, at } = chunkOf(chunks, from)
    const to = Math.min(chunk.length, at + length - from)
    copyRows(chunk, at, to, rows)
    from += to - at
  }
  closeRows(rows)
  const since = createDecisions(Math.max(1, decisions.length - had.decisions))
  for (let d = had.decisions; d < decisions.length; d++) {
    pushDecision(since, decisions.row[d] - had.rows, decisions.hash[d])
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++) pushSeats(since, decisions.stage[c], decisions.seats[c])
  }
  return { rows, decisions: since }
}
