import { expose } from 'comlink'

/** A worker whose script runs in this process, behind a port; without a script it never answers. */
export function workerHere(script: object | null) {
  const { port1, port2 } = new MessageChannel()
  if (script !== null) expose(script, port2)
  let ended = 0
  const terminate = () => {
    ended++
    port1.close()
  }
  return { worker: Object.assign(port1, { terminate }) as unknown as Worker, ended: () => ended }
}

/** Node has none. */
export class ErrorEventHere extends Event {
  readonly message: string
  constructor(message: string) {
    super('error', { cancelable: true })
    this.message = message
  }
}

/** Locks like those that a browser gives to all its threads; `free` releases those of a thread that ends. */
export function locksHere() {
  const queues = new Map<string, (() => void)[]>()
  const next = (name: string) => queues.get(name)?.[0]?.()
  return {
    request(name: string, ...rest: readonly unknown[]) {
      const granted = rest.at(-1) as () => void
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      queue.push(granted)
      if (queue.length === 1) next(name)
      return Promise.resolve()
    },
    /** Locks that a thread holds and the page waits for. */
    contested: () => [...queues].filter(([, queue]) => queue.length > 1).map(([name]) => name),
    free(name: string) {
      queues.get(name)?.shift()
      next(name)
    },
  }
}

/** Waits for messages until a condition holds. The simulated clock does not advance. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; !isSo(); round++) {
    if (round === 100_000) throw new Error('it never was so')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
