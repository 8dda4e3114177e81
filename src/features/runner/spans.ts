import { eachSeat, type Journal } from '../../pipeline/journal.ts'
import {
  ARRIVED,
  beganAt,
  endedAt,
  FAILED,
  FINISHED,
  GATHERED,
  LOST,
  NONE,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
  THREW,
} from '../../pipeline/rows.ts'
import { partKey } from '../../pipeline/state.ts'
import { topologyOf } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'

/** What is used of a tracer of OpenTelemetry: any that has `startSpan` will do. */
export interface TracerLike {
  startSpan(name: string, options: SpanStart, context?: ContextLike): SpanLike
}

export interface SpanLike {
  end(time: SpanTime): void
  recordException(exception: Error, time: SpanTime): void
  setStatus(status: { code: number; message: string }): unknown
}

/** Seconds since 1970, and nanoseconds. */
export type SpanTime = [seconds: number, nanoseconds: number]

interface SpanStart {
  startTime: SpanTime
  root?: boolean
  attributes: Record<string, string | number>
}

export interface ContextLike {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): ContextLike
  deleteValue(key: symbol): ContextLike
}

/** The key under which OpenTelemetry's API keeps the span of a context. */
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN')
const ERROR = 2

/** A part of a job in the hands of a worker. */
interface Held {
  readonly job: number
  readonly stage: number
  readonly worker: number
  readonly time: Micros
  readonly wait: Micros
  readonly tries: number
}

export type Spans = ReturnType<typeof createSpans>

/**
 * Makes a span of each job, from its arrival until it has left or failed, and in it one of each service, also of those that threw or whose thread
 * ended. Keeps only what belongs to jobs inside.
 */
