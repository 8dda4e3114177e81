import type { Micros } from '../../scenario/model/scenario.ts'
import type { BatchPort } from './batchPort.ts'

/** The thread of one worker, as the pool sees it. */
export interface WorkerThread {
  /** Resolves as soon as the thread can work; with true if `onEnd` will be called when it ends. */
  hello(): PromiseLike<boolean>
  clock(): PromiseLike<Micros>
  /** Makes it hang at a time on its own clock. */
  hangAt(time: Micros): PromiseLike<void>
  /** Carries batches there and replies back. */
  readonly port: BatchPort
  /** Whether its silence says nothing at present, since the connection to it is lost. Absent where none can be lost. */
  isCutOff?(): boolean
  /** Calls back when the thread has ended. Ask only after `hello` has resolved. */
  onEnd(call: () => void): void
  /** Ends the thread at once. */
  end(): void
}

/** Messages that a thread sends without a question. */
export interface ThreadEvents {
  /** An error outside its work; the message may be empty. Before `hello` it means that the script cannot be loaded. */
  error(message: string): void
  /** The thread will not serve any more: `reason` in words for the record. */
  lost(reason: string): void
}

/** Starts a thread; throws if the system refuses one. */
export type StartThread = (worker: number, events: ThreadEvents) => WorkerThread
