import { createSimulation } from '../../../src/engine/simulation/simulation.ts'
import { kinds, type Row } from '../../../src/pipeline/rows.ts'
import { record } from '../../../src/runs/play/play.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** A stage with constant service time. */
export function constant(id: string, mean: number, more: object = {}) {
  return { id, service: { kind: 'constant', mean }, ...more }
}

/** Plays a scenario in the simulation. */
export function playTrace(input: object): Promise<Trace> {
  return record(createSimulation(), 'simulation', scenarioWith(input), 0)
}

/** Plays it and returns all rows as objects: for short runs. */
export async function play(input: object): Promise<{ readonly trace: Trace; readonly rows: Row[] }> {
  const trace = await playTrace(input)
  return { trace, rows: Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)) }
}

/** Returns rows as short text, only of the given kinds if there are any: `3 finished A w0 j2 (1-3)`. */
export function noted(rows: readonly Row[], trace: Trace, ...only: (typeof kinds)[number][]): string[] {
  return rows
    .filter(({ kind }) => only.length === 0 || only.includes(kinds[kind]))
    .map(({ time, kind, stage, worker, job, began, ended }) => {
      const words: (string | number)[] = [time, kinds[kind]]
      if (stage >= 0) words.push(trace.scenario.stages[stage].id)
      if (worker >= 0) words.push(`w${worker}`)
      if (job >= 0) words.push(`j${job}`)
      if (kinds[kind] === 'finished') words.push(`(${began}-${ended})`)
      return words.join(' ')
    })
}
