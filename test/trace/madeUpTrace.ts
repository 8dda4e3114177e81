import { createJournal, pushDecision, pushSeats } from '../../src/pipeline/journal.ts'
import { ARRIVED, pushRow } from '../../src/pipeline/rows.ts'
import { append, createTrace } from '../../src/trace/trace.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

export const scenario = scenarioWith({
  source: { kind: 'batch', jobs: 100_000 },
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 3,
})
/** Row k of a simulated trace is at time 10 k; decisions are before these rows. */
export const before = [0, 2, 2, 5]

export function madeUpTrace(rows = 8) {
  const journal = createJournal()
  for (let k = 0; k < rows; k++) pushRow(journal.rows, 10 * k, ARRIVED, -1, -1, k)
  for (const [d, row] of before.entries()) {
    pushDecision(journal.decisions, row, 7 * d)
    for (let stage = 0; stage < d % 3; stage++) pushSeats(journal.decisions, stage, d)
  }
  const trace = createTrace(scenario, 'simulation', 0)
  append(trace, journal)
  return trace
}
