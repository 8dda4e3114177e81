import type { Ending, Failure, Journal } from '../pipeline/journal.ts'
import type { Scenario } from '../scenario/model/scenario.ts'

/** Whoever listens to an engine. The journal belongs to the engine and is reused after the call: copy what you keep. */
export interface Listener {
  journal(journal: Journal): void
  failure(failure: Failure): void
  /** Called once, after the last journal. */
  ended(ending: Ending): void
}

/** Who makes time pass. Making one starts nothing. */
export interface Engine {
  /** Plays the scenario once, from time 0; resolves when the run has ended and the listener has heard of it. */
  start(scenario: Scenario, listener: Listener): Promise<void>
  /** Ends the run at the next instant; what was under way is unfinished. */
  stop(): void
}
