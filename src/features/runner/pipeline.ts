import { wallMicros } from '../../engine/conductor/environment.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import { MAX_REAL_WORKERS } from '../../scenario/model/limits.ts'
import { hasMethod } from '../../scenario/model/optionChecks.ts'
import { foundText } from '../../scenario/model/words.ts'
import type { InputSource } from './intake.ts'
import { checkOptions, checkRunOptions, MAX_TIMER, pipelineChecks } from './options.ts'
import type { PolicyChoice } from './policyChoice.ts'
import { createRecord, type RunRecord } from './record.ts'
import { createPipelineRun, type PipelineError, type PipelineRun, type RunEnvironment, type RunHooks } from './run.ts'
import {
  createSetUps,
  nextBatch,
  nextPolicy,
  type PipelineOptions,
  type RunOptions,
  type Settings,
  type SetUps,
  settingsOf,
} from './settings.ts'
import { createSpans, createWatch, type TracerLike, type Watch } from './spans.ts'
import { createRunStats, type PipelineFigures, type RunStats } from './stats.ts'
import { createThreads, type Threads } from './threads.ts'

/** A text is an iterable too, but no list of inputs. */
export type Inputs<I> = object & (Iterable<I> | AsyncIterable<I> | ReadableStream<I>)

/** The results of a run. Leaving the loop ends the run and its threads. */
export interface Results<O> extends AsyncIterableIterator<O, undefined> {
  return(): Promise<IteratorResult<O, undefined>>
  [Symbol.asyncDispose](): Promise<void>
}

/** What each event of a pipeline has as its `detail`. */
export interface PipelineEvents {
  /** An input has failed and is left out. */
  readonly skip: PipelineError
  readonly threadEnd: { readonly worker: number; readonly reason: string }
  /** The record takes no more rows. */
  readonly recordFull: null
}

/** A CustomEvent. The types of Node alone have none. */
export type PipelineEvent<Detail> = typeof globalThis extends { CustomEvent: unknown }
  ? CustomEvent<Detail>
  : Event & { readonly detail: Detail }

/** Adds or removes a listener of an event of a pipeline. */
type Listening = <K extends keyof PipelineEvents>(
  type: K,
  listener:
    | ((event: PipelineEvent<PipelineEvents[K]>) => void)
    | { handleEvent(event: PipelineEvent<PipelineEvents[K]>): void }
    | null,
  options?: Parameters<EventTarget['addEventListener']>[2],
) => void

/** An EventTarget with the events of `PipelineEvents`. */
export class Pipeline<I = unknown, O = unknown> extends EventTarget {
  declare addEventListener: Listening
  declare removeEventListener: Listening
  private readonly settings: Settings
  private readonly threads: Threads
  private readonly environment: RunEnvironment
  private readonly watch: Watch
  private readonly setUps: SetUps
  private readonly recording: NonNullable<PipelineOptions['record']>
  private readonly tracer: TracerLike | null
  /** The run that is open, or the last one. */
  private latest: PipelineRun | null = null
  private stats_: RunStats
  private record: RunRecord | null = null
  /** Why nothing can be pushed any more; null while it can. */
  private refusal: string | null = null

  constructor(options: PipelineOptions, environment: RunEnvironment = realTime()) {
    super()
    checkOptions('', options)
    this.settings = settingsOf(options, Math.min(MAX_REAL_WORKERS, Math.max(1, environment.cores)))
    this.threads = createThreads(options.worker, this.settings.plans, options.idle ?? 1000, environment)
    this.environment = environment
    this.stats_ = createRunStats(this.settings.scenario)
    this.watch = createWatch(this.settings.scenario)
    this.setUps = createSetUps(this.settings.plans)
    this.recording = options.record ?? false
    this.tracer = options.tracer ?? null
  }

  /** Runs the stages over all inputs and returns the results. Work starts at the first pull. */
  run(inputs: Inputs<I>, options: RunOptions = {}): Results<O> {
    checkRunOptions('', options)
    const run = this.open(sourceOf(inputs), options.signal)
    const results: Results<O> = {
      next: () => run.next() as Promise<IteratorResult<O, undefined>>,
      async return() {
        await run.stop()
        return { value: undefined, done: true }
      },
      async throw(error) {
        await run.stop()
        throw error
      },
      [Symbol.asyncIterator]: () => results,
      [Symbol.asyncDispose]: () => run.stop(),
    }
    return results
  }

  /** Takes one input and resolves with its result. While the pipeline is full, the input waits outside. */
  async push(input: I): Promise<O> {
    if (this.refusal !== null) throw new Error(this.refusal)
    return (this.openRun ?? this.open(null)).push(input) as Promise<O>
  }

  /** No more inputs are pushed. Resolves when all have been settled. */
  async end(): Promise<void> {
    this.refusal ??= 'Nothing can be pushed after end(): create another pipeline.'
    const run = this.openRun
    run?.noMore()
    await run?.finished
  }

