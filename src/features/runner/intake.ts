import { isObject } from '../../scenario/model/optionChecks.ts'
import { copyValue, isReference } from './copyValue.ts'
import { movedWith } from './protocol.ts'
import { wordsOf } from './thrown.ts'
import { type Keeper, Unsendable } from './workerThread.ts'

/** Takes the next input: at once, later, or null when there is no more. */
export interface InputSource {
  next(): IteratorResult<unknown> | PromiseLike<IteratorResult<unknown>>
  return?(): unknown
}

interface Settle {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** An input from the moment it is taken in. In a line of stages it carries its value itself; in a graph its parts do. */
export class Input {
  value: unknown
  moved: readonly Transferable[]
  /** How many stages of the line the value has gone through, and the thread that has kept what later ones made of it. */
  through = 0
  keptBy: Keeper | null = null
  /** The highest number of a try at any stage so far. */
  tries = 1
  error: { readonly stage: number; readonly cause: unknown } | null = null
  /** What became of the last thread that had this input, in words that go on from "its thread". */
  threadEnd = 'could not start'
  /** Gets the result of a pushed input; the results of others are read in turn. */
  readonly settle: Settle | null

  /** Takes the value as it is now: a source may change its object for the next input. */
  constructor(value: unknown, settle: Settle | null) {
    try {
      this.value = copyValue(value)
    } catch (error) {
      this.value = new Unsendable(wordsOf(error))
    }
    this.moved = movedWith(this.value)
    this.settle = settle
  }
}

interface IntakeListener {
  /** There is an input to take, or there will be no more. */
  changed(): void
  /** The source threw. */
  failed(error: unknown): void
}

export type Intake = ReturnType<typeof createIntake>

/** Takes inputs in, from a source or as they are pushed: at most `highWaterMark` from when they are taken until `leave` is called for each. */
export function createIntake(source: InputSource | null, highWaterMark: number, listener: IntakeListener) {
  /** Pushed inputs for which there is no room yet, and inputs that nobody has taken. */
  const outside = createQueue<Input>()
  const admitted = createQueue<Input>()
  let held = 0
  let reading = false
  let sourceEnded = false
  let pumping = false
  let closed = false

  /** Takes inputs in while there is room, soon: not inside an instant of the conductor. */
  function pump(): void {
    if (pumping || closed) return
    pumping = true
    queueMicrotask(() => {
      pumping = false
      admit()
    })
  }

  function admit(): void {
    if (closed) return
    const waitingBefore = admitted.length
    const endedBefore = sourceEnded
    while (held < highWaterMark && outside.length > 0) enter(outside.take() as Input)
    while (source !== null && !closed && !reading && !sourceEnded && held < highWaterMark) read(source)
    if (admitted.length > waitingBefore || endedBefore !== sourceEnded) listener.changed()
  }

  function enter(input: Input): void {
    held++
    admitted.add(input)
  }

  function read(from: InputSource): void {
    try {
      const next = from.next()
      if (isReference(next) && 'then' in next) readLater(next)
      else takeIn(next)
    } catch (error) {
      listener.failed(error)
    }
  }

  function readLater(next: PromiseLike<IteratorResult<unknown>>): void {
    reading = true
    Promise.resolve(next)
      .then((result) => {
        reading = false
        if (closed) return
        takeIn(result)
        listener.changed()
        admit()
      })
      .catch(listener.failed)
  }

  function takeIn(result: IteratorResult<unknown>): void {
    if (!isObject(result)) throw new TypeError(`inputs: next() gave ${result}; allowed: { value, done }.`)
    if (result.done) sourceEnded = true
    else enter(new Input(result.value, null))
  }

  return {
    admit,
    take: (): Input | undefined => admitted.take(),
    /** How many inputs wait to be taken, and how many are inside. */
    get waiting() {
      return admitted.length
    },
    get held() {
      return held
    },
    /** Whether no more inputs come than those that are waiting. */
    get isEnded() {
      return sourceEnded && outside.length === 0
    },
    push(input: Input): void {
      outside.add(input)
      pump()
    },
    /** No more inputs are pushed. A source goes on to its own end. */
    end(): void {
      if (source === null) sourceEnded = true
      listener.changed()
    },
    /** One input is not inside any more: its result was read, or it has failed. */
    leave(): void {
      held--
      pump()
    },
    /** Takes nothing more in, and tells the source. Returns the inputs that were not taken. */
    close(): readonly Input[] {
      if (closed) return []
      closed = true
      if (source !== null && !sourceEnded) void Promise.resolve(attempt(() => source.return?.())).catch(() => {})
      return [...admitted.clear(), ...outside.clear()]
    },
  }
}

function attempt(call: () => unknown): unknown {
  try {
    return call()
  } catch {
    return undefined
  }
}

export interface Queue<T> {
  readonly length: number
  add(item: T): void
  take(): T | undefined
  /** Empties the queue and returns what was in it. */
  clear(): readonly T[]
}

/** Returns an empty queue, first in, first out, each step at a constant cost. */
export function createQueue<T>(): Queue<T> {
  let items: T[] = []
  let head = 0
  return {
    get length() {
      return items.length - head
    },
    add: (item) => items.push(item),
    take() {
      if (head === items.length) return undefined
      const item = items[head++]
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
    clear() {
      const left = items.slice(head)
      items = []
      head = 0
      return left
    },
  }
}
