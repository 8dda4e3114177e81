import { type Remote, transfer, wrap } from 'comlink'
import { toSay } from '../../language/toSay.ts'
import type { Micros } from '../../scenario/scenario.ts'
import { askOver, type Batch, type Reply, type Serve } from './batchPort.ts'
import type { Report } from './inbox.ts'
import type { Labour } from './labour.ts'
import { createLine, createTicker, type Line, reasonOf } from './line.ts'
import { clockOffset, wallMicros } from './wallClock.ts'

/** Starts the thread of a worker. */
export type Spawn = (worker: number) => Worker

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
  send(worker: number, lease: number, batch: Batch, patience: Micros, behind: boolean): void
  /** Makes a worker hang at a time of our clock. */
  hangAt(worker: number, time: Micros): void
  /** Ends the thread of a worker, whatever it is at. */
  dismiss(worker: number): void
  /** Ends all threads. */
  end(): void
}

interface Thread {
  readonly worker: Worker
  readonly line: Line
  readonly labour: Remote<Labour>
  readonly work: Serve
  /** The worker's end of the way that `work` takes. */
  readonly port: MessagePort
  ready: boolean
  offset: Micros
  /** What was sent before the thread was ready. */
  readonly held: (() => void)[]
}

/** A thread starts in some 10 ms. So long after anybody was last heard to start, those who have not are given up. */
const START_PATIENCE: Micros = 3_000_000
const TICK_MILLISECONDS = 100

export function createPool(listener: PoolListener, spawn: Spawn = spawnLabour): Pool {
  const threads = new Map<number, Thread>()
  const tickOf = createTicker()
  const asked = new AbortController()
  const lockPrefix = `apportion ${performance.timeOrigin} ${Math.random()}`
  let hires = 0
  let timer: ReturnType<typeof setInterval> | null = null

  function tick(): void {
    const elapsed = tickOf(wallMicros())
    for (const thread of [...threads.values()]) thread.line.tick(elapsed)
  }

  function drop(worker: number, reason: string): boolean {
    const thread = threads.get(worker)
    if (thread === undefined) return false
    threads.delete(worker)
    thread.worker.terminate()
    thread.line.cut(reason)
    return true
  }

  function lose(worker: number, thread: Thread, reason: string): void {
    if (threads.get(worker) === thread && drop(worker, reason)) listener.lost(worker, reason)
  }

  async function greet(worker: number, thread: Thread): Promise<void> {
    // Numbers are hired again, threads are not.
    const lock = `${lockPrefix} ${hires++}`
    const answer = await thread.line.ask(START_PATIENCE, () => thread.labour.hello(lock, transfer(thread.port, [thread.port])))
    if (answer.kind !== 'answered') {
      lose(
        worker,
        thread,
        answer.kind === 'threw' ? `${toSay('could not start')}: ${answer.reason}` : toSay('has not answered since its start and is given up'),
      )
      return
    }
    for (const other of threads.values()) if (!other.ready) other.line.hear()
    const sent = wallMicros()
    const clock = await thread.line.ask(START_PATIENCE, () => thread.labour.clock())
    if (clock.kind !== 'answered') return lose(worker, thread, toSay('fell silent at its start and is given up'))
    thread.offset = clockOffset(sent, clock.value, wallMicros())
    thread.ready = true
    if (answer.value) awaitEnd(worker, thread, lock)
    listener.ready(worker)
    for (const give of thread.held.splice(0)) give()
  }

  /** The thread holds the lock for as long as it lives: getting it means that the thread has ended. */
  function awaitEnd(worker: number, thread: Thread, lock: string): void {
    const ended = () => lose(worker, thread, toSay('has ended of its own accord'))
    navigator.locks.request(lock, { signal: asked.signal }, ended).catch(() => {})
  }

  function give(worker: number, thread: Thread, lease: number, batch: Batch, patience: Micros, behind: boolean): void {
    void thread.line
      .ask(patience, () => thread.work(batch), behind)
      .then((answer) => {
        if (answer.kind === 'answered')
          listener.reported({ worker, lease, reply: onOurClock(answer.value, thread.offset), reason: '', silence: answer.silence })
        else if (answer.kind === 'threw') listener.reported({ worker, lease, reply: null, reason: answer.reason, silence: 0 })
        else if (answer.kind === 'silent') lose(worker, thread, toSay('has not answered and is given up'))
      })
  }

  return {
    hire(worker) {
      timer ??= setInterval(tick, TICK_MILLISECONDS)
      let started: Worker
      try {
        started = spawn(worker)
      } catch (error) {
        queueMicrotask(() => listener.lost(worker, `${toSay('could not be started')}: ${reasonOf(error)}`))
        return
      }
      const labour = wrap<Labour>(started)
      const { port1, port2 } = new MessageChannel()
      const thread: Thread = { worker: started, line: createLine(), labour, work: askOver(port1), port: port2, ready: false, offset: 0, held: [] }
      port1.addEventListener('messageerror', () => lose(worker, thread, toSay('sent what could not be read')))
      threads.set(worker, thread)
      started.addEventListener('error', (event) => {
        event.preventDefault()
        const said = event instanceof ErrorEvent && event.message ? `: ${event.message}` : ''
        if (thread.ready) listener.troubled(worker, toSay('reported an error outside its work and goes on') + said)
        else lose(worker, thread, toSay('could not be loaded') + said)
      })
      started.addEventListener('messageerror', () => lose(worker, thread, toSay('sent what could not be read')))
      void greet(worker, thread)
    },
    send(worker, lease, batch, patience, behind) {
      const thread = threads.get(worker)
      if (thread === undefined) return
      if (thread.ready) give(worker, thread, lease, batch, patience, behind)
      else thread.held.push(() => give(worker, thread, lease, batch, patience, behind))
    },
    hangAt(worker, time) {
      const thread = threads.get(worker)
      if (thread !== undefined) void thread.line.ask(START_PATIENCE, () => thread.labour.hangAt(time - thread.offset))
    },
    dismiss(worker) {
      drop(worker, 'let go')
    },
    end() {
      if (timer !== null) clearInterval(timer)
      timer = null
      asked.abort()
      for (const worker of [...threads.keys()]) drop(worker, 'the run is over')
    },
  }
}

function onOurClock(reply: Reply, offset: Micros): Reply {
  if (offset === 0) return reply
  return { ...reply, began: reply.began + offset, ended: reply.ended.map((time) => time + offset) }
}

function spawnLabour(): Worker {
  return new Worker(new URL('../../labour.worker.ts', import.meta.url), { type: 'module', name: 'labour' })
}
