import type { ThreadsListener } from '../../engine/conductor/conductedRun.ts'
import { createJournal, type Ending } from '../../pipeline/journal.ts'
import { NONE, pushRow, rowTime, STOPPED } from '../../pipeline/rows.ts'
import type { EngineName } from '../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import type { RemoteEngine } from './remoteEngine.ts'
import { openThread } from './thread.ts'

/** What the page hears of a run. */
export type RunListener = ThreadsListener

/** A run under way on a thread of its own. */
export interface RunHandle {
  /** Ends the run within 100 ms, whatever its threads are at; resolves when the listener has heard `ended`. */
  stop(): Promise<void>
  /** Resolves when the listener has heard `ended`; never rejects. */
  readonly finished: Promise<void>
}

/** How long a thread that has nothing more to say is left alone: Chromium now and then loses one that is terminated while it ends its own. */
const LINGER_MILLISECONDS = 250

/** So long the thread may take to stop by itself before it is ended: a frame or two are left of a tenth of a second. */
const STOP_MILLISECONDS = 50

/**
 * Plays a scenario on an engine in a thread of its own. Journals given to the listener are the listener's to keep. Whatever
 * goes wrong is told by `failure`, and `ended` follows; it is called exactly once, and nothing after it.
 */
export function startRun(engine: EngineName, scenario: Scenario, input: { readonly file?: Blob | undefined } | null, listener: RunListener): RunHandle {
  let over = false
  let last: Micros = 0
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const thread = openThread<RemoteEngine>(threads[engine](), broken)

  function end(ending: Ending): void {
    if (over) return
    over = true
    setTimeout(() => thread.end('the run is over'), LINGER_MILLISECONDS)
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

  /** The thread did not stop by itself: what it would have said is said for it. */
  function endByForce(): void {
    if (over) return
    const journal = createJournal()
    pushRow(journal.rows, last, STOPPED, NONE, NONE, NONE)
    listener.journal(journal)
    end('stopped')
  }

  /** What the listener throws is the page's fault, not the thread's, and must not vanish in between. */
  function tell(call: () => void): void {
    if (over) return
    try {
      call()
    } catch (error) {
      reportError(error)
    }
  }

  const heard: Required<RunListener> = {
    journal(journal) {
      if (journal.rows.length > 0) last = rowTime(journal.rows, journal.rows.length - 1)
      tell(() => listener.journal(journal))
    },
    failure: (failure) => tell(() => listener.failure(failure)),
    output: (output) => tell(() => listener.output?.(output)),
    tiles: (tiles) => tell(() => listener.tiles?.(tiles)),
    ended: end,
  }
  void thread.calls
    .ask(Infinity, () => thread.remote.start(scenario, input?.file ?? null, thread.lend(heard)))
    .then((answer) => {
      if (answer.kind === 'threw') broken(answer.reason)
    })
  return {
    finished,
    stop() {
      if (!over) {
        void thread.calls.ask(Infinity, () => thread.remote.stop())
        setTimeout(endByForce, STOP_MILLISECONDS)
      }
      return finished
    },
  }
}

const threads: Readonly<Record<EngineName, () => Worker>> = { simulation, threads: conductor }

function conductor(): Worker {
  return new Worker(new URL('../../conductor.worker.ts', import.meta.url), { type: 'module', name: 'conductor' })
}

function simulation(): Worker {
  return new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'simulation' })
}
