import type { Micros, Work } from '../../scenario/model/scenario.ts'
import { isTile, type Payload } from '../work/kernels.ts'
import { reasonOf } from './callTracker.ts'

/** An order to a worker: one batch. Arrays have one entry per job, in the order of work. */
export interface BatchOrder {
  readonly work: Work
  readonly stage: number
  /** The time that the worker loses before each job because it changes stage or group. */
  readonly switchCosts: readonly Micros[]
  readonly jobs: readonly number[]
  /** The service time of each job: burnt or slept through exactly, and ignored by kernels. */
  readonly services: readonly Micros[]
  /** The jobs of the batch that throw at the end of their work. */
  readonly failing: readonly number[]
  /** The inputs of a kernel; null for other kinds of work. */
  readonly payloads: readonly Payload[] | null
}

/** The answer of a worker. Times are on its own clock, and ascend; a batch that threw has none. */
export interface Reply {
  /** When the first job began. Each further job began when the one before had ended and the switch was made. */
  readonly began: Micros
  readonly ended: Micros[]
  readonly threw: Thrown | null
  /** Jobs that threw while the rest of the batch was finished: `ended` and `payloads` are those of the rest. */
  readonly thrown?: readonly Thrown[]
  readonly payloads: readonly Payload[] | null
}

export interface Thrown {
  readonly job: number
  readonly reason: string
}

/** Sends a batch to a worker and resolves with its reply. It uses plain messages, since a call by comlink costs as much again as the message. */
export type ServeBatch = (batch: BatchOrder) => Promise<Reply>

/** A message to the worker. The number tells which batch an answer belongs to, so that a doubled answer does no harm. */
export interface BatchRequest {
  readonly number: number
  readonly batch: BatchOrder
}

/** The answer of the worker. `broken` replaces the reply if serving the batch failed unexpectedly. */
export type BatchAnswer =
  | { readonly number: number; readonly reply: Reply }
  | { readonly number: number; readonly broken: string }

/** The conductor's end of the channel that every worker has. Comlink uses it too: neither answers the messages of the other. */
export interface BatchPort {
  postMessage(message: BatchRequest): void
  onmessage: ((event: MessageEvent<BatchAnswer>) => void) | null
}

interface ServingPort {
  postMessage(message: BatchAnswer, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent) => unknown) | null
}

/** The worker's side: serves each batch that arrives. */
export function serveBatches(port: ServingPort, serve: ServeBatch): void {
  port.onmessage = ({ data }: MessageEvent<object>) => {
    if (!('batch' in data)) return
    const { number, batch } = data as BatchRequest
    serve(batch)
      .then((reply) => port.postMessage({ number, reply }, buffersOf(reply.payloads)))
      .catch((error: unknown) => port.postMessage({ number, broken: reasonOf(error) }))
  }
}

/** The conductor's side. Each call resolves with the reply, rejects with an Error for users, or stays pending if the worker is gone. */
export function sendBatches(port: BatchPort): ServeBatch {
  const waiting = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>()
  let count = 0
  port.onmessage = ({ data }) => {
    const asked = waiting.get(data.number)
    if (asked === undefined) return
    waiting.delete(data.number)
    if ('broken' in data) asked.reject(new Error(data.broken))
    else asked.resolve(data.reply)
  }
  return (batch) =>
    new Promise((resolve, reject) => {
      const number = count++
      port.postMessage({ number, batch })
      waiting.set(number, { resolve, reject })
    })
}

/** Returns a reply with its times on our clock, from which the clock of the worker differs by `offset`. */
export function onOurClock(reply: Reply, offset: Micros): Reply {
  if (offset === 0) return reply
  return { ...reply, began: reply.began + offset, ended: reply.ended.map((time) => time + offset) }
}

/** Replies hand their buffers over. Orders are copied, since another worker may have to serve the job again. */
function buffersOf(payloads: readonly Payload[] | null): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  for (const one of payloads ?? []) {
    const columns = one instanceof Uint8Array ? [one] : isTile(one) ? [one.counts, one.pixels] : []
    for (const column of columns)
      if (column !== null && column.buffer instanceof ArrayBuffer) buffers.add(column.buffer)
  }
  return [...buffers]
}
