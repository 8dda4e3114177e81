import type { Journal } from '../pipeline/journal.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'

/** How a run ended. Drained: nothing was left to do. Stuck: nothing more could happen, though jobs remain. */
export type Ending = 'drained' | 'stopped' | 'stuck'

/** What went wrong with a job or a worker, in words. */
export interface Failure {
  readonly time: Micros
  readonly kind: 'job' | 'worker'
  readonly stage?: number
  readonly worker?: number
  readonly job?: number
  readonly reason: string
}

/** Whoever listens to an engine. The journal belongs to the engine and is reused after the call: copy what you keep. */
export interface Listener {
  journal(journal: Journal): void
  failure(failure: Failure): void
  /** Called once, after the last journal. */
  ended(ending: Ending): void
}

/**
 * Who makes time pass. Constructing one starts nothing. `start` plays the scenario once, from time 0; a simulation
 * returns when the run has ended, threads at once.
 */
export interface Engine {
  start(scenario: Scenario, listener: Listener): void
  /** Ends the run at the next instant; what was underway is unfinished. */
  stop(): void
}
