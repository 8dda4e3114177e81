import type { Micros, Work } from '../../scenario/scenario.ts'
import { isTile, type Payload } from './kernels.ts'
import { reasonOf } from './line.ts'

/** What a worker is told to do. Arrays are by place in the batch, in the order of work. */
export interface Batch {
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
 * The way of batches to a worker and back. A worker does one after the other, so answers come in the order of what was
 * sent: that spares the names, listeners and proxies that a call by comlink costs, which is as much as a message itself.
 */
export type Serve = (batch: Batch) => Promise<Reply>

/** What stands for a reply where the work itself broke down, as nothing in it should. */
interface Breakdown {
  readonly broken: string
}

/** On the worker's side: works on what comes. */
export function answerOn(port: MessagePort, serve: Serve): void {
  const broken = (error: unknown) => port.postMessage({ broken: reasonOf(error) } satisfies Breakdown)
  port.onmessage = ({ data }: MessageEvent<Batch>) => {
    serve(data)
      .then((reply) => port.postMessage(reply, buffersOf(reply.payloads)))
      .catch(broken)
  }
}

/** On the other side: a way to have batches worked on. Rejects with an Error in words; never, where the worker is no more. */
export function askOver(port: MessagePort): Serve {
  const waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = []
  port.onmessage = ({ data }: MessageEvent<Reply | Breakdown>) => {
    const first = waiting.shift()
    if ('broken' in data) first?.reject(new Error(data.broken))
    else first?.resolve(data)
  }
  return (batch) =>
    new Promise((resolve, reject) => {
      port.postMessage(batch)
      waiting.push({ resolve, reject })
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
