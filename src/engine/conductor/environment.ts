import type { Micros } from '../../scenario/model/scenario.ts'
import type { StartThread } from './thread.ts'

/** Calls back later; returns a function that cancels the call. */
export type Timer = (milliseconds: number, call: () => void) => () => void

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
}
