import { msg } from '../../language/msg.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type BatchOrder, onOurClock, type ServeBatch, sendBatches } from './batchPort.ts'
import { type CallTracker, createCallTracker, createCappedClock, reasonOf } from './callTracker.ts'
import { clockOffset, type Environment, type WorkerThread } from './environment.ts'
import type { Report } from './inbox.ts'

/** The reports of the pool. Nothing more is reported of a worker that is lost or dismissed. */
export interface PoolListener {
  /** The thread has answered for the first time. */
  ready(worker: number): void
  /** A batch was returned; its times are on our clock. */
  reported(report: Report): void
  /** The worker will never answer again, and its thread has been ended. */
  lost(worker: number, reason: string): void
  /** The worker reported an error outside its work, and continues. */
  errorOutsideWork(worker: number, reason: string): void
}

/** The threads that do the work. Creating a pool starts nothing. */
export interface Pool {
  /** Starts the thread of a worker. `ready` or `lost` follows. */
  hire(worker: number): void
  /** Gives a worker a batch under a lease; `reported` or `lost` follows. The silence of a batch `behind` another counts from the answer of that one on. */
  send(worker: number, lease: number, batch: BatchOrder, silenceLimit: Micros, behind: boolean): void
  /** Makes a worker hang at a time on our clock. */
  hangAt(worker: number, time: Micros): void
  dismiss(worker: number): void
  end(): void
}

interface PoolWorker {
  readonly thread: WorkerThread
  readonly calls: CallTracker
  readonly serve: ServeBatch
  /** On the clock of the ticks, which never runs back. */
  readonly hiredAt: Micros
  ready: boolean
  offset: Micros
  /** Batches that were given before the thread was ready. */
  readonly queued: (() => void)[]
}

/** A thread starts in some 10 ms. It is given up this long after the last start of another thread hired at about the same time. */
const START_LIMIT: Micros = 3_000_000
/** Until the first thread has started, its script may still be loading over a slow network: the limit is this many times longer. */
const FIRST_START_FACTOR = 10
const TICK_MILLISECONDS = 100
/** A thread that the system refuses is reported this much later, since it is asked for again at once. */
const REFUSAL_MILLISECONDS = 100

export function createPool(listener: PoolListener, { now, after, every, start, unnoticed = 0 }: Environment): Pool {
  const workers = new Map<number, PoolWorker>()
  const tickOf = createCappedClock()
  let ticked: Micros = 0
  let stopTicking: (() => void) | null = null
  let anyStarted = false
  let slowestStart: Micros = 0
  /** By worker: cancels the report that its thread could not be started. */
  const refusals = new Map<number, () => void>()

  function tick(): void {
    const passed = tickOf(now())
    ticked += passed
    const elapsed = passed / (anyStarted ? 1 : FIRST_START_FACTOR)
    for (const { calls, thread } of [...workers.values()]) if (!thread.isCutOff?.()) calls.tick(elapsed)
  }

  function drop(worker: number, reason: string): boolean {
    const hired = workers.get(worker)
    if (hired === undefined) return false
    workers.delete(worker)
    hired.thread.end()
    hired.calls.cut(reason)
    return true
  }

  function lose(worker: number, hired: PoolWorker, reason: string): void {
    if (workers.get(worker) === hired && drop(worker, reason)) listener.lost(worker, reason)
  }

  async function handshake(worker: number, hired: PoolWorker): Promise<void> {
    const { thread, calls } = hired
    // A module that took long to load takes as long the next time.
    const startLimit = START_LIMIT + unnoticed + 2 * slowestStart
    const answer = await calls.ask(startLimit, () => thread.hello())
    if (answer.kind !== 'answered') {
      lose(
        worker,
        hired,
        answer.kind === 'threw'
          ? `${msg('could not be started')}: ${answer.reason}`
          : msg('has not answered and is given up'),
      )
      return
    }
    anyStarted = true
    slowestStart = Math.max(slowestStart, ticked - hired.hiredAt)
    // This start is a sign of life only for workers hired at about the same time, since a pool may hire many times.
    for (const other of workers.values())
      if (!other.ready && hired.hiredAt - other.hiredAt < START_LIMIT) other.calls.signOfLife()
    const sent = now()
    const clock = await calls.ask(startLimit, () => thread.clock())
    if (clock.kind !== 'answered') return lose(worker, hired, msg('has not answered and is given up'))
    hired.offset = clockOffset(sent, clock.value, now())
    hired.ready = true
    if (answer.value) thread.onEnd(() => lose(worker, hired, msg('has ended')))
    listener.ready(worker)
    for (const give of hired.queued.splice(0)) give()
  }

  function give(
    worker: number,
    hired: PoolWorker,
    lease: number,
    batch: BatchOrder,
    silenceLimit: Micros,
    behind: boolean,
  ): void {
    void hired.calls
      .ask(silenceLimit + unnoticed, () => hired.serve(batch), behind)
      .then((answer) => {
        if (answer.kind === 'answered')
          listener.reported({
            worker,
            lease,
            reply: onOurClock(answer.value, hired.offset),
            reason: '',
            silence: answer.silence,
          })
        else if (answer.kind === 'threw')
          listener.reported({ worker, lease, reply: null, reason: answer.reason, silence: 0 })
        else if (answer.kind === 'silent') lose(worker, hired, msg('has not answered and is given up'))
      })
  }

  function startThread(worker: number): PoolWorker {
    const thread = start(worker, {
      error(message) {
        const words = message === '' ? '' : `: ${message}`
        if (mine.ready)
          listener.errorOutsideWork(worker, msg('reported an error outside its work and continues') + words)
        else lose(worker, mine, msg('could not be loaded') + words)
      },
      lost: (reason) => lose(worker, mine, reason),
      alive: () => mine.calls.signOfLife(),
    })
    const mine: PoolWorker = {
      thread,
      calls: createCallTracker(),
      serve: sendBatches(thread.port),
      hiredAt: ticked,
      ready: false,
      offset: 0,
      queued: [],
    }
    return mine
  }

  return {
    hire(worker) {
      stopTicking ??= every(TICK_MILLISECONDS, tick)
      try {
        const mine = startThread(worker)
        workers.set(worker, mine)
        void handshake(worker, mine)
      } catch (error) {
        const reason = `${msg('could not be started')}: ${reasonOf(error)}`
        refusals.set(
          worker,
          after(REFUSAL_MILLISECONDS, () => listener.lost(worker, reason)),
        )
      }
    },
    send(worker, lease, batch, silenceLimit, behind) {
      const hired = workers.get(worker)
      if (hired === undefined) return
      if (hired.ready) give(worker, hired, lease, batch, silenceLimit, behind)
      else hired.queued.push(() => give(worker, hired, lease, batch, silenceLimit, behind))
    },
    hangAt(worker, time) {
      const hired = workers.get(worker)
      if (hired !== undefined)
        void hired.calls.ask(START_LIMIT + unnoticed, () => hired.thread.hangAt(time - hired.offset))
    },
    dismiss(worker) {
      refusals.get(worker)?.()
      drop(worker, 'let go')
    },
    end() {
      for (const cancel of refusals.values()) cancel()
      stopTicking?.()
      stopTicking = null
      for (const worker of [...workers.keys()]) drop(worker, 'the run is over')
    },
  }
}
