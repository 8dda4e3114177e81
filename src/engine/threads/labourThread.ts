import { transfer, wrap } from 'comlink'
import type { Labour } from './labour.ts'
import type { StartThread } from './thread.ts'

/** Starts the thread of a worker. */
export type Spawn = (worker: number) => Worker

/** Threads that are module workers, and serve as `Labour` does. */
export function startLabour(spawn: Spawn = spawnLabour): StartThread {
  const lockPrefix = `apportion ${performance.timeOrigin} ${Math.random()}`
  let hires = 0
  return (number, news) => {
    const worker = spawn(number)
    const labour = wrap<Labour>(worker)
    const { port1, port2 } = new MessageChannel()
    // Numbers are hired again, threads are not.
    const lock = `${lockPrefix} ${hires++}`
    const asked = new AbortController()
    port1.addEventListener('messageerror', news.unreadable)
    worker.addEventListener('messageerror', news.unreadable)
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      news.error(event instanceof ErrorEvent ? event.message : '')
    })
    return {
      hello: () => labour.hello(lock, transfer(port2, [port2])),
      clock: () => labour.clock(),
      hangAt: (time) => labour.hangAt(time),
      port: port1,
      // The thread holds the lock for as long as it lives: getting it means that the thread has ended.
      onEnd(call) {
        navigator.locks.request(lock, { signal: asked.signal }, call).catch(() => {})
      },
      end() {
        worker.terminate()
        asked.abort()
      },
    }
  }
}

function spawnLabour(): Worker {
  return new Worker(new URL('../../labour.worker.ts', import.meta.url), { type: 'module', name: 'labour' })
}
