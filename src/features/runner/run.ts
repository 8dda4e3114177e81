import type { ConductedRun } from '../../engine/conductor/conductedRun.ts'
import { createConductor } from '../../engine/conductor/conductor.ts'
import type { Environment } from '../../engine/conductor/environment.ts'
import { isIdle } from '../../engine/engine.ts'
import type { Payload } from '../../engine/work/kernels.ts'
import { inParts, type JobRecords, type Payloads } from '../../engine/work/payloads.ts'
import type { Ending, Failure, Journal } from '../../pipeline/journal.ts'
import { partKey } from '../../pipeline/state.ts'
import { SINK, topologyOf } from '../../pipeline/topology.ts'
import { MAX_REAL_WORKERS } from '../../scenario/model/limits.ts'
import { isLinear } from '../../scenario/model/linearStages.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { NO_MORE, NOT_YET } from '../../workload/arrivals.ts'
import { movedWith, type Redo } from './protocol.ts'
import type { Settings } from './settings.ts'
import type { Threads } from './threads.ts'
import { type Carried, Keeper, Moved, wordsOf } from './workerThread.ts'

/** Why an input has failed. The cause is what the function threw. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError'
  readonly stage: string
  /** The number of the input, from 0. */
  readonly job: number

  constructor(stage: string, job: number, cause: unknown) {
    super(`Stage "${stage}" failed at input ${job}: ${wordsOf(cause)}`, { cause })
    this.stage = stage
    this.job = job
  }
}

interface Settle {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** An input from the moment it is taken in. In a line of stages it carries its value itself; in a graph its parts do. */
class Inside {
  value: unknown
  moved: readonly Transferable[]
  /** How many stages of the line the value has gone through, and the thread that has kept what later ones made of it. */
  through = 0
  keptBy: Keeper | null = null
  /** The highest number of a try at any stage so far. */
  tries = 1
  error: { readonly stage: number; readonly cause: unknown } | null = null
  /** Gets the result of a pushed input; the results of others are read in turn. */
  readonly settle: Settle | null

