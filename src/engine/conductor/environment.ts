import type { Micros } from '../../scenario/model/scenario.ts'
import type { StartThread } from './thread.ts'

/** Calls back; returns what takes that back. */
export type Timer = (milliseconds: number, call: () => void) => () => void

/** All that a conductor needs of the world around it. With other surroundings it plays in a world that is made up. */
export interface Environment {
  /** The time, which should never run back. */
  now(): Micros
  /** Calls once, when so much time has passed. */
  readonly after: Timer
  /** Calls again and again. */
  readonly every: Timer
  /** How many threads can run at once; 0 where nobody knows. */
  readonly cores: number
  readonly start: StartThread
}
