import type { BatchAnswer } from '../../../engine/conductor/batchPort.ts'
import { reasonOf } from '../../../engine/conductor/callTracker.ts'
import type { StartThread } from '../../../engine/conductor/environment.ts'
import { msg } from '../../../language/msg.ts'
import type { Down, Up } from './messages.ts'

/** A message of a lent thread; the lender adds the number of the loan. */
type ThreadMessage = { [K in Up['kind']]: Omit<Extract<Up, { kind: K }>, 'seat'> }[Up['kind']]

export interface LentThreadListener {
  send(message: ThreadMessage): void
  /** Called when a batch of this stage begins. */
  working(stage: number): void
  served(jobs: number): void
  /** Called when the thread has ended. */
  gone(words: string): void
}

/** One thread of this device that a conductor has borrowed. */
export interface LentThread {
  readonly worker: number
  /** Sends hello as soon as the thread serves, and again if it already does. */
  hello(): void
  take(message: Exclude<Down, { kind: 'hello' | 'end' | 'keep' }>): void
  end(): void
}

type BatchMessage = Extract<Down, { kind: 'batch' }>

/** How many answers are kept, to be sent again. A conductor always has fewer batches out. */
const KEPT = 8

/** Starts a thread. Throws if the system refuses. */
export function createLentThread(worker: number, start: StartThread, listener: LentThreadListener): LentThread {
  let asked = false
  let ready = false
  let ended = false
  /** The number of the next batch to serve. Batches that came early wait. */
  let next = 0
  const early = new Map<number, BatchMessage>()
  const underWay = new Map<number, BatchMessage>()
  const answers = new Map<number, ThreadMessage>()
  const thread = start(worker, {
    error(words) {
      if (ended) return
      if (ready) listener.send({ kind: 'error', words })
      else listener.gone(words === '' ? msg('could not be loaded') : `${msg('could not be loaded')}: ${words}`)
    },
    lost: (words) => ended || listener.gone(words),
  })
  thread.port.onmessage = ({ data }) => answer(data)

  function answer(data: BatchAnswer): void {
    const batch = underWay.get(data.number)
    if (batch === undefined || ended) return
    underWay.delete(data.number)
    const message: ThreadMessage =
      'reply' in data
        ? { kind: 'answer', number: data.number, reply: data.reply }
        : { kind: 'broken', number: data.number, words: data.broken }
    answers.set(data.number, message)
    answers.delete(data.number - KEPT)
    listener.send(message)
    if ('reply' in data && data.reply.threw === null) listener.served(batch.batch.jobs.length)
  }

  function takeBatch(message: BatchMessage): void {
    const { number } = message
    const known = answers.get(number)
    if (known !== undefined) {
      listener.send(known)
      return
    }
    // A repeated batch is in progress, or its answer arrived long ago.
    if (number < next || number >= next + KEPT) return
    early.set(number, message)
    for (let due = early.get(next); due !== undefined; due = early.get(next)) {
      early.delete(next)
      underWay.set(next, due)
      next++
      listener.working(due.batch.stage)
      thread.port.postMessage({ number: due.number, batch: due.batch })
    }
  }

  /** Answers with the result of a call to the thread, unless the thread has ended meanwhile. */
  function reply<T>(call: PromiseLike<T>, tell: (value: T) => void): void {
    call.then(
      (value) => ended || tell(value),
      (error: unknown) => ended || listener.gone(reasonOf(error)),
    )
  }

  return {
    worker,
    hello() {
      if (ready) listener.send({ kind: 'hello' })
      if (asked) return
      asked = true
      reply(thread.hello(), (willTell) => {
        ready = true
        if (willTell) thread.onEnd(() => ended || listener.gone(msg('has ended')))
        listener.send({ kind: 'hello' })
      })
    },
    take(message) {
      if (message.kind === 'batch') takeBatch(message)
      else if (message.kind === 'clock') {
        const { trip } = message
        reply(thread.clock(), (reading) => listener.send({ kind: 'clock', trip, reading }))
      } else if (message.kind === 'hang') {
        // A busy thread would answer later, and a hanging one never.
        reply(thread.hangAt(message.at), () => {})
        listener.send({ kind: 'hang' })
      }
    },
    end() {
      if (!ended) thread.end()
      ended = true
    },
  }
}
