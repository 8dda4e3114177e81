import type { Micros } from '../../scenario/model/scenario.ts'
import type { BatchPort } from './batchPort.ts'

/** The thread of a worker, as the pool has it. */
export interface WorkerThread {
  /** Answers as soon as the thread can work; true if `onEnd` will hear of its end. */
  hello(): PromiseLike<boolean>
  clock(): PromiseLike<Micros>
  /** Makes it hang at a time of its own clock. */
  hangAt(time: Micros): PromiseLike<void>
  /** The way of its batches. */
  readonly port: BatchPort
  /** To be asked once it has said hello: calls when the thread has ended. */
  onEnd(call: () => void): void
  /** Ends it, whatever it is at. */
  end(): void
}

/** What is heard of a thread that nobody asked for. */
export interface ThreadNews {
  /** It reported an error outside its work, in words or with none; one that has not said hello yet cannot be loaded. */
  error(said: string): void
  /** It sent what cannot be read. */
  unreadable(): void
}

/** Starts a thread; throws where none can be had. */
export type StartThread = (worker: number, news: ThreadNews) => WorkerThread
