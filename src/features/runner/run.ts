import type { ConductedRun } from '../../engine/conductor/conductedRun.ts'
import { createConductor } from '../../engine/conductor/conductor.ts'
import type { Environment } from '../../engine/conductor/environment.ts'
import { isIdle } from '../../engine/engine.ts'
import type { Payloads } from '../../engine/work/payloads.ts'
import type { Ending, Failure, Journal } from '../../pipeline/journal.ts'
import { MAX_REAL_WORKERS } from '../../scenario/model/limits.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { NO_MORE, NOT_YET } from '../../workload/arrivals.ts'
import { createIntake, Input, type InputSource } from './intake.ts'
import { createResults } from './results.ts'
import type { Settings } from './settings.ts'
import type { Threads } from './threads.ts'
import { wordsOf } from './thrown.ts'
import { createValues } from './values.ts'

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

const STUCK = 'The pipeline is stuck: its policy gives no worker to what waits.'

export interface RunHooks {
  journal(journal: Journal, run: ConductedRun): void
  failure(failure: Failure): void
  /** The thread of a worker has ended: why, in a sentence. */
  threadEnd(worker: number, reason: string): void
  /** A function threw: its failure and its row follow. */
  threw(stage: number, job: number, cause: unknown): void
  skipped(error: PipelineError): void
  ended(ending: Ending): void
  /** A thread was set up for a stage. Returns what a change of stage costs, if the scheduler should be told. */
  setUp(stage: number, took: Micros): Micros | null
}

/** What a run needs from outside. `hold` keeps the process alive until the returned function is called. */
export interface RunEnvironment extends Omit<Environment, 'start' | 'newWorkers'> {
  hold(): () => void
}

export type PipelineRun = ReturnType<typeof createPipelineRun>

