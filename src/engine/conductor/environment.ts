import type { Micros } from '../../scenario/model/scenario.ts'
import type { StartThread } from './thread.ts'

/** Calls back later; returns a function that cancels the call. */
export type Timer = (milliseconds: number, call: () => void) => () => void

/** Threads that come in mid-run, where they do. */
export interface Comers {
  /** How many more threads could be started now. */
  free(): number
  /** Calls when there may be more of them. */
  onComer(call: () => void): void
  /** How long a run without any worker waits for one. */
  readonly patience: Micros
}

/** All that a conductor needs from outside. Tests hand it a simulated environment. */
export interface Environment {
  /** The time, which never runs back. */
  now(): Micros
  /** Calls once, after this time. */
  readonly after: Timer
  /** Calls repeatedly. */
  readonly every: Timer
  /** How many threads can run at once; 0 if unknown. */
  readonly cores: number
  readonly start: StartThread
  /** How long a lost connection may go unnoticed: a thread may be silent for so much longer. Absent where there is none. */
  readonly unnoticed?: Micros
  /** Absent where nobody comes: each worker is started, and who is lost stays lost. */
  readonly comers?: Comers
}
