import { expose } from 'comlink'
import { msg } from '../../language/msg.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type BatchOrder, type Reply, serveBatches } from '../conductor/batchPort.ts'
import { reasonOf } from '../conductor/callTracker.ts'
import { wallMicros, wallMicrosAt } from '../conductor/environment.ts'
import { kernelOf, type Payload } from '../work/kernels.ts'
import { live } from './liveness.ts'

/** The calls that a thread of the pool serves for the conductor. It is exposed by comlink; batches come as plain messages. */
export interface WorkerApi {
  /** Resolves as soon as the thread serves; with true if it holds the lock, which is free again when the thread ends. */
  hello(lock: string): Promise<boolean>
  clock(): Micros
  /** From that time on its own clock on, the thread spins and answers nothing. */
  hangAt(time: Micros): void
  work(batch: BatchOrder): Promise<Reply>
}

/** The start of a worker waits at most this long for its lock. */
const LOCK_MILLISECONDS = 250

/** Lets the conductor call this thread, by the channel that every worker has. */
export function serveConductor(workerApi: WorkerApi): void {
  expose(workerApi)
  serveBatches(self, workerApi.work)
}

export function createWorkerApi(): WorkerApi {
  let hang: Instant = Infinity
  // A prefetched batch comes while another is served: it must wait, also while that one awaits something.
  let before: Promise<unknown> = Promise.resolve()
  return {
    hello: (lock) => live(lock, LOCK_MILLISECONDS),
    clock: wallMicros,
    hangAt(time) {
      hang = time / 1000 - performance.timeOrigin
      // A busy worker notices by itself; this is for an idle one. Timers of more than 24 days fire at once.
      const left = hang - performance.now()
      if (left < 2 ** 31) setTimeout(burnForEver, Math.max(0, left))
    },
    work(batch) {
      const reply = before.then(() => serve(batch))
      before = reply.catch(() => {})
      return reply
    },
  }

  async function serve({ work, switchCosts, jobs, services, failing, payloads }: BatchOrder): Promise<Reply> {
    const pass = work === 'wait' ? sleepUntil : burnUntil
    const kernel = kernelOf(work)
    const ended: Micros[] = []
    const made: Payload[] = []
    // Each job is due when the work up to it is due: a job that takes too long does not delay those behind it.
    let due = performance.now() + switchCosts[0] / 1000
    if (switchCosts[0] > 0) await passOrHang(pass, due, hang)
    const began = wallMicrosAt(due)
    for (let k = 0; k < jobs.length; k++) {
      if (k > 0 && switchCosts[k] > 0) {
        due = (kernel === null ? due : performance.now()) + switchCosts[k] / 1000
        await passOrHang(pass, due, hang)
      }
      try {
        if (kernel === null || payloads === null) {
          due += services[k] / 1000
          const slept = passOrHang(pass, due, hang)
          if (slept) await slept
        } else {
          if (performance.now() >= hang) burnForEver()
          made.push(await kernel(payloads[k]))
        }
        if (failing.includes(jobs[k])) throw new Error(msg('throws, as the scenario says'))
      } catch (error) {
        return { began, ended: [], threw: { job: jobs[k], reason: reasonOf(error) }, payloads: null }
      }
      // A coarse clock may stand still for several jobs; each takes at least 1 us.
      ended.push(Math.max((k === 0 ? began : ended[k - 1]) + 1, wallMicros()))
    }
    return kernel === null ? { began, ended, threw: null, payloads: null } : withPayloads(began, ended, made)
  }
}

function passOrHang(
  pass: (instant: Instant) => void | Promise<void>,
  due: Instant,
  hang: Instant,
): void | Promise<void> {
  if (due < hang) return pass(due)
  burnForEver()
}

/** Puts the bytes of all jobs into one buffer, so that one buffer is transferred instead of one per job. */
function withPayloads(began: Micros, ended: Micros[], made: readonly Payload[]): Reply {
  let length = 0
  for (const one of made) if (one instanceof Uint8Array) length += one.length
  const all = new Uint8Array(length)
  let at = 0
  const payloads = made.map((one) => {
    if (!(one instanceof Uint8Array)) return one
    all.set(one, at)
    at += one.length
    return all.subarray(at - one.length, at)
  })
  return { began, ended, threw: null, payloads }
}

/** A reading of this thread's `performance.now()`, in milliseconds. */
export type Instant = number

/** Atomics.wait wakes about 0.1 ms late, sometimes later: the last part of this length is spun. */
const SPUN = 0.25
/** Timers wake up to 5 ms late. */
const SPUN_AFTER_TIMER = 6

const cell = sleepingCell()

/** Keeps the core busy until the instant, as exactly as the clock can be read. */
export function burnUntil(instant: Instant): void {
  while (performance.now() < instant);
}

/** Sleeps until shortly before the instant and spins the rest. Sleeps in Atomics.wait, or on a timer where there is no shared memory. */
export function sleepUntil(instant: Instant): void | Promise<void> {
  if (cell === null) return sleepOnTimer(instant)
  for (let left = instant - performance.now(); left > SPUN; left = instant - performance.now())
    Atomics.wait(cell, 0, 0, left - SPUN)
  burnUntil(instant)
}

async function sleepOnTimer(instant: Instant): Promise<void> {
  const left = instant - performance.now() - SPUN_AFTER_TIMER
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  burnUntil(instant)
}

/** Keeps the core busy forever, as a worker that hangs does. */
export function burnForEver(): never {
  for (;;);
}

/** Returns memory to wait on. A page that is not isolated cannot make a SharedArrayBuffer, but gets one from WebAssembly. */
function sleepingCell(): Int32Array<SharedArrayBuffer> | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
    const found = new Int32Array(memory.buffer as unknown as SharedArrayBuffer)
    // Throws if the thread may not wait, or if the memory is not shared.
    Atomics.wait(found, 0, 0, 0)
    return found
  } catch {
    return null
  }
}