/** One run of a pipeline: takes inputs from a source, or as they are pushed, and hands out results. Nothing starts before `begin`. */
export function createPipelineRun(
  settings: Settings,
  threads: Threads,
  environment: RunEnvironment,
  source: InputSource | null,
  hooks: RunHooks,
) {
  const { scenario, highWaterMark, plans } = settings
  /** The inputs that the conductor has taken, by job: in the order of the inputs. */
  const inside = new Map<number, Input>()
  const intake = createIntake(source, highWaterMark, {
    changed() {
      waitsForReader = false
      holdProcess()
      wake()
    },
    failed: fail,
  })
  const results = createResults(intake.leave)
  const values = createValues(scenario, of, () => conducted)
  let wake = () => {}
  let count = 0
  let begun = false
  let drained = false
  let over = false
  /** Whether nothing can go on until a result is read. */
  let waitsForReader = false
  /** The first input that has failed for good, where that ends the run: what was before it comes out first. */
  let stopping: PipelineError | null = null
  let conducted: ConductedRun | null = null
  let release: (() => void) | null = null
  let finish: () => void
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let ending: Promise<void> = Promise.resolve()

  function of(job: number): Input {
    return inside.get(job) as Input
  }

  const payloads: Payloads = {
    at: values.at,
    put: values.put,
    release(job) {
      const { settle } = of(job)
      const value = values.result(job)
      forget(job)
      if (settle !== null) {
        intake.leave()
        settle.resolve(value)
      } else if (!isBehindFailure(job)) results.add(value)
      stopIfDue()
    },
    drop(job, stage = 0) {
      const problem = problemOf(job, stage)
      const { settle } = of(job)
      forget(job)
      intake.leave()
      settle?.reject(problem)
      if (settings.skips) hooks.skipped(problem)
      else if (settle === null && !isBehindFailure(job)) stopAt(problem)
      stopIfDue()
    },
    output: () => Promise.reject(new Error('a pipeline has no output as a whole')),
    atMost: () => 0,
    takeTiles: () => [],
  }

  function problemOf(job: number, stage: number): PipelineError {
    const { error, threadEnd } = of(job)
    const { id, threads } = plans[stage]
    const words = `${threads === 1 ? 'its thread' : `the last of its ${threads} threads`} ${threadEnd}`
    return new PipelineError(id, job, error?.stage === stage ? error.cause : new Error(words))
  }

  function forget(job: number): void {
    values.forget(job)
    inside.delete(job)
    holdProcess()
  }

  function isBehindFailure(job: number): boolean {
    return stopping !== null && settings.ordered && job > stopping.job
  }

  /** Takes nothing more in, since an input has failed for good. */
  function stopAt(problem: PipelineError): void {
    stopping = problem
    for (const { settle } of intake.close()) settle?.reject(problem)
  }

  /** Ends the run at an input that has failed, as soon as the results of all inputs before it are there. */
  function stopIfDue(): void {
    if (stopping === null) return
    const [first = Infinity] = inside.keys()
    if (settings.ordered && first < stopping.job) return
    const error = stopping
    queueMicrotask(() => end({ error }))
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
      own: {
        arrivals: { next: arrive },
        payloads,
        silence: settings.silence,
        limits: settings.limits,
        threadEnds: plans.map(({ threads }) => threads),
      },
      loadCode: async () => settings.startCode,
      watch: (run) => (conducted = run),
    },
  )

  function arrive(): number {
    const input = intake.take()
    if (input === undefined) return intake.isEnded ? NO_MORE : NOT_YET
    inside.set(count++, input)
    return 0
  }

  /** Keeps the process alive while work is under way: not while inputs are awaited, or unread results. */
  function holdProcess(): void {
    const isUnderWay =
      begun && !over && !drained && !waitsForReader && (inside.size + intake.waiting > 0 || intake.isEnded)
    if (isUnderWay) release ??= environment.hold()
    else {
      release?.()
      release = null
    }
  }

  function begin(): void {
    if (begun || over) return
    begun = true
    threads.open()
    threads.listener = {
      threw(stage, job, cause) {
        hooks.threw(stage, job, cause)
        const input = inside.get(job)
        if (input !== undefined) input.error = { stage, cause }
      },
      threadEnded(jobs, words) {
        for (const job of jobs) {
          const input = inside.get(job)
          if (input !== undefined) input.threadEnd = words
        }
      },
      fatal: (error) => queueMicrotask(() => fail(error)),
      setUp(stage, took) {
        const switchCost = hooks.setUp(stage, took)
        if (switchCost !== null && !over) conductor.change({ switchCost })
      },
    }
    intake.admit()
    holdProcess()
    play().then(conclude, fail)
  }

  async function play(): Promise<void> {
    if (over) return
    await conductor.start(scenario, {
      journal(journal) {
        if (conducted === null) return
        hooks.journal(journal, conducted)
        waitsForReader = isWaiting(conducted)
        if (waitsForReader && results.unread === 0) queueMicrotask(() => fail(new Error(STUCK)))
        holdProcess()
      },
      failure(failed) {
        hooks.failure(failed)
        const { kind, worker } = failed
        if (kind === 'worker' && worker !== undefined) hooks.threadEnd(worker, threads.noteEnd(worker))
        if (failed.kind === 'run') queueMicrotask(() => fail(new Error(failed.reason)))
      },
      ended(ending) {
        drained = ending === 'drained'
        hooks.ended(ending)
        if (ending === 'stuck') fail(new Error(STUCK))
      },
    })
  }

  /** Whether no input is at work, none can come in, and no controller has hired a worker for so long that none will. */
  function isWaiting({ core, joining, controllerClock, now }: ConductedRun): boolean {
    const { busy, live } = core.state.counts
    const isFull = intake.held === highWaterMark && intake.waiting === 0
    const isIdleNow = isFull && joining.size === 0 && busy.every((workers) => workers === 0)
    return isIdleNow && (controllerClock === null ? live > 0 : isIdle(controllerClock, now))
  }

  function conclude(): void {
    holdProcess()
    if (over || !drained || stopping !== null || results.unread > 0) return
    over = true
    results.end()
    finish()
  }

  /** Ends the run and all its threads at once. What is inside is lost, and so are results that have not been read. */
  function fail(error: unknown): void {
    results.clear()
    end({ error })
  }

  /** Ends the run and all its threads. Results that are there can still be read. */
  function end(failure?: { readonly error: unknown }): void {
    if (over) return
    over = true
    ending = threads.close()
    if (begun) conductor.stop()
    const left = intake.close()
    results.end(failure)
    for (const { settle } of [...inside.values(), ...left])
      settle?.reject(
        failure === undefined ? new Error('The run was ended before this input was finished.') : failure.error,
      )
    holdProcess()
    finish()
  }

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
      return intake.held
    },
    next(): Promise<IteratorResult<unknown>> {
      begin()
      const next = results.next()
      conclude()
      return next
    },
    /** Ends the run and its threads; resolves when they have ended. */
    async stop(): Promise<void> {
      results.clear()
      end()
      await ending
    },
    push(value: unknown): Promise<unknown> {
      begin()
      if (intake.isEnded)
        return Promise.reject(new Error('The inputs of the open run have ended: push when its results have been read.'))
      return new Promise((resolve, reject) => intake.push(new Input(value, { resolve, reject })))
    },
    noMore(): void {
      begin()
      intake.end()
    },
  }
}