export function createSpans(scenario: Scenario, tracer: TracerLike) {
  const { stages } = scenario
  const topology = topologyOf(scenario)
  const open = new Map<number, { readonly span: SpanLike; readonly context: ContextLike }>()
  /** By part: since when it waits, where it is held, how often it was begun, and what it threw. */
  const since = new Map<number, Micros>()
  const held = new Map<number, Held>()
  const tries = new Map<number, number>()
  const thrown = new Map<number, unknown>()
  let origin = 0
  let last: Micros = 0

  const at = (time: Micros): SpanTime => {
    const whole = Math.round(origin + time)
    return [Math.floor(whole / 1_000_000), (whole % 1_000_000) * 1000]
  }

  function start(job: number, time: Micros): void {
    const span = tracer.startSpan('apportion job', {
      startTime: at(time),
      root: true,
      attributes: { 'apportion.job': job },
    })
    open.set(job, { span, context: contextOf(new Map([[SPAN, span]])) })
  }

  /** Makes the span of a service. With an error it is one that failed. */
  function service(
    { job, stage, worker, tries: count, wait }: Held,
    began: Micros,
    ended: Micros,
    error?: Error,
  ): void {
    const parent = open.get(job)
    if (parent === undefined) return
    const attributes = {
      'apportion.job': job,
      'apportion.stage': stages[stage].id,
      'apportion.worker': worker,
      'apportion.tries': count,
      'apportion.wait_ms': wait / 1000,
    }
    const span = tracer.startSpan(stages[stage].id, { startTime: at(began), attributes }, parent.context)
    if (error !== undefined) fail(span, error, ended)
    span.end(at(ended))
  }

  function fail(span: SpanLike, error: Error, time: Micros): void {
    span.recordException(error, at(time))
    span.setStatus({ code: ERROR, message: error.message })
  }

  function finish(job: number, time: Micros, error?: Error): void {
    const one = open.get(job)
    open.delete(job)
    if (one === undefined) return
    if (error !== undefined) fail(one.span, error, time)
    one.span.end(at(time))
  }

  /** Those of a worker go back to their queues: after a throw those that threw, and the others of the batch would only wait. */
  function putBack(worker: number, time: Micros, ofThread: boolean): void {
    for (const [key, one] of held) {
      if (one.worker !== worker || !(ofThread || thrown.has(key))) continue
      held.delete(key)
      since.set(key, time)
      service(one, one.time, time, ofThread ? new Error('The thread ended.') : errorOf(thrown.get(key)))
    }
  }

  function row(rows: Rows, i: number): void {
    const time = rowTime(rows, i)
    const [stage, worker, job] = [rows.stage[i], rows.worker[i], rows.job[i]]
    const key = partKey(stage, job)
    last = time
    switch (rows.kind[i]) {
      case ARRIVED:
        start(job, time)
        for (const first of topology.firsts) since.set(partKey(first, job), time)
        break
      case STARTED: {
        const count = (tries.get(key) ?? 0) + 1
        tries.set(key, count)
        held.set(key, { job, stage, worker, time, wait: time - (since.get(key) ?? time), tries: count })
        since.delete(key)
        break
      }
      case FINISHED: {
        const one = held.get(key)
        for (const parts of [held, tries, thrown]) parts.delete(key)
        if (one !== undefined)
          service(
            { ...one, wait: one.wait + Math.max(0, beganAt(rows, i) - one.time) },
            beganAt(rows, i),
            endedAt(rows, i),
          )
        for (const next of topology.queuesAfter[stage]) since.set(partKey(next, job), time)
        break
      }
      case ROUTED:
      case GATHERED:
        if (stage !== NONE) since.set(key, time)
        break
      case THREW:
        putBack(worker, time, false)
        break
      case LOST:
        putBack(worker, time, true)
        break
      case RELEASED:
        finish(job, time)
        break
      case FAILED: {
        finish(job, time, thrown.has(key) ? errorOf(thrown.get(key)) : new Error('Threads ended at this input.'))
        for (let s = 0; s < stages.length; s++)
          for (const parts of [since, held, tries, thrown]) parts.delete(partKey(s, job))
      }
    }
  }

  return {
    /** `epoch`: when time 0 of the run was, in microseconds since 1970. */
    take(rows: Rows, epoch: Micros): void {
      origin = epoch
      for (let i = 0; i < rows.length; i++) row(rows, i)
    },
    /** A function threw: its row follows. */
    threw(stage: number, job: number, cause: unknown): void {
      thrown.set(partKey(stage, job), cause)
    },
    /** The run is over: what is inside gets no further. */
    end(): void {
      for (const job of [...open.keys()]) finish(job, last, new Error('The run ended before the input was through.'))
    },
  }
}

function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

/** Returns a context as the API of OpenTelemetry has it: it never changes. */
function contextOf(values: ReadonlyMap<symbol, unknown>): ContextLike {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
    deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
  }
}

export interface Watch {
  take(journal: Journal): void
}

/** Publishes decisions and services on the diagnostics channels of Node, while they have subscribers. Elsewhere it does nothing. */
export function createWatch({ stages }: Scenario): Watch {
  const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  if (channels === undefined) return { take() {} }
  const decisions = channels.channel('apportion:decision')
  const jobs = channels.channel('apportion:job')
  return {
    take({ rows, decisions: taken }) {
      if (decisions.hasSubscribers)
        for (let d = 0; d < taken.length; d++) {
          const seats: Record<string, number> = {}
          eachSeat(taken, d, (stage, count) => {
            seats[stages[stage].id] = count
          })
          decisions.publish({ time: rowTime(rows, Math.min(taken.row[d], rows.length - 1)), changed: seats })
        }
      if (!jobs.hasSubscribers) return
      for (let i = 0; i < rows.length; i++)
        if (rows.kind[i] === FINISHED)
          jobs.publish({
            job: rows.job[i],
            stage: stages[rows.stage[i]].id,
            worker: rows.worker[i],
            began: beganAt(rows, i),
            ended: endedAt(rows, i),
          })
    },
  }
}