  constructor(value: unknown, settle: Settle | null) {
    this.value = value
    this.moved = movedWith(value)
    this.settle = settle
  }
}

type Part = Pick<Inside, 'value' | 'moved'>
const none: readonly Transferable[] = Object.freeze([])
const STUCK = 'The pipeline is stuck: its policy gives no worker to what waits.'
const noStages: readonly number[] = Object.freeze([])
const nothing: Redo = { stages: [], tries: 1 }

/** Takes the next input: at once, later, or null when there is no more. */
export interface InputSource {
  next(): IteratorResult<unknown> | PromiseLike<IteratorResult<unknown>>
  return?(): unknown
}

export interface RunHooks {
  journal(journal: Journal, run: ConductedRun): void
  failure(failure: Failure): void
  /** A function threw: its failure and its row follow. */
  threw(stage: number, job: number, cause: unknown): void
  skipped(error: PipelineError): void
  ended(ending: Ending): void
  /** A thread was set up for a stage. Returns what a change of stage costs, if the scheduler should be told. */
  setUp(stage: number, took: Micros): Micros | null
}

export type PipelineRun = ReturnType<typeof createPipelineRun>

/** One run of a pipeline: takes inputs from a source, or as they are pushed, and hands out results. Nothing starts before `begin`. */
export function createPipelineRun(
  settings: Settings,
  threads: Threads,
  environment: Omit<Environment, 'start' | 'newWorkers'>,
  source: InputSource | null,
  hooks: RunHooks,
) {
  const { scenario, highWaterMark, plans } = settings
  const inside = new Map<number, Inside>()
  /** Pushed inputs that wait outside, inputs that the conductor has not taken, and results that have not been read. */
  const outside = createLine<Inside>()
  const admitted = createLine<Inside>()
  const ready = createLine<unknown>()
  const readers = createLine<{ resolve(result: IteratorResult<unknown>): void; reject(error: unknown): void }>()
  let wake = () => {}
  let count = 0
  let held = 0
  let reading = false
  let sourceEnded = false
  let begun = false
  let drained = false
  let pumping = false
  let over = false
  let failure: { readonly error: unknown } | null = null
  let threadEnd = ''
  let conducted: ConductedRun | null = null
  let finish: () => void
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const parts: JobRecords<Part> | null = isLinear(scenario) ? null : inParts(scenario, (job) => of(job), combined)
  const { bounded, copies, order, next, slots } = topologyOf(scenario)
  const ranges: (readonly number[])[] = []
  const places = order.map((_, stage) => order.indexOf(stage))

  /** Returns the stages of the line from one place to another. */
  function between(from: number, to: number): readonly number[] {
    const key = from * order.length + to
    ranges[key] ??= Array.from(order.subarray(from, to))
    return ranges[key]
  }

  function of(job: number): Inside {
    return inside.get(job) as Inside
  }

  /** Whether threads keep the values of the jobs that they carry through. */
  const keeps = () => (conducted?.core.scenario ?? scenario).policy.kind === 'perJob'

  /** Whether the scheduler will order just what the thread goes on with: nothing is full, nothing goes alone, and the job has a place in the order buffer. */
  function goesOn(job: number): boolean {
    if (bounded || conducted === null) return false
    const { tries, threadEnds, buffer } = conducted.core.state
    return tries.size === 0 && !threadEnds?.size && (buffer === null || job < buffer.tail + slots)
  }

  const payloads: Payloads = {
    at(job, stage) {
      const tries = triesAt(job, stage)
      let carried: Carried
      if (parts === null) {
        const one = of(job)
        const { value, moved, through } = one
        one.tries = Math.max(one.tries, tries)
        const redo =
          through === places[stage] ? nothing : { stages: between(through, places[stage]), tries: one.tries + 1 }
        const keep = keeps() && next[stage] !== SINK
        carried = {
          value,
          moved,
          tries,
          kept: one,
          redo,
          keep,
          through: keep && goesOn(job) ? between(places[stage] + 1, order.length) : noStages,
        }
      } else {
        const { value, moved } = parts.at(job, stage)
        carried = {
          value,
          moved: copies ? none : moved,
          tries,
          kept: null,
          redo: nothing,
          keep: false,
          through: noStages,
        }
      }
      return carried as unknown as Payload
    },
    put(job, stage, payload) {
      const [value, moved] = payload instanceof Moved ? [payload.value, payload.buffers] : [payload, none]
      if (parts !== null) parts.put(job, stage, { value, moved })
      else {
        const one = of(job)
        const { keptBy } = one
        one.keptBy = payload instanceof Keeper ? payload : null
        if (one.keptBy !== null) return
        // The thread keeps the value until its output has arrived.
        keptBy?.forget.push(job)
        one.value = value
        one.moved = moved
        one.through = places[stage] + 1
      }
    },
    release(job) {
      const one = of(job)
      const { value } = parts?.at(job, SINK) ?? one
      forget(job)
      if (one.settle !== null) {
        held--
        one.settle.resolve(value)
      } else {
        const reader = readers.take()
        if (reader === undefined) ready.add(value)
        else {
          held--
          reader.resolve({ value, done: false })
        }
      }
      pump()
    },
    drop(job, stage = 0) {
      const { error, settle, keptBy } = of(job)
      keptBy?.forget.push(job)
      const cause = error?.stage === stage ? error.cause : new Error(`Three threads ended at this input. ${threadEnd}`)
      const problem = new PipelineError(plans[stage].id, job, cause)
      forget(job)
      held--
      settle?.reject(problem)
      if (settings.skips) {
        hooks.skipped(problem)
        pump()
      } else if (settle === null) queueMicrotask(() => fail(problem))
      else pump()
    },
    output: () => Promise.reject(new Error('a pipeline has no output as a whole')),
    atMost: () => 0,
    takeTiles: () => [],
  }

  function forget(job: number): void {
    inside.delete(job)
    parts?.forget(job)
  }

  /** Returns how often a job is tried at a stage with this time. */
  function triesAt(job: number, stage: number): number {
    if (conducted === null) return 1
    const { tries, threadEnds } = conducted.core.state
    const key = partKey(stage, job)
    return tries.size === 0 ? 1 : 1 + (tries.get(key) ?? 0) + (threadEnds?.get(key) ?? 0)
  }

  const conductor = createConductor(
    {
      ...environment,
      start: threads.start.bind(threads),
      // Threads can always be started. The call also makes the conductor look for new inputs.
      newWorkers: {
        free: () => MAX_REAL_WORKERS,
        onNewWorker(call) {
          wake = call
        },
        waited: () => 0,
        patience: 1,
      },
    },
    {
      own: { arrivals: { next: arrive }, payloads, silence: settings.silence, limits: settings.limits },
      loadCode: async () => settings.startCode,
      watch: (run) => (conducted = run),
    },
  )

  function arrive(): number {
    const input = admitted.take()
    if (input === undefined) return sourceEnded && outside.length === 0 ? NO_MORE : NOT_YET
    inside.set(count++, input)
    return 0
  }

  /** Takes inputs in while there is room, soon: not inside an instant of the conductor. */
  function pump(): void {
    if (pumping || over) return
    pumping = true
    queueMicrotask(() => {
      pumping = false
      admit()
    })
  }

  function admit(): void {
    if (over) return
    const before = admitted.length
    const ended = sourceEnded
    while (held < highWaterMark && outside.length > 0) enter(outside.take() as Inside)
    while (source !== null && !over && !reading && !sourceEnded && held < highWaterMark) read(source)
    if (admitted.length > before || ended !== sourceEnded) wake()
  }

  function enter(input: Inside): void {
    held++
    admitted.add(input)
  }

  function read(from: InputSource): void {
    try {
      const next = from.next()
      if ('then' in next) readLater(next)
      else takeIn(next)
    } catch (error) {
      fail(error)
    }
  }

  function readLater(next: PromiseLike<IteratorResult<unknown>>): void {
    reading = true
    next.then((result) => {
      reading = false
      if (over) return
      takeIn(result)
      wake()
      admit()
    }, fail)
  }

  function takeIn({ done, value }: IteratorResult<unknown>): void {
    if (done) sourceEnded = true
    else enter(new Inside(value, null))
  }

  function begin(): void {
    if (begun || over) return
    begun = true
    threads.open()
    threads.listener = {
      threw(stage, job, cause) {
        hooks.threw(stage, job, cause)
        const one = inside.get(job)
        if (one !== undefined) one.error = { stage, cause }
      },
      fatal: (error) => queueMicrotask(() => fail(error)),
      setUp(stage, took) {
        const switchCost = hooks.setUp(stage, took)
        if (switchCost !== null && !over) conductor.change({ switchCost })
      },
    }
    admit()
    play().then(conclude, fail)
  }

  async function play(): Promise<void> {
    if (over) return
    await conductor.start(scenario, {
      journal(journal) {
        if (conducted === null) return
        hooks.journal(journal, conducted)
        if (isStuck(conducted)) queueMicrotask(() => fail(new Error(STUCK)))
      },
      failure(failed) {
        if (failed.kind === 'worker') threadEnd = failed.reason
        hooks.failure(failed)
        if (failed.kind === 'run') queueMicrotask(() => fail(new Error(failed.reason)))
      },
      ended(ending) {
        drained = ending === 'drained'
        hooks.ended(ending)
        if (ending !== 'stuck') return
        fail(new Error(STUCK))
      },
    })
  }

  /** Whether all that is inside waits, no more can come in, and no controller has hired a worker for so long that none will. */
  function isStuck({ core, joining, controllerClock, now }: ConductedRun): boolean {
    const { busy, live } = core.state.counts
    const waits = inside.size === highWaterMark && joining.size === 0 && busy.every((workers) => workers === 0)
    return waits && (controllerClock === null ? live > 0 : isIdle(controllerClock, now))
  }

  function conclude(): void {
    if (over || !drained) return
    if (ready.length === 0) close()
  }

  function close(): void {
    over = true
    for (let reader = readers.take(); reader !== undefined; reader = readers.take())
      reader.resolve({ value: undefined, done: true })
    finish()
  }

  /** Ends the run and all its threads. What is inside is lost. */
  function fail(error: unknown): void {
    if (over) return
    failure = { error }
    end()
    const reader = readers.take()
    if (reader !== undefined) {
      failure = null
      reader.reject(error)
    }
    for (const { settle } of [...inside.values(), ...admitted.clear(), ...outside.clear()]) settle?.reject(error)
    close()
  }

  function end(): void {
    over = true
    ready.clear()
    ending = threads.close()
    if (begun) conductor.stop()
    if (source !== null && !sourceEnded) void Promise.resolve(attempt(() => source.return?.())).catch(() => {})
  }
  let ending: Promise<void> = Promise.resolve()

  return {
    conductor,
    begin,
    fail,
    /** Resolves when the run is over: all results read, or the run ended otherwise. */
    finished,
    /** The conductor's view of the run; null before the first instant. */
    get conducted() {
      return conducted
    },
    get isOver() {
      return over
    },
    get inside() {
      return held
    },
    next(): Promise<IteratorResult<unknown>> {
      begin()
      if (ready.length > 0) {
        const value = ready.take()
        held--
        pump()
        conclude()
        return Promise.resolve({ value, done: false })
      }
      if (failure !== null) {
        const { error } = failure
        failure = null
        return Promise.reject(error)
      }
      if (over) return Promise.resolve({ value: undefined, done: true })
      return new Promise((resolve, reject) => readers.add({ resolve, reject }))
    },
    /** Ends the run and its threads; resolves when they have ended. */
    async stop(): Promise<void> {
      if (!over) {
        end()
        close()
      }
      await ending
    },
    push(value: unknown): Promise<unknown> {
      begin()
      return new Promise((resolve, reject) => {
        outside.add(new Inside(value, { resolve, reject }))
        pump()
      })
    },
    noMore(): void {
      sourceEnded = true
      begin()
      wake()
    },
  }
}

function combined(parts: readonly (readonly [id: string, part: Part])[]): Part {
  if (parts.length === 1) return parts[0][1]
  return { value: Object.fromEntries(parts.map(([id, { value }]) => [id, value])), moved: none }
}

function attempt(call: () => unknown): unknown {
  try {
    return call()
  } catch {
    return undefined
  }
}

interface Line<T> {
  readonly length: number
  add(one: T): void
  take(): T | undefined
  /** Returns all that stands in the line, which is empty then. */
  clear(): readonly T[]
}

/** Returns a line of things, first come, first served, each at a constant cost. */
function createLine<T>(): Line<T> {
  let things: T[] = []
  let head = 0
  return {
    get length() {
      return things.length - head
    },
    add: (one) => things.push(one),
    take() {
      if (head === things.length) return undefined
      const one = things[head++]
      if (head > 1024 && head * 2 > things.length) {
        things = things.slice(head)
        head = 0
      }
      return one
    },
    clear() {
      const left = things.slice(head)
      things = []
      head = 0
      return left
    },
  }
}
