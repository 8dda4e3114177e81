import { releaseProxy, wrap } from 'comlink'
import { msg } from '../../language/msg.ts'
import { type Environment, type StartThread, wallMicros } from '../conductor/environment.ts'
import { awaitEnd, ownLock } from './liveness.ts'
import type { WorkerApi } from './workerApi.ts'

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

export type Spawn = (worker: number) => Worker

/** Returns a function that starts module workers, which serve as `WorkerApi` does. */
export function startWorkerThread(spawn: Spawn = spawnWorker): StartThread {
  return (number, events) => {
    const worker = spawn(number)
    const workerApi = wrap<WorkerApi>(worker)
    const lock = ownLock()
    const asked = new AbortController()
    const { signal } = asked
    worker.addEventListener('messageerror', () => events.lost(msg('sent an unreadable message')), { signal })
    worker.addEventListener(
      'error',
      (event) => {
        event.preventDefault()
        events.error(event instanceof ErrorEvent ? event.message : '')
      },
      { signal },
    )
    return {
      hello: () => workerApi.hello(lock),
      clock: () => workerApi.clock(),
      hangAt: (time) => workerApi.hangAt(time),
      port: worker,
      onEnd: (call) => awaitEnd(lock, signal, call),
      end() {
        if (signal.aborted) return
        worker.terminate()
        asked.abort()
        // Else comlink keeps the worker in memory, and a pool that hires for an hour keeps every worker it ever had.
        workerApi[releaseProxy]()
      },
    }
  }
}

function spawnWorker(): Worker {
  return new Worker(new URL('../../pool.worker.ts', import.meta.url), { type: 'module', name: 'pool' })
}
