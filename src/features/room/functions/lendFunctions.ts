import { Worker } from 'node:worker_threads'
import { reasonOf } from '../../../engine/conductor/callTracker.ts'
import { type FromThread, isOurs, type ToThread } from '../../runner/protocol.ts'
import { withoutRefused } from '../../runner/serve.ts'
import { UNREADABLE } from '../protocol/checkReply.ts'
import type { LentThread, LentThreadListener } from '../protocol/lentThread.ts'
import { createChannel } from './channel.ts'
import { MAX_VALUE, problemOf } from './room.ts'
import { packValue, unpackValue } from './structured.ts'

const TICK_MILLISECONDS = 250
/** A thread that is told to end has this long to stop what it waits for. */
const GRACE_MILLISECONDS = 20
/** A module that has not said what it serves by then serves nothing. */
const LOAD_MILLISECONDS = 30_000

/** Returns what begins loans of threads that load this module, which serves the functions of a pipeline. */
export function lendFunctions(module: URL): { begin(worker: number, listener: LentThreadListener): LentThread } {
  return { begin: (worker, listener) => createLentFunctions(worker, new Worker(module), listener) }
}

function createLentFunctions(worker: number, thread: Worker, listener: LentThreadListener): LentThread {
  /** The inputs of the batches that the thread has, by their numbers. */
  const batches = new Map<number, Int32Array>()
  const channel = createChannel((piece) => listener.send({ kind: 'tell', piece }), hear)
  const timer = setInterval(() => channel.tick(TICK_MILLISECONDS * 1000), TICK_MILLISECONDS)
  let over = false

  function hear(bytes: Uint8Array): void {
    const message = unpackValue(bytes)
    if (!isOurs<ToThread>(message)) throw new TypeError('this is no message to a thread')
    if (message.apportion === 'batch') {
      batches.set(message.number, message.jobs)
      listener.working(message.stage)
    }
    thread.postMessage(message)
  }

  function answer(message: FromThread): void {
    if (message.apportion !== 'done') {
      channel.post(packValue(message))
      return
    }
    // Buffers that were moved here are copied on their way.
    const reply = { ...message, moved: [] }
    const jobs = batches.get(message.number) ?? new Int32Array(0)
    batches.delete(message.number)
    channel.post(packedReply(reply, jobs))
    listener.served(message.ended.length)
  }

  function packedReply(reply: Extract<FromThread, { apportion: 'done' }>, jobs: Int32Array): Uint8Array {
    try {
      const bytes = packValue(reply)
      if (bytes.length <= MAX_VALUE || reply.values.every((value) => problemOf(value) === null)) return bytes
    } catch {
      // Something in it cannot be sent.
    }
    return packValue(withoutRefused(reply, jobs, problemOf))
  }

  thread.on('message', (message: unknown) => {
    if (!over && isOurs<FromThread>(message)) answer(message)
  })
  thread.on('error', (error) => over || listener.send({ kind: 'error', words: reasonOf(error) }))
  thread.on('exit', (code) => over || listener.gone(`ended a thread with code ${code}`))
  return {
    worker,
    hello: () => listener.send({ kind: 'hello' }),
    take(message) {
      if (message.kind !== 'tell') return
      try {
        channel.take(message.piece)
      } catch {
        listener.gone(UNREADABLE)
      }
    },
    end() {
      if (over) return
      over = true
      clearInterval(timer)
      thread.postMessage({ apportion: 'end' } satisfies ToThread)
      setTimeout(() => void thread.terminate(), GRACE_MILLISECONDS)
    },
  }
}

/** Starts one thread and ends it. Returns the names of the functions that the module serves; rejects with an Error if it cannot be loaded or serves none. */
export function functionsIn(module: URL): Promise<readonly string[]> {
  const thread = new Worker(module)
  const names = new Promise<readonly string[]>((resolve, reject) => {
    thread.on(
      'message',
      (message: unknown) => isOurs<FromThread>(message) && message.apportion === 'ready' && resolve(message.names),
    )
    thread.once('error', reject)
    const silent = () => reject(new Error('it does not call serve() of apportion/worker'))
    thread.once('exit', silent)
    setTimeout(silent, LOAD_MILLISECONDS).unref()
  })
  thread.postMessage({ apportion: 'hello', stages: [] } satisfies ToThread)
  return names.finally(() => void thread.terminate())
}
