import type { BatchAnswer, BatchOrder, BatchPort, BatchRequest } from '../../../engine/conductor/batchPort.ts'
import type { StartThread, ThreadEvents, WorkerThread } from '../../../engine/conductor/environment.ts'
import { kernelOf, type Payload } from '../../../engine/work/kernels.ts'
import { msg } from '../../../language/msg.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type AwayBatch, readReply, type StageReply } from './readReply.ts'
import { payloadOf, type Wire, wireOf } from './wire.ts'

/** What the threads of one run share. */
export interface FrameRun {
  /** The frame: it starts a thread, passes the other end of its port on, and ends it. */
  readonly frame: MessagePort
  /** The code by stage, for stages that have code. */
  readonly codes: readonly (readonly [stage: number, code: string])[]
  readonly seed: number
  readonly now: () => Micros
  /** Starts a thread of our own, for the stages without code; null if all have code. */
  readonly startOwn: StartThread | null
  /** Calls back with what the frame says of a thread. Returns an unsubscribe function. */
  readonly hear: (thread: number, call: (words: string) => void) => () => void
  /** How often a job was given to a thread at a stage so far. */
  readonly tries: Map<number, number>
  readonly stages: number
  number: number
}

/** The channel on which a page hears of threads that were ended during a batch: such a thread may hold its core for seconds. */
export const STUCK_THREADS = 'apportion.stuckThreads'
/** A batch that is out for longer may be in an endless loop. */
const STUCK_AFTER: Micros = 200_000

/**
 * Returns the thread of a worker as the pool sees it: one thread of the frame for the stages that have code, and one of our own for the others. They never
 * work at the same time. What the thread of the frame says is believed only as far as it can be checked (`readReply`): otherwise it is ended.
 */
export function startFrameThread(run: FrameRun, worker: number, events: ThreadEvents): WorkerThread {
  const { frame, now, tries, stages } = run
  const id = run.number++
  const { port1, port2 } = new MessageChannel()
  const asked = new Map<number, AwayBatch & BatchOrder>()
  /** Batches behind another one that another thread serves. */
  const held: BatchRequest[] = []
  let ended = false
  let ready = false
  let greeted: ((hello: boolean) => void) | null = null
  let refused: ((error: Error) => void) | null = null
  let clocked: ((reading: Micros) => void) | null = null
  const port: BatchPort = { postMessage: give, onmessage: null }
  const ownBatches = new Set<number>()
  const own = run.startOwn?.(worker, { ...events, lost: breach }) ?? null
  if (own !== null)
    own.port.onmessage = ({ data }) => {
      ownBatches.delete(data.number)
      answer(
        'reply' in data
          ? {
              number: data.number,
              reply: {
                ...data.reply,
                payloads: data.reply.payloads?.map((each) => wireOf(each) as unknown as Payload) ?? null,
              },
            }
          : data,
      )
    }
  const stopHearing = run.hear(id, (words) => {
    if (ready) events.error(words)
    else breach(`${msg('could not be loaded')}: ${words}`)
  })
  port1.onmessage = ({ data }) => heard(data)
  port1.onmessageerror = () => breach(msg('sent an unreadable message'))
  frame.postMessage({ start: id, codes: run.codes, seed: run.seed }, [port2])

  function end(): void {
    if (ended) return
    ended = true
    if ([...asked.values()].some(({ sent }) => now() - sent > STUCK_AFTER)) tellStuck()
    stopHearing()
    port1.close()
    frame.postMessage({ end: id })
    own?.end()
  }

  function breach(reason: string): void {
    if (ended) return
    end()
    events.lost(reason)
  }

  function heard(data: unknown): void {
    if (ended) return
    const reply = readReply(data, asked, now())
    if (typeof reply === 'string') {
      if (ready) breach(reply)
      else fail(reply)
      return
    }
    if ('left' in reply) fail(`a name of the browser could not be deleted in it: ${reply.left}`)
    else if ('ready' in reply) {
      ready = true
      greeted?.(false)
    } else if ('clock' in reply) clocked?.(reply.clock)
    else done(reply)
  }

  function fail(words: string): void {
    refused?.(new Error(words))
    end()
  }

  function done(reply: StageReply): void {
    const { number, began, ended, values } = reply
    const { stage, jobs } = asked.get(number) as BatchOrder
    asked.delete(number)
    const thrown = reply.thrown.map(({ place, reason }) => ({ job: jobs[place], reason }))
    for (const job of jobs) if (!thrown.some((one) => one.job === job)) tries.delete(keyOf(stage, job))
    answer({
      number,
      reply: {
        ...{ began, ended, threw: null, payloads: values as unknown as Payload[] },
        ...(thrown.length > 0 && { thrown }),
      },
    })
  }

  function answer(data: BatchAnswer): void {
    port.onmessage?.({ data } as MessageEvent<BatchAnswer>)
    for (let next = held.shift(); next !== undefined; next = held.shift()) {
      if (send(next)) continue
      held.unshift(next)
      return
    }
  }

  function give(request: BatchRequest): void {
    if (held.length > 0 || !send(request)) held.push(request)
  }

  /** Sends a batch to the thread that serves its stage. Returns false while the other one is at work. */
  function send({ number, batch }: BatchRequest): boolean {
    if (typeof batch.work !== 'object') {
      if (asked.size > 0) return false
      ownBatches.add(number)
      own?.port.postMessage({
        number,
        batch: {
          ...batch,
          payloads:
            kernelOf(batch.work) === null
              ? null
              : (batch.payloads?.map((each) => payloadOf(each as unknown as Wire)) ?? null),
        },
      })
      return true
    }
    if (ownBatches.size > 0) return false
    const values = (batch.payloads ?? []) as unknown as readonly Wire[]
    const bases: number[] = []
    let length = 0
    for (const { bytes } of values) {
      bases.push(bytes === null ? -1 : length)
      length += bytes?.length ?? 0
    }
    const all = new Uint8Array(length)
    for (const [k, { bytes }] of values.entries()) if (bytes !== null) all.set(bytes, bases[k])
    const counts = batch.jobs.map((job) => {
      const key = keyOf(batch.stage, job)
      const count = (tries.get(key) ?? 0) + 1
      tries.set(key, count)
      return count
    })
    const { stage, jobs } = batch
    const head = {
      ...{ number, stage, jobs, worker: worker + 1, tries: counts, bases, costs: batch.switchCosts },
      failing: jobs.map((job) => (batch.failing.includes(job) ? 1 : 0)),
    }
    asked.set(number, { ...batch, sent: now() })
    const message: unknown[] = [JSON.stringify(head), ...values.map(({ text }) => text)]
    if (length === 0) port1.postMessage(message)
    else port1.postMessage([...message, all.buffer], [all.buffer])
    return true
  }

  const keyOf = (stage: number, job: number) => job * stages + stage

  return {
    async hello() {
      const [hello] = await Promise.all([
        new Promise<boolean>((resolve, reject) => {
          refused = reject
          greeted = resolve
          if (ready) resolve(false)
        }),
        own?.hello(),
      ])
      return hello
    },
    clock: () =>
      new Promise((resolve) => {
        clocked = resolve
        port1.postMessage(['{"clock":true}'])
      }),
    async hangAt(time) {
      port1.postMessage([JSON.stringify({ hang: time })])
      await own?.hangAt(time)
    },
    port,
    onEnd() {},
    end,
  }
}

function tellStuck(): void {
  const channel = new BroadcastChannel(STUCK_THREADS)
  channel.postMessage(true)
  channel.close()
}
