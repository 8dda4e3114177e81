import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { record } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { laterScenario } from '../fixtures/laterScenarios.ts'
import { seededScenario } from '../fixtures/seededScenarios.ts'
import { digestOf } from './digestOf.ts'

export const RUNS = 240

export const LATER_RUNS = 120

/** Plays the fixed list of scenarios. Returns a line per run: number of rows and decisions, ending, digest. */
export function playedDigests(): Promise<string[]> {
  return digestsOf(RUNS, seededScenario)
}

/** The same of the second list. */
export function laterDigests(): Promise<string[]> {
  return digestsOf(LATER_RUNS, laterScenario)
}

async function digestsOf(runs: number, scenarioOf: (k: number) => Scenario): Promise<string[]> {
  const digests: string[] = []
  for (let k = 0; k < runs; k++) {
    const trace = await record(createSimulation(), 'simulation', scenarioOf(k), 0)
    digests.push(`${trace.length} rows, ${trace.decisions.length} decisions, ${trace.ending}: ${digestOf(trace)}`)
  }
  return digests
}
