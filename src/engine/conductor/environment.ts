import type { Micros } from '../../scenario/model/scenario.ts'
import { type Spawn, startLabour } from '../threads/workerThread.ts'
import type { StartThread } from './thread.ts'
import { wallMicros } from './wallClock.ts'

/** Calls back; returns what takes that back. */
export type Timer = (milliseconds: number, call: () => void) => () => void

/** All that a conductor needs of the world around it. With other surroundings it plays in a world that is made up. */
export interface Surroundings {
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

/** The thread that this runs on, and module workers. */
export function realSurroundings(spawn?: Spawn): Surroundings {
  return {
    now: wallMicros,
    after(milliseconds, call) {
      const timer = setTimeout(call, milliseconds)
      return () => clearTimeout(timer)
    },
    every(milliseconds, call) {
      const timer = setInterval(call, milliseconds)
      return () => clearInterval(timer)
    },
    cores: globalThis.navigator?.hardwareConcurrency ?? 0,
    start: startLabour(spawn),
  }
}
