import { transfer } from 'comlink'
import { createCappedClock } from '../../engine/conductor/callTracker.ts'
import type { ThreadsListener } from '../../engine/conductor/conductedRun.ts'
import { wallMicros } from '../../engine/conductor/environment.ts'
import type { Liveness } from '../../engine/threads/liveness.ts'
import { msg } from '../../language/msg.ts'
import { createJournal, type Ending, type Failure } from '../../pipeline/journal.ts'
import { NONE, pushRow, rowTime, STOPPED } from '../../pipeline/rows.ts'
import { type EngineName, isRealTime } from '../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import type { RemoteEngine, RunInput } from './remoteEngine.ts'
import { createRunWatch, SILENCE_LIMIT, type Watched } from './runWatch.ts'
import { MAX_DECISION, TOO_SLOW } from './studies.ts'
import { openThread, type PageThread } from './thread.ts'

/** The callbacks of the page for a run. */
export interface RunListener extends ThreadsListener {
  /** Called when the state of the run's thread changes. */
  watched?(now: Watched): void
}

export interface RunHandle {
  /** Ends the run within 100 ms, whatever its threads do. Resolves after `ended` of the listener has been called. */
  stop(): Promise<void>
  /** Resolves after `ended` of the listener has been called; never rejects. */
  readonly finished: Promise<void>
}

/** Threads outside of the conductor that run the code of stages. */
export interface StageThreads {
  /** Returns a port for the conductor of one run. */
  port(): MessagePort
  /** Ends all of them. */
  close(): void
}

/** A thread is not ended for this long after a run: Chromium sometimes crashes if a thread is ended while it ends its own threads. */
const LINGER_MILLISECONDS = 250

/** A thread that does not stop by itself in this time is ended: that leaves a frame or two of a tenth of a second. */
const STOP_MILLISECONDS = 50

const NEVER_STARTED = msg('the thread of the run has not begun. Reload the page and press Run')

const TICK_MILLISECONDS = 200
/** One tick of the watch counts for at most this long. On a busy machine late ticks still count in full, but the sleep of a machine counts as one tick. */
const LONGEST_TICK: Micros = 2_000_000

interface RunOptions {
  readonly make?: () => Worker
  readonly silenceLimit?: Micros
  /** Rejects with an Error for users if there are none. The run ends them. */
  readonly stageThreads?: Promise<StageThreads> | null
}

