import type { LoadCode } from '../../engine/engine.ts'
import { createSimulation } from '../../engine/simulation/simulation.ts'
import type { Journal } from '../../pipeline/journal.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'
import { record } from './record.ts'

/**
 * Plays a parsed scenario in the simulation on this thread and returns the trace. `startedAt` in milliseconds since 1970. `heard` gets each journal
 * before it is cleared. `loadCode` loads what runs the code of a policy.
 */
export function playSimulation(scenario: Scenario, startedAt: number, heard?: (journal: Journal, trace: Trace) => void, loadCode?: LoadCode): Promise<Trace> {
  return record(createSimulation(undefined, undefined, loadCode), 'simulation', scenario, startedAt, heard)
}
