import { wallMicros } from '../../engine/conductor/environment.ts'
import { ALIVE, type FromThread, isOurs, movedWith, type StagePlan, type ThreadReply, type ThrownHere, type ToThread } from './protocol.ts'

export interface StageContext {
  /** Aborted when the thread is about to be ended. */
  readonly signal: AbortSignal
  /** The number of the input, from 0. */
  readonly job: number
  /** 1 at the first try. */
  readonly tries: number
  /** What the set-up of the stage returned. */
  readonly setUp: unknown
}

/** The functions of the stages, by name. Set-ups are called without a value. */
// biome-ignore lint/suspicious/noExplicitAny: a person declares the types of inputs and outputs.
export type StageFunctions = Readonly<Record<string, (value: any, context: StageContext) => unknown>>

/** The end of the channel that a thread has. */
export interface ThreadPort {
  post(message: FromThread, transfer: readonly Transferable[]): void
  listen(heard: (data: unknown) => void): void
}

/** Serves the functions to the pipeline that started this thread. */
export function serveOn(port: ThreadPort, functions: StageFunctions, now: () => number = wallMicros): void {
  let stages: readonly StagePlan[] = []
  let before: Promise<unknown> = Promise.resolve()
  /** The stage that the thread is set up for, and what its set-up returned. */
  let current = -1
  let ready: unknown
  const ending = new AbortController()
  const { signal } = ending

  async function serve({ number, stage, jobs, tries, values }: Extract<ToThread, { apportion: 'batch' }>): Promise<void> {
    const { id, call, setUp, timeout, last } = stages[stage]
    const reply: ThreadReply & { thrown: ThrownHere[]; setUp?: number } = {
      apportion: 'done',
      number,
      began: now(),
      ended: new Float64Array(jobs.length),
      values: [],
      moved: [],
      thrown: [],
    }
    const { ended } = reply
    let began: number | null = null
    const often = timeout === null ? Infinity : timeout * 1000 * ALIVE
    let heard = reply.began
    for (let k = 0; k < jobs.length; k++) {
      try {
        if (current !== stage) {
          const from = now()
          // One that throws is called again for the next input.
          current = -1
          ready = setUp === null ? undefined : await functions[setUp](undefined, { signal, job: jobs[k], tries: tries?.[k] ?? 1, setUp: undefined })
          if (setUp !== null) reply.setUp = now() - from
          current = stage
          began = null
        }
        began ??= now()
        let value = functions[call](values[k], { signal, job: jobs[k], tries: tries?.[k] ?? 1, setUp: ready })
        if (isPromise(value)) value = await value
        if (value === undefined && !last) throw new TypeError(`The function of stage "${id}" returned undefined; only the last stage may.`)
        // Each takes at least a microsecond.
        const { length } = reply.values
        ended[length] = Math.max((length === 0 ? began : ended[length - 1]) + 1, now())
        reply.values.push(value)
      } catch (error) {
        reply.thrown.push({ job: jobs[k], error })
      }
      if (often < Infinity && k + 1 < jobs.length && now() - heard >= often) {
        heard = now()
        port.post({ apportion: 'alive' }, [])
      }
    }
    send({ ...reply, began: began ?? reply.began, ended: ended.subarray(0, reply.values.length).slice() }, jobs)
  }

  function send(reply: ThreadReply, jobs: Int32Array): void {
    const moved = reply.values.flatMap((value, at) => (movedWith(value).length > 0 ? [[at, movedWith(value)] as const] : []))
    try {
      port.post(
        { ...reply, moved },
        moved.flatMap(([, buffers]) => buffers),
      )
    } catch {
      port.post(withoutRefused(reply, jobs, cloneProblem), [])
    }
  }

  port.listen((data) => {
    if (!isOurs<ToThread>(data)) return
    if (data.apportion === 'hello') {
      stages = data.stages
      current = -1
      port.post({ apportion: 'ready', names: Object.keys(functions), clock: now() }, [])
    } else if (data.apportion === 'end') ending.abort()
    else before = before.then(() => serve(data))
  })
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Returns the reply with what cannot be sent as failed: `problemOf` says why. Nothing is moved then. */
export function withoutRefused(reply: ThreadReply, jobs: Int32Array, problemOf: (value: unknown) => string | null): ThreadReply {
  const kept: ThreadReply & { thrown: ThrownHere[] } = {
    ...reply,
    values: [],
    moved: [],
    thrown: reply.thrown.map(({ job, error }) => ({ job, error: problemOf(error) === null ? error : new Error(wordsIn(error)) })),
  }
  const threw = new Set(reply.thrown.map(({ job }) => job))
  const finished = jobs.filter((job) => !threw.has(job))
  const ended: number[] = []
  for (const [k, value] of reply.values.entries()) {
    const error = problemOf(value)
    if (error === null) {
      kept.values.push(value)
      ended.push(reply.ended[k])
    } else kept.thrown.push({ job: finished[k], error: new TypeError(`The result cannot be sent to another thread: ${error}`) })
  }
  return { ...kept, ended: Float64Array.from(ended) }
}

/** Returns why a value cannot be sent to another thread, or null. */
export function cloneProblem(value: unknown): string | null {
  try {
    structuredClone(value)
    return null
  } catch (error) {
    return wordsIn(error)
  }
}

function wordsIn(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
