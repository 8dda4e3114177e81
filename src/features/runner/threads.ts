import type { StartThread, Timer } from '../../engine/conductor/environment.ts'
import { type FromThread, isOurs, type StagePlan, type ToThread } from './protocol.ts'
import { type Thread, type ThreadFailures, type WorkerLike, workerThread } from './workerThread.ts'

/** A thread that is told to end has this long, in milliseconds, to stop what it waits for. */
const GRACE = 20

/** The threads of a pipeline. Those that are dismissed in good order wait for another run. */
export interface Threads {
  readonly start: StartThread
  listener: ThreadFailures | null
  /** How many threads there are, those that wait included. */
  readonly count: number
  /** Lets no thread wait any more: those that end from now on are ended, and those that wait now. Resolves when all have been told to stop. */
  close(): Promise<void>
  open(): void
}

export function createThreads(
  startWorker: () => WorkerLike,
  plans: readonly StagePlan[],
  idle: number,
  after: Timer,
): Threads {
  const all = new Set<Thread>()
  const spare: Thread[] = []
  let closing = false
  const ends: Promise<unknown>[] = []
  const starts = { served: false, bad: 0 }

  function begin(): Thread {
    const worker = startWorker()
    const thread: Thread = { worker, heard: null, broke: null, ended: false, served: false, stay() {} }
    all.add(thread)
    const broke = (error: unknown, ended: boolean) => {
      if (ended) forget(thread)
      thread.broke?.(error, ended)
    }
    listen(worker, {
      message: (data) => {
        if (isOurs<FromThread>(data)) thread.heard?.(data)
      },
      unreadable: () => broke(new Error('It sent a message that cannot be read.'), false),
      error: (error) => broke(error, false),
      exit: (code) => broke(new Error(`It ended with code ${code}.`), true),
    })
    return thread
  }

  function forget(thread: Thread): void {
    thread.ended = true
    all.delete(thread)
    const at = spare.indexOf(thread)
    if (at >= 0) spare.splice(at, 1)
    thread.stay()
  }

  function terminate(thread: Thread, grace: number): void {
    silence(thread)
    if (thread.ended) return
    forget(thread)
    ends.push(
      new Promise<void>((resolve) => {
        const end = () => Promise.resolve(thread.worker.terminate()).then(() => resolve(), resolve)
        if (grace === 0) end()
        else {
          thread.worker.postMessage({ apportion: 'end' } satisfies ToThread)
          after(grace, end)
        }
      }),
    )
  }

  function silence(thread: Thread): void {
    thread.heard = null
    thread.broke = null
  }

  function keep(thread: Thread): void {
    silence(thread)
    if (thread.ended) return
    spare.push(thread)
    thread.worker.unref?.()
    thread.stay = after(idle, () => terminate(thread, 0))
  }

  function endSpare(): void {
    for (const thread of spare.slice()) terminate(thread, 0)
  }

  return {
    listener: null,
    get count() {
      return all.size
    },
    start(_, events) {
      if (closing) throw new Error('The pipeline is being closed.')
      const thread = spare.pop() ?? begin()
      thread.stay()
      thread.worker.ref?.()
      return workerThread(thread, plans, starts, events, this.listener, (outstanding) => {
        if (closing || outstanding || !thread.served || idle === 0) terminate(thread, outstanding ? GRACE : 0)
        else keep(thread)
      })
    },
    async close() {
      closing = true
      endSpare()
      // The run that is stopped now hands its threads in.
      await null
      await Promise.all(ends.splice(0))
    },
    open() {
      closing = false
    },
  }
}

interface Ears {
  message(data: unknown): void
  unreadable(): void
  error(error: unknown): void
  /** Only Node says so; a browser's thread that closes itself falls silent. */
  exit(code: number): void
}

function listen(worker: WorkerLike, { message, unreadable, error, exit }: Ears): void {
  if (worker.on !== undefined) {
    worker.on('message', message)
    worker.on('messageerror', unreadable)
    worker.on('error', error)
    worker.on('exit', exit)
    return
  }
  worker.addEventListener?.('message', (event: { readonly data: unknown }) => message(event.data))
  worker.addEventListener?.('messageerror', unreadable)
  worker.addEventListener?.('error', (event: Event) => {
    event.preventDefault()
    error(
      event instanceof ErrorEvent
        ? (event.error ?? new Error(event.message))
        : new Error('its script cannot be loaded'),
    )
  })
}
