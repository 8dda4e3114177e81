import type { Micros } from '../../scenario/model/scenario.ts'
import type { BatchPort } from './batchPort.ts'

/** Calls back later; returns a function that cancels the call. */
export type Timer = (milliseconds: number, call: () => void) => () => void

export interface NewWorkers {
  /** How many more threads could be started now. */
  free(): number
  /** Calls back when more threads may be available, and from time to time. */
  onNewWorker(call: () => void): void
  /** For how long threads could have joined so far. It stands still while the machine sleeps or has no connection to them. */
  waited(): Micros
  /** How long a run without any worker waits for one. */
  readonly patience: Micros
}

/** Everything that a conductor needs from outside. Tests pass a simulated environment. */
export interface Environment {
  /** The time, which never runs back. */
  now(): Micros
  readonly after: Timer
  readonly every: Timer
  /** How many threads can run at once; 0 if unknown. */
  readonly cores: number
  readonly start: StartThread
  /** How long a lost connection may go unnoticed: a thread may be silent for that much longer. Absent where there is none. */
  readonly unnoticed?: Micros
  /** Absent where no threads join: each worker is started once, and a lost worker stays lost. */
  readonly newWorkers?: NewWorkers
}

/** The thread of one worker, as the pool sees it. */
export interface WorkerThread {
  /** Resolves as soon as the thread can work; with true if `onEnd` will be called when it ends. */
  hello(): PromiseLike<boolean>
  clock(): PromiseLike<Micros>
  /** Makes it hang at a time on its own clock. */
  hangAt(time: Micros): PromiseLike<void>
  /** Carries batches there and replies back. */
  readonly port: BatchPort
  /** Whether its silence means nothing at present, because the connection to it is lost. Absent where none can be lost. */
  isCutOff?(): boolean
  /** Calls back when the thread has ended. Ask only after `hello` has resolved. */
  onEnd(call: () => void): void
  end(): void
}

/** Messages that a thread sends without a request. */
export interface ThreadEvents {
  /** An error outside its work; the message may be empty. Before `hello` it means that the script cannot be loaded. */
  error(message: string): void
  /** The thread will not serve any more: `reason` in words for the record. */
  lost(reason: string): void
}

/** Starts a thread; throws if the system refuses one. */
export type StartThread = (worker: number, events: ThreadEvents) => WorkerThread

/** Returns microseconds since 1970, from the thread's own origin, so threads agree within some ten. It never runs back, whatever the system clock does. */
export function wallMicros(): Micros {
  return wallMicrosAt(performance.now())
}

/** Returns the same for a reading of this thread's `performance.now()`, in milliseconds. */
export function wallMicrosAt(instant: number): Micros {
  return Math.round((performance.timeOrigin + instant) * 1000)
}

/** Returns the least shift that puts another thread's reading between our question and its answer. Mostly 0. */
export function clockOffset(asked: Micros, theirs: Micros, received: Micros): Micros {
  if (theirs < asked) return asked - theirs
  return theirs > received ? received - theirs : 0
}

/** Converts a batch's times to the run's clock, moved as a whole into [given, reported]. Changes `ended` in place; returns when the first job began. */
export function fitTimes(began: Micros, ended: Micros[], origin: Micros, given: Micros, reported: Micros): Micros {
  const room = reported - ((ended.at(-1) ?? began) - origin)
  const shift = origin - Math.min(room, Math.max(0, given - (began - origin)))
  const first = Math.max(given, began - shift)
  for (let k = 0; k < ended.length; k++) ended[k] = Math.max(first, ended[k] - shift)
  return first
}
