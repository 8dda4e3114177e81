import type { StartThread, Timer } from '../../engine/conductor/environment.ts'
import { hasMethod } from '../../scenario/model/optionChecks.ts'
import { valueText } from '../../scenario/model/words.ts'
import { type FromThread, isOurs, type StagePlan, type ToThread } from './protocol.ts'
import { wordsOf } from './thrown.ts'
import { SILENT, type Thread, type ThreadFailures, type WorkerLike, workerThread } from './workerThread.ts'

/** A thread that is told to end has this long, in milliseconds, to stop what it waits for. */
const GRACE = 20
/** After this many bad starts in a row of one worker the run ends. */
const BAD_STARTS = 3

/** The threads of a pipeline. Those that are dismissed in good order wait for another run. They do not keep a process alive. */
export interface Threads {
  readonly start: StartThread
  listener: ThreadFailures | null
  /** How many threads there are, those that wait included. */
  readonly count: number
  /** Notes that the thread of a worker has ended, or could not be started. Returns why, in a sentence. */
  noteEnd(worker: number): string
  /** Lets no thread wait any more: those that end from now on are ended, and those that wait now. Resolves when all have been told to stop. */
  close(): Promise<void>
  open(): void
}

/** `hold` keeps the process alive until the returned function is called; `after` does not. */
export function createThreads(
  startWorker: () => WorkerLike,
  plans: readonly StagePlan[],
  idle: number,
  { after, hold }: { readonly after: Timer; hold(): () => void },
): Threads {
  const all = new Set<Thread>()
  const spare: Thread[] = []
  /** By worker: its last thread, or why there is none; and its bad starts since a thread of it could work. */
  const latest = new Map<number, { readonly thread?: Thread; readonly refused?: unknown }>()
  const badStarts = new Map<number, number>()
  let closing = false
  const ends: Promise<unknown>[] = []

  function begin(): Thread {
    const worker = requireWorker(startWorker(), all)
    const thread: Thread = {
      worker,
      heard: null,
      broke: null,
      ended: false,
      served: false,
      words: '',
      cause: undefined,
      stay() {},
    }
    all.add(thread)
    listen(worker, {
      message: (data) => {
        if (isOurs<FromThread>(data)) thread.heard?.(data)
      },
      unreadable: () => thread.broke?.('sent a message that cannot be read'),
      error: (error) => thread.broke?.(`failed: ${wordsOf(error)}`, error),
      exit(code) {
        forget(thread)
        thread.broke?.(`ended with code ${code}${thread.served ? '' : ' and has not called serve()'}`)
      },
    })
    worker.unref?.()
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
    const release = hold()
    ends.push(
      new Promise<void>((resolve) => {
        const end = () => Promise.resolve(thread.worker.terminate()).then(() => resolve(), resolve)
        if (grace === 0) end()
        else {
          thread.worker.postMessage({ apportion: 'end' } satisfies ToThread)
          after(grace, end)
        }
      }).finally(release),
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
    start(worker, events) {
      if (closing) throw new Error('The pipeline is being closed.')
      let thread: Thread
      try {
        thread = spare.pop() ?? begin()
      } catch (error) {
        latest.set(worker, { refused: error })
        throw new Error(wordsOf(error))
      }
      latest.set(worker, { thread })
      thread.stay()
      return workerThread(thread, plans, events, this.listener, (outstanding) => {
        if (closing || outstanding || !thread.served || idle === 0) terminate(thread, outstanding ? GRACE : 0)
        else keep(thread)
      })
    },
    noteEnd(worker) {
      const { thread, refused } = latest.get(worker) ?? {}
      if (thread?.served) {
        badStarts.delete(worker)
        return `A thread ${thread.words}.`
      }
      const bad = 1 + (badStarts.get(worker) ?? 0)
      badStarts.set(worker, bad)
      // A module that does not call serve() will not call it the next time either.
      const isHopeless = thread?.words === SILENT && ![...latest.values()].some((other) => other.thread?.served)
      const why = thread === undefined ? wordsOf(refused) : `it ${thread.words}`
      const words = `A thread cannot start: ${why}${isHopeless ? '. Its module must call serve()' : ''}`
      if (bad >= BAD_STARTS || isHopeless)
        this.listener?.fatal(new Error(words, { cause: thread === undefined ? refused : thread.cause }))
      return words
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
      badStarts.clear()
    },
  }
}

/** @throws TypeError unless `worker()` gave a new Worker. */
function requireWorker(given: unknown, others: ReadonlySet<Thread>): WorkerLike {
  const refuse = (what: string): never => {
    throw new TypeError(`worker() gave ${what}; allowed: a new Worker each time, as by () => new Worker(...).`)
  }
  if (!hasMethod(given, 'postMessage') || !hasMethod(given, 'terminate')) {
    // One that an async function starts must not live on.
    if (hasMethod(given, 'then'))
      Promise.resolve(given as PromiseLike<unknown>)
        .then((late) => hasMethod(late, 'terminate') && late.terminate())
        .catch(() => {})
    return refuse(valueText(given))
  }
  // A Worker of Node that has ended has no number any more.
  if ('threadId' in given && given.threadId === -1) refuse('a Worker that has ended')
  for (const { worker } of others) if (worker === given) refuse('the same Worker twice')
  return given
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
