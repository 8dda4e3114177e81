import { wallMicros } from '../../engine/conductor/environment.ts'
import { copyValue, isReference } from './copyValue.ts'
import {
  ALIVE,
  type FromThread,
  isOurs,
  movedWith,
  type Redo,
  type StagePlan,
  type ThreadReply,
  type ThrownHere,
  type ToThread,
} from './protocol.ts'
import { cloneProblem, packThrown } from './thrown.ts'

// biome-ignore lint/suspicious/noExplicitAny: a person declares what a set-up returns: `{ setUp }: StageContext<Rates>`.
export interface StageContext<SetUp = any> {
  /** Aborted when the thread is about to be ended. */
  readonly signal: AbortSignal
  /** The number of the input, from 0. */
  readonly job: number
  /** 1 at the first try. */
  readonly tries: number
  /** What the set-up of the stage returned. */
  readonly setUp: SetUp
}

/** The functions of the stages, by name. Set-ups are called without a value. */
// biome-ignore lint/suspicious/noExplicitAny: a person declares the types of inputs and outputs.
export type StageFunctions = Readonly<Record<string, (value: any, context: StageContext) => unknown>>

/** The end of the channel that a thread has. */
export interface ThreadPort {
  post(message: FromThread, transfer: readonly Transferable[]): void
  /** Calls `unreadable` for a message that cannot be deserialized here. */
  listen(heard: (data: unknown) => void, unreadable: () => void): void
}

type Order = Extract<ToThread, { apportion: 'batch' }>