/** Plays a scenario in a thread of its own. After any error, `ended` is called once and last. A thread that does not begin is started again, once. */
export function startRun(
  engine: EngineName,
  scenario: Scenario,
  input: RunInput | null,
  listener: RunListener,
  { make = threads[engine], silenceLimit = SILENCE_LIMIT, stageThreads = null }: RunOptions = {},
): RunHandle {
  let over = false
  let last: Micros = 0
  let watched: Watched = 'ok'
  /** Failures before the run began. If the run is restarted, they are dropped. */
  let early: Failure[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  /** How long the code of a policy has been deciding; null: it does not. Time that this page was busy counts as a tick. */
  let deciding: Micros | null = null
  let watch = createRunWatch(isRealTime(engine), silenceLimit)
  const tickOf = createCappedClock(LONGEST_TICK)
  const timer = setInterval(look, TICK_MILLISECONDS)

  /** Returns a thread that begins the run; null if the browser starts none. */
  function begin(): PageThread<RemoteEngine & Pick<Liveness, 'answers'>> | null {
    try {
      const opened = openThread<RemoteEngine & Pick<Liveness, 'answers'>>(make(), broken, Infinity)
      ping(opened)
      void opened.calls
        .ask(Infinity, async () => {
          const port = (await stageThreads)?.port()
          return opened.remote.start(
            scenario,
            port === undefined ? (input ?? {}) : transfer({ ...input, threads: port }, [port]),
            opened.lend(fromThread),
          )
        })
        .then((answer) => {
          if (answer.kind === 'threw') broken(answer.reason)
        })
      return opened
    } catch (error) {
      // The caller does not have the handle yet.
      queueMicrotask(() => broken(whyNoThread(error)))
      return null
    }
  }

  /** Messages keep their order: the first answer comes before all messages of the run. */
  function ping({ calls, remote }: PageThread<Pick<Liveness, 'answers'>>): void {
    if (!watch.asks()) return
    const asked = watch
    void calls.ask(Infinity, () => remote.answers()).then(({ kind }) => kind === 'answered' && asked.answered())
  }

  function look(): void {
    if (thread === null) return
    const elapsed = tickOf(wallMicros())
    const found = watch.tick(elapsed)
    if (deciding !== null) deciding += Math.min(elapsed, TICK_MILLISECONDS * 1000)
    if (deciding !== null && deciding > 2000 * MAX_DECISION) broken(TOO_SLOW)
    else if (found === 'dead' && watched === 'restarted') broken(NEVER_STARTED)
    else if (found === 'dead') restart(thread)
    else if (found === 'silent') say('silent')
    else if (watched === 'silent') say('ok')
    if (!over) ping(thread)
  }

  function restart(dead: PageThread<unknown>): void {
    dead.end('started again')
    early = []
    watch = createRunWatch(isRealTime(engine), silenceLimit)
    thread = begin()
    say('restarted')
  }

  function say(now: Watched): void {
    if (over || now === watched) return
    watched = now
    tell(() => listener.watched?.(now))
  }

  function end(ending: Ending): void {
    if (over) return
    tellEarly()
    over = true
    clearInterval(timer)
    stageThreads?.then(
      (opened) => opened.close(),
      () => {},
    )
    setTimeout(() => thread?.end('the run is over'), LINGER_MILLISECONDS)
    reporting(() => listener.ended(ending))
    finish()
  }

  function broken(reason: string): void {
    if (over) return
    tellEarly()
    listener.failure({ time: last, kind: 'run', reason })
    end('stuck')
  }

  /** Reports the end in place of the thread, which did not stop by itself. */
  function endByForce(): void {
    if (over) return
    const journal = createJournal()
    pushRow(journal.rows, last, STOPPED, NONE, NONE, NONE)
    listener.journal(journal)
    end('stopped')
  }

  function tell(call: () => void): void {
    if (!over) reporting(call)
  }

  /** Reports what the listener throws: it is a fault of the page, and comlink would hide it. */
  function reporting(call: () => void): void {
    try {
      call()
    } catch (error) {
      reportError(error)
    }
  }

  function tellEarly(): void {
    for (const failure of early.splice(0)) tell(() => listener.failure(failure))
  }

  let started = false
  const fromThread: Required<ThreadsListener> = {
    ready: () => watch.signOfLife(false),
    journal(journal) {
      watch.signOfLife(true)
      started = true
      tellEarly()
      say('ok')
      if (journal.rows.length > 0) last = rowTime(journal.rows, journal.rows.length - 1)
      tell(() => listener.journal(journal))
    },
    deciding(does) {
      deciding = does ? 0 : null
    },
    failure(failure) {
      watch.signOfLife(started)
      if (started) tell(() => listener.failure(failure))
      else early.push(failure)
    },
    output: (output) => tell(() => listener.output?.(output)),
    tiles: (tiles) => tell(() => listener.tiles?.(tiles)),
    ended: end,
  }
  let thread = begin()
  return {
    finished,
    stop() {
      if (!over) {
        const { calls, remote } = thread ?? {}
        void calls?.ask(Infinity, async () => remote?.stop())
        setTimeout(endByForce, STOP_MILLISECONDS)
      }
      return finished
    },
  }
}

/** Returns why the browser starts no thread: for a sandboxed page without an origin, every script is from another origin. */
function whyNoThread(error: unknown): string {
  return self.origin === 'null' ? msg('this frame allows no threads: add allow-same-origin') : String(error)
}

const threads: Readonly<Record<EngineName, () => Worker>> = {
  simulation,
  threads: conductor,
  room: conductor,
  functions: simulation,
}

function conductor(): Worker {
  return new Worker(new URL('../../conductor.worker.ts', import.meta.url), { type: 'module', name: 'conductor' })
}

function simulation(): Worker {
  return new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'simulation' })
}
