import type { BatchAnswer } from '../../../engine/conductor/batchPort.ts'
import { reasonOf } from '../../../engine/conductor/callTracker.ts'
import type { StartThread } from '../../../engine/conductor/thread.ts'
import { msg } from '../../../language/msg.ts'
import type { Down, Up } from './messages.ts'

type UpKind = Up['kind']
/** What a seat says; the lender adds who it is. */
export type SeatMessage = { [K in UpKind]: Omit<Extract<Up, { kind: K }>, 'seat'> }[UpKind]

export interface LentSeatListener {
  send(message: SeatMessage): void
  /** A batch of this stage has begun. */
  working(stage: number): void
  served(jobs: number): void
  /** The thread will not serve any more. */
  gone(words: string): void
}

/** One thread of this device that a conductor has on loan. */
export interface LentSeat {
  readonly worker: number
  /** Says hello as soon as the thread serves, and again if it already does. */
  hello(): void
  take(message: Exclude<Down, { kind: 'hello' | 'end' | 'keep' }>): void
  end(): void
}

type BatchMessage = Extract<Down, { kind: 'batch' }>

/** So many answers are kept, to be sent again. A conductor never has so many batches out. */
const KEPT = 8

/** Starts a thread. Throws if the system refuses one. */
export function createLentSeat(worker: number, start: StartThread, listener: LentSeatListener): LentSeat {
  let asked = false
  let ready = false
  let ended = false
  /** The number of the next batch to serve. Those that came before their turn wait. */
  let next = 0
  const early = new Map<number, BatchMessage>()
  const underWay = new Map<number, BatchMessage>()
  const answers = new Map<number, SeatMessage>()
  const thread = start(worker, {
    error(words) {
      if (ready) listener.send({ kind: 'error', words })
      else listener.gone(words === '' ? msg('could not be loaded') : `${msg('could not be loaded')}: ${words}`)
    },
    lost: (words) => listener.gone(words),
  })
  thread.port.onmessage = ({ data }) => answer(data)

  function answer(data: BatchAnswer): void {
    const batch = underWay.get(data.number)
    if (batch === undefined || ended) return
    underWay.delete(data.number)
    const said: SeatMessage =
      'reply' in data ? { kind: 'answer', number: data.number, reply: data.reply } : { kind: 'broken', number: data.number, words: data.broken }
    answers.set(data.number, said)
    answers.delete(data.number - KEPT)
    listener.send(said)
    if ('reply' in data && data.reply.threw === null) listener.served(batch.batch.jobs.length)
  }

  function takeBatch(message: BatchMessage): void {
    const { number } = message
    const said = answers.get(number)
    if (said !== undefined) {
      listener.send(said)
      return
    }
    // What comes again is under way, or was answered so long ago that the answer has arrived.
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

  /** Answers a call to the thread. A thread that ends meanwhile says nothing. */
  function reply<T>(call: () => PromiseLike<T>, said: (value: T) => void): void {
    call().then(
      (value) => {
        if (!ended) said(value)
      },
      (error: unknown) => {
        if (!ended) listener.gone(reasonOf(error))
      },
    )
  }

  return {
    worker,
    hello() {
      if (ready) listener.send({ kind: 'hello' })
      if (asked) return
      asked = true
      reply(thread.hello.bind(thread), (willTell) => {
        ready = true
        if (willTell) thread.onEnd(() => ended || listener.gone(msg('has ended of its own accord')))
        listener.send({ kind: 'hello' })
      })
    },
    take(message) {
      if (message.kind === 'batch') takeBatch(message)
      else if (message.kind === 'clock') {
        const { trip } = message
        reply(thread.clock.bind(thread), (reading) => listener.send({ kind: 'clock', trip, reading }))
      } else {
        // A busy thread would answer later, and one that hangs never.
        reply(thread.hangAt.bind(thread, message.at), () => {})
        listener.send({ kind: 'hang' })
      }
    },
    end() {
      if (ended) return
      ended = true
      thread.end()
    },
  }
}
