import type { Micros, Work } from '../../scenario/model/scenario.ts'
import { isTile, type Payload } from '../work/kernels.ts'
import { reasonOf } from './callTracker.ts'

/** What a worker is told to do. Arrays are by place in the batch, in the order of work. */
export interface BatchOrder {
  readonly work: Work
  /** What it loses before each because it changes stage or group. */
  readonly changing: readonly Micros[]
  readonly jobs: readonly number[]
  /** What each is foretold to take: burnt or slept through exactly; of no account to a kernel. */
  readonly services: readonly Micros[]
  /** Jobs of the batch that throw at the end of their work. */
  readonly failing: readonly number[]
  /** What kernels work on; null for the other kinds of work. */
  readonly payloads: readonly Payload[] | null
}

/** What a worker answers. Times by its own `wallMicros`, which ascend; a batch that threw has none. */
export interface Reply {
  /** When the first job began; each further one began when the one before it had ended and the change to it was made. */
  readonly began: Micros
  readonly ended: Micros[]
  readonly threw: { readonly job: number; readonly reason: string } | null
  readonly payloads: readonly Payload[] | null
}

/**
 * The way of batches to a worker and back, which spares the listeners and proxies that a call by comlink costs: that is as
 * much as a message itself.
 */
export type Serve = (batch: BatchOrder) => Promise<Reply>

/** What goes there and comes back: an answer has the number of what was sent, so that one that comes twice is not taken for the next. */
export interface Sent {
  readonly number: number
  readonly batch: BatchOrder
}

/** `broken` stands for a reply where the work itself broke down, as nothing in it should. */
export type Answered = { readonly number: number; readonly reply: Reply } | { readonly number: number; readonly broken: string }

/** One end of the way. */
export interface BatchPort {
  postMessage(message: Sent): void
  onmessage: ((event: MessageEvent<Answered>) => void) | null
}

/** On the worker's side: works on what comes. */
export function answerOn(port: MessagePort, serve: Serve): void {
  port.onmessage = ({ data: { number, batch } }: MessageEvent<Sent>) => {
    serve(batch)
      .then((reply) => port.postMessage({ number, reply } satisfies Answered, buffersOf(reply.payloads)))
      .catch((error: unknown) => port.postMessage({ number, broken: reasonOf(error) } satisfies Answered))
  }
}

/** On the other side: a way to have batches worked on. Rejects with an Error in words; never, where the worker is no more. */
export function askOver(port: BatchPort): Serve {
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>()
  let sent = 0
  port.onmessage = ({ data }) => {
    const asked = waiting.get(data.number)
    waiting.delete(data.number)
    if ('broken' in data) asked?.reject(new Error(data.broken))
    else asked?.resolve(data.reply)
  }
  return (batch) =>
    new Promise((resolve, reject) => {
      const number = sent++
      port.postMessage({ number, batch })
      waiting.set(number, { resolve, reject })
    })
}

/** What is handed over rather than copied. (Towards a worker everything is copied: should it be lost, the job is tried again elsewhere.) */
function buffersOf(payloads: readonly Payload[] | null): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  for (const one of payloads ?? []) {
    const columns = one instanceof Uint8Array ? [one] : isTile(one) ? [one.counts, one.pixels] : []
    for (const column of columns) if (column !== null && column.buffer instanceof ArrayBuffer) buffers.add(column.buffer)
  }
  return [...buffers]
}
