import type { ThreadsListener } from '../../engine/conductor/conductedRun.ts'
import { msg } from '../../language/msg.ts'
import { createJournal, type Ending } from '../../pipeline/journal.ts'
import { NONE, pushRow, rowTime, STOPPED } from '../../pipeline/rows.ts'
import type { EngineName } from '../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import type { RemoteEngine } from './remoteEngine.ts'
import { openThread, type PageThread } from './thread.ts'

/** A run on a thread of its own. */
export interface RunHandle {
  /** Ends the run within 100 ms, whatever its threads do. Resolves when the listener has heard `ended`. */
  stop(): Promise<void>
  /** Resolves when the listener has heard `ended`; never rejects. */
  readonly finished: Promise<void>
}

/** A thread is left alone for this long after a run: Chromium now and then crashes one that is ended while it ends its own threads. */
const LINGER_MILLISECONDS = 250

/** A thread that does not stop by itself in this time is ended: that leaves a frame or two of a tenth of a second. */
const STOP_MILLISECONDS = 50

/**
 * Plays a scenario on an engine in a thread of its own. The listener may keep its journals. If anything goes wrong, it hears
 * `failure` and then `ended`, which is called exactly once and last.
 */
export function startRun(engine: EngineName, scenario: Scenario, input: { readonly file?: Blob | undefined } | null, listener: ThreadsListener): RunHandle {
  let over = false
  let last: Micros = 0
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const thread = opened()

  /** Returns the thread of the run; null if the browser starts none. */
  function opened(): PageThread<RemoteEngine> | null {
    try {
      return openThread<RemoteEngine>(threads[engine](), broken)
    } catch (error) {
      // The caller does not have the handle yet.
      queueMicrotask(() => broken(whyNoThread(error)))
      return null
    }
  }

  function end(ending: Ending): void {
    if (over) return
    over = true
    setTimeout(() => thread?.end('the run is over'), LINGER_MILLISECONDS)
    try {
      listener.ended(ending)
    } finally {
      finish()
    }
  }

  function broken(reason: string): void {
    if (over) return
    listener.failure({ time: last, kind: 'run', reason })
    end('stuck')
  }

  /** Says what the thread would have said, since it did not stop by itself. */
  function endByForce(): void {
    if (over) return
    const journal = createJournal()
    pushRow(journal.rows, last, STOPPED, NONE, NONE, NONE)
    listener.journal(journal)
    end('stopped')
  }

  /** Reports what the listener throws: it is a fault of the page, and comlink would hide it. */
  function tell(call: () => void): void {
    if (over) return
    try {
      call()
    } catch (error) {
      reportError(error)
    }
  }

  const heard: Required<ThreadsListener> = {
    journal(journal) {
      if (journal.rows.length > 0) last = rowTime(journal.rows, journal.rows.length - 1)
      tell(() => listener.journal(journal))
    },
    failure: (failure) => tell(() => listener.failure(failure)),
    output: (output) => tell(() => listener.output?.(output)),
    tiles: (tiles) => tell(() => listener.tiles?.(tiles)),
    ended: end,
  }
  void thread?.calls
    .ask(Infinity, () => thread.remote.start(scenario, input?.file ?? null, thread.lend(heard)))
    .then((answer) => {
      if (answer.kind === 'threw') broken(answer.reason)
    })
  return {
    finished,
    stop() {
      if (!over) {
        void thread?.calls.ask(Infinity, () => thread.remote.stop())
        setTimeout(endByForce, STOP_MILLISECONDS)
      }
      return finished
    },
  }
}

/** Returns why the browser starts no thread: of a page in a sandbox without an origin every script is one from elsewhere. */
function whyNoThread(error: unknown): string {
  return self.origin === 'null' ? msg('the sandbox of this frame allows no threads: add allow-same-origin to it') : String(error)
}

const threads: Readonly<Record<EngineName, () => Worker>> = { simulation, threads: conductor }

function conductor(): Worker {
  return new Worker(new URL('../../conductor.worker.ts', import.meta.url), { type: 'module', name: 'conductor' })
}

function simulation(): Worker {
  return new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'simulation' })
}
