import type { Engine, LoadCode } from '../../engine/engine.ts'
import { createSimulation } from '../../engine/simulation/simulation.ts'
import type { Journal } from '../../pipeline/journal.ts'
import type { EngineName } from '../../scenario/model/engines.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { append, closeDecisions, createTrace, type Trace } from '../../trace/trace.ts'

/** Plays a scenario in the simulation on this thread. `onJournal` gets each journal before it is cleared; `loadCode` loads the sandbox for the code of a policy. */
export function playSimulation(
  scenario: Scenario,
  startedAt: number,
  onJournal?: (journal: Journal, trace: Trace) => void,
  loadCode?: LoadCode,
): Promise<Trace> {
  return record(createSimulation(undefined, undefined, loadCode), 'simulation', scenario, startedAt, onJournal)
}

/** Plays a scenario on an engine of this thread and returns the trace. `startedAt` in milliseconds since 1970. `onJournal` gets each journal before it is cleared. */
export async function record(
  engine: Engine,
  name: EngineName,
  scenario: Scenario,
  startedAt: number,
  onJournal?: (journal: Journal, trace: Trace) => void,
): Promise<Trace> {
  const trace = createTrace(scenario, name, startedAt)
  await engine.start(scenario, {
    journal(journal) {
      append(trace, journal)
      onJournal?.(journal, trace)
    },
    failure: (failure) => trace.failures.push(failure),
    ended: (ending) => {
      trace.ending = ending
      closeDecisions(trace.decisions)
    },
  })
  return trace
}
