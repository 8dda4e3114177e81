import type { Packed } from './thrown.ts'

/** What a thread and the pipeline need to know of a stage. */
export interface StagePlan {
  readonly id: string
  readonly call: string
  readonly setUp: string | null
  readonly tries: number
  /** In milliseconds. */
  readonly timeout: number | null
  /** How many threads may end at an input until it has failed. */
  readonly threads: number
  readonly last: boolean
}

/** A thread that is at work on several inputs says that it is alive this often, as a share of the timeout. */
export const ALIVE = 0.25

/** The messages between the pipeline and its threads. Values go as structured clones; `moved` lists the buffers that are transferred. */
export type ToThread =
  | { readonly apportion: 'hello'; readonly stages: readonly StagePlan[] }
  | {
      readonly apportion: 'batch'
      readonly number: number
      readonly stage: number
      readonly jobs: Int32Array
      /** How often each was tried, this time included; null: all for the first time. */
      readonly tries: readonly number[] | null
      /** The inputs; null: the thread has kept all of them. */
      readonly values: readonly unknown[] | null
      /** By input: the stages that it goes through before this one, or null if the thread has kept it. Absent: nothing goes through others. */
      readonly redo: readonly (Redo | null)[] | null
      /** Whether the thread keeps the outputs, since it goes on with them. */
      readonly keep: boolean
      /** The stages to which the thread takes the inputs by itself afterwards: a reply each, under this number. Mostly empty. */
      readonly through: readonly number[]
      /** Jobs whose kept values are not needed any more. */
      readonly forget: readonly number[]
    }
  /** The thread is ended soon: who waits for something can stop. */
  | { readonly apportion: 'end' }

export type FromThread =
  /** The functions that the thread serves, and a reading of its clock in microseconds. */
  | { readonly apportion: 'ready'; readonly names: readonly string[]; readonly clock: number }
  | ThreadReply
  /** The thread goes on with its batch. */
  | { readonly apportion: 'alive' }
  /** The thread could not read the order that was sent to it as the nth, from 0. */
  | { readonly apportion: 'unreadable'; readonly nth: number }

/** The stages of the line that an input goes through again, and the number of the try there. */
export interface Redo {
  readonly stages: readonly number[]
  readonly tries: number
}

export interface ThreadReply {
  readonly apportion: 'done'
  readonly number: number
  readonly stage: number
  /** When the first input began, on the thread's clock, and when each that was finished ended. */
  readonly began: number
  readonly ended: Float64Array
  /** Whether the thread has kept the outputs; `values` is empty then. */
  readonly kept: boolean
  readonly values: unknown[]
  /** By place in `values`: the buffers that were moved with it. */
  readonly moved: readonly (readonly [at: number, buffers: readonly Transferable[]])[]
  readonly thrown: readonly ThrownHere[]
  /** How long the set-up took, in microseconds, if the thread was set up for this batch. */
  readonly setUp?: number
}

export interface ThrownHere {
  readonly job: number
  readonly error: Packed
}

/** Returns whether a message is one of ours: a person's code may send others. */
export function isOurs<M extends ToThread | FromThread>(data: unknown): data is M {
  return typeof data === 'object' && data !== null && 'apportion' in data
}

const moving = new WeakMap<object, readonly Transferable[]>()

/** Marks a value so that these buffers are moved to the next thread, or back, instead of being copied. Returns the value. */
export function transfer<T extends object>(value: T, buffers: readonly Transferable[]): T {
  moving.set(value, buffers)
  return value
}

/** Returns the buffers that are moved with a value; none unless it was marked. */
export function movedWith(value: unknown): readonly Transferable[] {
  return (typeof value === 'object' && value !== null && moving.get(value)) || none
}

const none: readonly Transferable[] = Object.freeze([])
