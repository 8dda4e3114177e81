import { releaseProxy, transfer, wrap } from 'comlink'
import type { StartThread } from '../conductor/thread.ts'
import { awaitEnd, ownLock } from './liveness.ts'
import type { WorkerApi } from './workerApi.ts'

/** Starts the thread of a worker. */
export type Spawn = (worker: number) => Worker

/** Threads that are module workers, and serve as `WorkerApi` does. */
export function startWorkerThread(spawn: Spawn = spawnWorker): StartThread {
  return (number, news) => {
    const worker = spawn(number)
    const workerApi = wrap<WorkerApi>(worker)
    const { port1, port2 } = new MessageChannel()
    const lock = ownLock()
    const asked = new AbortController()
    const { signal } = asked
    port1.addEventListener('messageerror', news.unreadable, { signal })
    worker.addEventListener('messageerror', news.unreadable, { signal })
    worker.addEventListener(
      'error',
      (event) => {
        event.preventDefault()
        news.error(event instanceof ErrorEvent ? event.message : '')
      },
      { signal },
    )
    return {
      hello: () => workerApi.hello(lock, transfer(port2, [port2])),
      clock: () => workerApi.clock(),
      hangAt: (time) => workerApi.hangAt(time),
      port: port1,
      onEnd: (call) => awaitEnd(lock, signal, call),
      end() {
        if (signal.aborted) return
        worker.terminate()
        asked.abort()
        // A pool that hires and dismisses for an hour would else keep every worker it ever had: see openThread.
        workerApi[releaseProxy]()
        port1.close()
      },
    }
  }
}

function spawnWorker(): Worker {
  return new Worker(new URL('../../pool.worker.ts', import.meta.url), { type: 'module', name: 'pool' })
}
