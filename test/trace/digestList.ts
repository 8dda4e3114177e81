import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { record } from '../../src/runs/record.ts'
import { digestOf } from '../../src/trace/digest.ts'
import { seededScenario } from '../fixtures/seededScenarios.ts'

export const RUNS = 240

/** Plays the fixed list of scenarios; one line a run: how many rows and decisions, how it ended, its digest. */
export async function playedDigests(): Promise<string[]> {
  const digests: string[] = []
  for (let k = 0; k < RUNS; k++) {
    const trace = await record(createSimulation(), 'simulation', seededScenario(k), 0)
    digests.push(`${trace.length} rows, ${trace.decisions.length} decisions, ${trace.ending}: ${digestOf(trace)}`)
  }
  return digests
}
