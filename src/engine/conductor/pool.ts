import { msg } from '../../language/msg.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { askOver, type BatchOrder, type Reply, type Serve } from './batchPort.ts'
import { type CallTracker, createCallTracker, createCappedClock, reasonOf } from './callTracker.ts'
import type { Environment } from './environment.ts'
import type { Report } from './inbox.ts'
import type { WorkerThread } from './thread.ts'
import { clockOffset } from './wallClock.ts'

/** What the pool has to tell. About a worker that is lost or let go nothing more is heard. */
export interface PoolListener {
  /** The worker has answered for the first time. */
  ready(worker: number): void
  /** What a batch came to, its times on our clock. */
  reported(report: Report): void
  /** The worker will never answer again, and its thread has been ended. */
  lost(worker: number, reason: string): void
  /** Something went wrong in the worker outside its work; it goes on. */
  troubled(worker: number, reason: string): void
}

/** The threads that do the work. Making one starts nothing. */
export interface Pool {
  /** Starts the thread of a worker; `ready` or `lost` follows. */
  hire(worker: number): void
  /**
   * Gives a worker a batch under a lease; `reported` or `lost` follows. Whose thread has not answered yet gets it when it has.
   * A batch `behind` another is sent at once, and patience with it begins when that one is through.
   */
  send(worker: number, lease: number, batch: BatchOrder, patience: Micros, behind: boolean): void
  /** Makes a worker hang at a time of our clock. */
  hangAt(worker: number, time: Micros): void
  /** Ends the thread of a worker, whatever it is at. */
  dismiss(worker: number): void
  /** Ends all threads. */
  end(): void
}

/** A worker who has a thread. */
interface Hired {
  readonly thread: WorkerThread
  readonly line: CallTracker
  readonly work: Serve
  /** When it was hired. */
  readonly since: Micros
  ready: boolean
  offset: Micros
  /** What was sent before the thread was ready. */
  readonly held: (() => void)[]
}

/** A thread starts in some 10 ms. So long after anybody hired about the same time was last heard to start, those who have not are given up. */
const START_PATIENCE: Micros = 3_000_000
/** Until anybody has started, their script may still be on its way over a slow network: patience lasts so many times longer. */
const ON_ITS_WAY = 10
const TICK_MILLISECONDS = 100

export function createPool(listener: PoolListener, { now, every, start }: Environment): Pool {
  const crew = new Map<number, Hired>()
  const tickOf = createCappedClock()
  let stopTicking: (() => void) | null = null
  let begun = false

  function tick(): void {
    const elapsed = tickOf(now()) / (begun ? 1 : ON_ITS_WAY)
    for (const hired of [...crew.values()]) hired.line.tick(elapsed)
  }

  function drop(worker: number, reason: string): boolean {
    const hired = crew.get(worker)
    if (hired === undefined) return false
    crew.delete(worker)
    hired.thread.end()
    hired.line.cut(reason)
    return true
  }

  function lose(worker: number, hired: Hired, reason: string): void {
    if (crew.get(worker) === hired && drop(worker, reason)) listener.lost(worker, reason)
  }

  async function greet(worker: number, hired: Hired): Promise<void> {
    const { thread, line } = hired
    const answer = await line.ask(START_PATIENCE, () => thread.hello())
    if (answer.kind !== 'answered') {
      lose(worker, hired, answer.kind === 'threw' ? `${msg('could not start')}: ${answer.reason}` : msg('has not answered since its start and is given up'))
      return
    }
    begun = true
    // Whoever was hired long after is no sign of life of those before: a pool may hire again and again.
    for (const other of crew.values()) if (!other.ready && hired.since - other.since < START_PATIENCE) other.line.hear()
    const sent = now()
    const clock = await line.ask(START_PATIENCE, () => thread.clock())
    if (clock.kind !== 'answered') return lose(worker, hired, msg('fell silent at its start and is given up'))
    hired.offset = clockOffset(sent, clock.value, now())
    hired.ready = true
    if (answer.value) thread.onEnd(() => lose(worker, hired, msg('has ended of its own accord')))
    listener.ready(worker)
    for (const give of hired.held.splice(0)) give()
  }

  function give(worker: number, hired: Hired, lease: number, batch: BatchOrder, patience: Micros, behind: boolean): void {
    void hired.line
      .ask(patience, () => hired.work(batch), behind)
      .then((answer) => {
        if (answer.kind === 'answered') listener.reported({ worker, lease, reply: onOurClock(answer.value, hired.offset), reason: '', silence: answer.silence })
        else if (answer.kind === 'threw') listener.reported({ worker, lease, reply: null, reason: answer.reason, silence: 0 })
        else if (answer.kind === 'silent') lose(worker, hired, msg('has not answered and is given up'))
      })
  }

  /** The thread of a worker, and what is heard of it. */
  function hired(worker: number): Hired {
    const unreadable = () => lose(worker, mine, msg('sent what could not be read'))
    const thread = start(worker, {
      error(said) {
        const words = said === '' ? '' : `: ${said}`
        if (mine.ready) listener.troubled(worker, msg('reported an error outside its work and goes on') + words)
        else lose(worker, mine, msg('could not be loaded') + words)
      },
      unreadable,
    })
    const mine: Hired = { thread, line: createCallTracker(), work: askOver(thread.port), since: now(), ready: false, offset: 0, held: [] }
    return mine
  }

  return {
    hire(worker) {
      stopTicking ??= every(TICK_MILLISECONDS, tick)
      try {
        const mine = hired(worker)
        crew.set(worker, mine)
        void greet(worker, mine)
      } catch (error) {
        queueMicrotask(() => listener.lost(worker, `${msg('could not be started')}: ${reasonOf(error)}`))
      }
    },
    send(worker, lease, batch, patience, behind) {
      const hired = crew.get(worker)
      if (hired === undefined) return
      if (hired.ready) give(worker, hired, lease, batch, patience, behind)
      else hired.held.push(() => give(worker, hired, lease, batch, patience, behind))
    },
    hangAt(worker, time) {
      const hired = crew.get(worker)
      if (hired !== undefined) void hired.line.ask(START_PATIENCE, () => hired.thread.hangAt(time - hired.offset))
    },
    dismiss(worker) {
      drop(worker, 'let go')
    },
    end() {
      stopTicking?.()
      stopTicking = null
      for (const worker of [...crew.keys()]) drop(worker, 'the run is over')
    },
  }
}

function onOurClock(reply: Reply, offset: Micros): Reply {
  if (offset === 0) return reply
  return { ...reply, began: reply.began + offset, ended: reply.ended.map((time) => time + offset) }
}
