import type { Ending, Failure, Journal } from '../pipeline/journal.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import type { StartCode } from '../scheduler/codePolicy.ts'

/** What an engine calls. The journal belongs to the engine and is reused after the call: copy what you keep. */
export interface Listener {
  journal(journal: Journal): void
  failure(failure: Failure): void
  /** Called once, after the last journal. */
  ended(ending: Ending): void
}

/** Loads what runs the code of a policy, for one run. Called only for a scenario that needs it. */
export type LoadCode = () => Promise<StartCode>

/** Plays one scenario. Creating an engine starts nothing. */
export interface Engine {
  /** Plays the scenario once, from time 0. Resolves after the listener has heard `ended`. */
  start(scenario: Scenario, listener: Listener): Promise<void>
  /** Ends the run at the next instant. Jobs under way stay unfinished. */
  stop(): void
}

/** Tells the listener why the policy could not decide. Such a run ends where it is. */
export function policyFailed(listener: Listener, time: Micros, reason: string): Ending {
  listener.failure({ time, kind: 'run', reason })
  return 'stuck'
}
