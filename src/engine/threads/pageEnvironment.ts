import type { Environment } from '../conductor/environment.ts'
import { wallMicros } from '../conductor/wallClock.ts'
import { type Spawn, startWorkerThread } from './workerThread.ts'

/** Returns the environment of a real conductor: the clock and timers of this thread, and module workers. */
export function pageEnvironment(spawn?: Spawn): Environment {
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
    start: startWorkerThread(spawn),
  }
}
