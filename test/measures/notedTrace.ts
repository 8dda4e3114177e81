import { createJournal } from '../../src/pipeline/journal.ts'
import { FINISHED, NONE, pushFinished, pushRow } from '../../src/pipeline/rows.ts'
import type { EngineName } from '../../src/scenario/model/engines.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { append, createTrace, type Trace } from '../../src/trace/trace.ts'

/** A short row: time, kind, and stage, worker, job if it has them; a finish also has the start and end of the work. */
export type Noted = readonly [
  time: number,
  kind: number,
  stage?: number,
  worker?: number,
  job?: number,
  began?: number,
  ended?: number,
]

/** Returns the drained run with these rows. */
export function traceOf(scenario: Scenario, rows: readonly Noted[], engine: EngineName = 'threads'): Trace {
  const trace = createTrace(scenario, engine, 0)
  const journal = createJournal()
  for (const [time, kind, stage = NONE, worker = NONE, job = NONE, began = time, ended = time] of rows) {
    if (kind === FINISHED) pushFinished(journal.rows, time, stage, worker, job, began, ended)
    else pushRow(journal.rows, time, kind, stage, worker, job)
  }
  append(trace, journal)
  trace.ending = 'drained'
  return trace
}