  /** Returns a pair for `pipeThrough`. */
  stream(options: RunOptions = {}): { readonly readable: ReadableStream<O>; readonly writable: WritableStream<I> } {
    const { readable: inputs, writable } = new TransformStream<I, I>(
      undefined,
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    )
    const results = this.run(inputs, options)
    const readable = new ReadableStream<O>(
      {
        async pull(controller) {
          const { value, done } = await results.next()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        async cancel() {
          await results.return()
        },
      },
      { highWaterMark: 0 },
    )
    return { readable, writable }
  }

  setPolicy(policy: PolicyChoice): void {
    pipelineChecks.policy('policy', policy)
    this.change({ policy: nextPolicy(policy, this.settings) })
  }

  setBatch(batch: NonNullable<PipelineOptions['batch']>): void {
    pipelineChecks.batch('batch', batch)
    this.change({ batch: nextBatch(batch, this.settings) })
  }

  /** Changes how many workers there are. Those that leave finish their batch. */
  setWorkers(workers: number): void {
    pipelineChecks.workers('workers', workers)
    const { policy } = this.settings.scenario
    if (isElastic(policy)) throw new TypeError(`The policy "${policy.kind}" hires and dismisses its workers itself.`)
    this.openRun?.conductor.employ(workers)
  }

  stats(): PipelineFigures {
    return this.stats_.of(this.latest?.conducted ?? null, this.latest?.inside ?? 0, this.threads.count)
  }

  /** Returns the record of the run so far, or of the last run, as a file that the page and `apportion headless` open. */
  async trace(): Promise<Blob> {
    if (this.record === null)
      throw new Error(
        this.recording !== false ? 'No run has begun yet.' : 'This pipeline records nothing. Set `record: true`.',
      )
    return this.record.blob()
  }

  /** Ends the run, if one is open, and all threads. */
  async close(): Promise<void> {
    this.refusal = 'Nothing can be pushed after close(): create another pipeline.'
    await this.latest?.stop()
    await this.threads.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private get openRun(): PipelineRun | null {
    return this.latest?.isOver === false ? this.latest : null
  }

  private change(values: Parameters<PipelineRun['conductor']['change']>[0]): void {
    if (this.openRun === null) throw new Error('No run is open: settings change in mid-run only.')
    this.openRun.conductor.change(values)
  }

  private open(source: InputSource | null, signal?: AbortSignal): PipelineRun {
    if (this.openRun !== null)
      throw new Error('A run is open already. Read it to its end, or leave its loop, before the next one.')
    const scenario = { ...this.settings.scenario, switchCost: this.setUps.begin() }
    this.stats_ = createRunStats(scenario)
    const rows = typeof this.recording === 'object' ? this.recording.rows : null
    this.record = this.recording === false ? null : createRecord(scenario, rows, () => this.tell('recordFull', null))
    const { record, stats_, watch } = this
    const spans = this.tracer === null ? null : createSpans(scenario, this.tracer)
    const hooks: RunHooks = {
      journal(journal, conducted) {
        stats_.take(journal.rows, conducted)
        watch.take(journal)
        record?.take(journal, conducted)
        spans?.take(journal.rows, conducted.origin)
      },
      threw: (stage, job, cause) => spans?.threw(stage, job, cause),
      failure: (failure) => record?.failure(failure),
      threadEnd: (worker, reason) => this.tell('threadEnd', { worker, reason }),
      skipped: (error: PipelineError) => this.tell('skip', error),
      ended(ending) {
        record?.ended(ending)
        spans?.end()
      },
      setUp: (stage, took) => {
        stats_.setUp(took)
        return this.setUps.take(stage, took)
      },
    }
    const run = createPipelineRun({ ...this.settings, scenario }, this.threads, this.environment, source, hooks)
    if (signal !== undefined) {
      const abort = () => run.fail(signal.reason)
      if (signal.aborted) abort()
      else {
        signal.addEventListener('abort', abort, { once: true })
        void run.finished.then(() => signal.removeEventListener('abort', abort))
      }
    }
    this.latest = run
    return run
  }

  private tell<K extends keyof PipelineEvents>(type: K, detail: PipelineEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

/** Throws TypeError unless these are inputs. A text is an iterable too, but always a slip. */
function sourceOf(inputs: unknown): InputSource {
  if (typeof inputs === 'object') {
    if (hasMethod(inputs, Symbol.asyncIterator)) return inputs[Symbol.asyncIterator]() as InputSource
    if (hasMethod(inputs, Symbol.iterator)) return inputs[Symbol.iterator]() as InputSource
    if (hasMethod(inputs, 'getReader')) {
      const reader = (inputs as unknown as ReadableStream<unknown>).getReader()
      return { next: () => reader.read() as Promise<IteratorResult<unknown>>, return: () => reader.cancel() }
    }
  }
  const allowed = 'an iterable such as a list, an async iterable or a ReadableStream'
  throw new TypeError(`inputs: ${foundText(inputs, allowed)}${slipIn(inputs)}.`)
}

function slipIn(inputs: unknown): string {
  if (typeof inputs === 'string') return '; one text is the list [text]'
  if (typeof inputs === 'function') return '; call the function first'
  return hasMethod(inputs, 'then') ? '; await the promise first' : ''
}

/** Returns the clock and the timers of this thread, which do not keep its process alive. A tick comes after the messages that are there already: they count as signs of life. */
function realTime(): RunEnvironment {
  const soon: (call: () => void) => void =
    typeof setImmediate === 'function' ? setImmediate : (call) => setTimeout(call, 0)
  return {
    now: wallMicros,
    after(milliseconds, call) {
      const timer = quiet(setTimeout(call, milliseconds))
      return () => clearTimeout(timer)
    },
    every(milliseconds, call) {
      const timer = quiet(setInterval(() => soon(call), milliseconds))
      return () => clearInterval(timer)
    },
    hold() {
      const timer = setInterval(() => {}, MAX_TIMER)
      return () => clearInterval(timer)
    },
    cores: globalThis.navigator?.hardwareConcurrency ?? nodeCores(),
  }
}

/** Only Node has timers that do not keep a process alive. */
function quiet<T>(timer: T): T {
  ;(timer as { unref?(): void }).unref?.()
  return timer
}

function nodeCores(): number {
  const os = globalThis.process?.getBuiltinModule?.('node:os')
  return os?.availableParallelism() ?? 4
}