/** Serves the functions to the pipeline that started this thread. */
export function serveOn(port: ThreadPort, functions: StageFunctions, now: () => number = wallMicros): void {
  let stages: readonly StagePlan[] = []
  let before: Promise<unknown> = Promise.resolve()
  /** The stage that the thread is set up for, and what its set-up returned. */
  let current = -1
  let ready: unknown
  /** By job: the output of its last stage, where the thread goes on with it. */
  const kept = new Map<number, unknown>()
  /** The output of the last call, which stands by reference still. The next call may use its object again, so it is copied before that. */
  let newest: { readonly value: unknown; replace(copy: unknown): void } | null = null
  /** How many orders have come since the last hello, and how many are not begun. */
  let received = 0
  let orders = 0
  const ending = new AbortController()
  const { signal } = ending

  /** Serves a batch. Goes on with it to the stages that the order names, unless another order has come: that one knows better. */
  async function serve({ jobs, through, ...order }: Order): Promise<void> {
    let finished = await serveStage({ jobs, ...order })
    for (const stage of through) {
      if (finished.length === 0 || orders > 0) return
      const { number } = order
      finished = await serveStage({
        number,
        stage,
        jobs: finished,
        tries: null,
        values: null,
        redo: null,
        keep: stage !== through.at(-1),
        forget: [],
      })
    }
  }

  /** Serves a batch at one stage and replies. Returns the jobs that did not throw. */
  async function serveStage({
    number,
    stage,
    jobs,
    tries,
    values,
    redo,
    keep,
    forget,
  }: Omit<Order, 'apportion' | 'through'>): Promise<Int32Array> {
    const { timeout } = stages[stage]
    const reply: ThreadReply & { thrown: ThrownHere[]; setUp?: number } = {
      apportion: 'done',
      number,
      stage,
      began: now(),
      ended: new Float64Array(jobs.length),
      kept: keep,
      values: [],
      moved: [],
      thrown: [],
    }
    const { ended } = reply
    for (const job of forget) kept.delete(job)
    const finished = new Int32Array(jobs.length)
    let began: number | null = null
    let count = 0
    const often = timeout === null ? Infinity : timeout * 1000 * ALIVE
    let heard = reply.began
    for (let k = 0; k < jobs.length; k++) {
      const job = jobs[k]
      const before = redo === null ? nothing : redo[k]
      const has = values === null || before === null
      copyNewest()
      try {
        let value = has ? keptValue(job, stages[stage].tries) : values[k]
        for (const each of before?.stages ?? nothing.stages) {
          const tries = before?.tries ?? 1
          if (current !== each) await setUpFor(each, job, tries)
          value = called(each, value, job, tries)
          if (isPromise(value)) value = await value
          requireValue(each, value)
        }
        if (current !== stage) {
          const from = now()
          await setUpFor(stage, job, tries?.[k] ?? 1)
          if (stages[stage].setUp !== null) reply.setUp = now() - from
          began = null
        }
        began ??= now()
        value = called(stage, value, job, tries?.[k] ?? 1)
        if (isPromise(value)) value = await value
        requireValue(stage, value)
        // Each takes at least a microsecond.
        ended[count] = Math.max((count === 0 ? began : ended[count - 1]) + 1, now())
        finished[count] = job
        const at = count++
        if (keep) kept.set(job, value)
        else reply.values[at] = value
        newest = isReference(value)
          ? {
              value,
              replace(copy) {
                if (keep) kept.set(job, copy)
                else reply.values[at] = copy
              },
            }
          : null
      } catch (error) {
        reply.thrown.push({ job, error: packThrown(error) })
      }
      if (often < Infinity && k + 1 < jobs.length && now() - heard >= often) {
        heard = now()
        port.post({ apportion: 'alive' }, [])
      }
    }
    send({ ...reply, began: began ?? reply.began, ended: ended.subarray(0, count).slice() }, jobs)
    return finished.subarray(0, count)
  }

  async function setUpFor(stage: number, job: number, tries: number): Promise<void> {
    const { setUp } = stages[stage]
    // One that throws is called again for the next input.
    current = -1
    ready = setUp === null ? undefined : await call(setUp, undefined, { signal, job, tries, setUp: undefined })
    current = stage
  }

  function called(stage: number, value: unknown, job: number, tries: number): unknown {
    return call(stages[stage].call, value, { signal, job, tries, setUp: ready })
  }

  function call(name: string, value: unknown, context: StageContext): unknown {
    copyNewest()
    return functions[name](value, context)
  }

  function copyNewest(): void {
    newest?.replace(copyIfPossible(newest.value))
    newest = null
  }

  /** Returns the value that is kept of a job. A function that is tried again must not find what it has changed. */
  function keptValue(job: number, tries: number): unknown {
    return tries > 1 ? copyIfPossible(kept.get(job)) : kept.get(job)
  }

  function requireValue(stage: number, value: unknown): void {
    const { id, last } = stages[stage]
    if (value === undefined && !last)
      throw new TypeError(`The function of stage "${id}" returned undefined; only the last stage may.`)
  }

  function send(reply: ThreadReply, jobs: Int32Array): void {
    if (!reply.kept) newest = null
    const moved = reply.values.flatMap((value, at) =>
      movedWith(value).length > 0 ? [[at, movedWith(value)] as const] : [],
    )
    try {
      port.post(
        { ...reply, moved },
        moved.flatMap(([, buffers]) => buffers),
      )
    } catch {
      port.post(withoutRefused(reply, jobs), [])
    }
  }

  port.listen(hear, () => port.post({ apportion: 'unreadable', nth: received++ }, []))

  function hear(data: unknown): void {
    if (!isOurs<ToThread>(data)) return
    if (data.apportion === 'hello') {
      stages = data.stages
      current = -1
      received = 0
      kept.clear()
      port.post({ apportion: 'ready', names: Object.keys(functions), clock: now() }, [])
    } else if (data.apportion === 'end') ending.abort()
    else {
      received++
      orders++
      before = before.then(() => {
        orders--
        return serve(data)
      })
    }
  }
}

const nothing: Redo = { stages: [], tries: 1 }

/** Returns the value itself if it cannot be copied: then it cannot be sent either, which is said then, or it stays in this thread. */
function copyIfPossible(value: unknown): unknown {
  try {
    return copyValue(value)
  } catch {
    return value
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Returns the reply with what cannot be sent as failed. Nothing is moved then. */
function withoutRefused(reply: ThreadReply, jobs: Int32Array): ThreadReply {
  const kept: ThreadReply & { thrown: ThrownHere[] } = {
    ...reply,
    values: [],
    moved: [],
    thrown: [...reply.thrown],
  }
  const threw = new Set(reply.thrown.map(({ job }) => job))
  const finished = jobs.filter((job) => !threw.has(job))
  const ended: number[] = []
  for (const [k, value] of reply.values.entries()) {
    const error = cloneProblem(value)
    if (error === null) {
      kept.values.push(value)
      ended.push(reply.ended[k])
    } else
      kept.thrown.push({
        job: finished[k],
        error: packThrown(new TypeError(`The result cannot be sent to another thread: ${error}`)),
      })
  }
  return { ...kept, ended: reply.kept ? reply.ended : Float64Array.from(ended) }
}
