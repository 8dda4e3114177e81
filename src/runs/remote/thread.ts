import { expose, type Remote, releaseProxy, transfer, wrap } from 'comlink'
import { type CallTracker, createCallTracker, createCappedClock } from '../../engine/conductor/callTracker.ts'
import { wallMicros } from '../../engine/conductor/environment.ts'
import { awaitEnd, type Liveness, ownLock } from '../../engine/threads/liveness.ts'
import { msg } from '../../language/msg.ts'
import { catalogue, type speak, tStored } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'

/** A thread of the page. Every call made by `calls` settles, even if the thread breaks. */
export interface PageThread<Api> {
  readonly remote: Remote<Api>
  readonly calls: CallTracker
  /** Returns a port by which the thread may call these functions; it is closed when the thread ends. */
  lend(lent: object): MessagePort
  /** Ends the thread. Pending calls settle as `gone`. */
  end(reason: string): void
}

/** A thread starts in some 10 ms, but its script may have to be loaded over a slow network. */
const START_LIMIT: Micros = 30_000_000
const TICK_MILLISECONDS = 200
/** Nothing waits for the lock of a page's thread, so a slow browser may take its time. */
const LOCK_MILLISECONDS = 10_000

/** Takes over a new worker. If it breaks, does not answer or ends by itself, it is ended and `broken` gets the reason, in English. It speaks the page's language. */
export function openThread<Api>(
  worker: Worker,
  broken: (reason: string) => void = () => {},
  startLimit = START_LIMIT,
): PageThread<Api> {
  const calls = createCallTracker()
  const tickOf = createCappedClock()
  const over = new AbortController()
  const remote = wrap<Liveness & { speak: typeof speak }>(worker)
  const timer = setInterval(() => calls.tick(tickOf(wallMicros())), TICK_MILLISECONDS)
  const thread: PageThread<Api> = {
    remote: remote as unknown as Remote<Api>,
    calls,
    lend(lent) {
      const { port1, port2 } = new MessageChannel()
      expose(lent, port1)
      over.signal.addEventListener('abort', () => port1.close())
      return transfer(port2, [port2])
    },
    end(reason) {
      if (over.signal.aborted) return
      clearInterval(timer)
      over.abort()
      worker.terminate()
      calls.cut(reason)
      // Else comlink's proxy and the worker's listeners keep each other in memory forever.
      remote[releaseProxy]()
    },
  }
  const fail = (reason: string) => {
    if (over.signal.aborted) return
    thread.end(tStored(reason))
    broken(reason)
  }
  const { signal } = over
  worker.addEventListener(
    'error',
    (event) => {
      event.preventDefault()
      const message = event instanceof ErrorEvent ? event.message : ''
      fail(message ? `${msg('a thread of the page broke')}: ${message}` : msg('a thread of the page broke'))
    },
    { signal },
  )
  worker.addEventListener('messageerror', () => fail(msg('a thread of the page broke')), {
    signal,
  })
  // Messages keep their order, so the language is set before any other call.
  if (catalogue().locale !== 'en') void calls.ask(Infinity, () => remote.speak(catalogue()))
  void calls
    .ask(startLimit, () => remote.answers())
    .then((answer) => {
      clearInterval(timer)
      if (answer.kind === 'silent') fail(msg('a thread of the page does not answer'))
    })
  const lock = ownLock()
  // A thread that is busy from the start gets its lock when it first lets messages in.
  void calls
    .ask(Infinity, () => remote.live(lock, LOCK_MILLISECONDS))
    .then((answer) => {
      if (answer.kind === 'answered' && answer.value)
        awaitEnd(lock, signal, () => fail(msg('a thread of the page has ended')))
    })
  return thread
}
