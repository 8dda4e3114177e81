import type { BatchAnswer, BatchPort, BatchRequest } from '../../engine/conductor/batchPort.ts'
import type { ThreadEvents, WorkerThread } from '../../engine/conductor/environment.ts'
import type { Payload } from '../../engine/work/kernels.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { FromThread, Redo, StagePlan, ThreadReply, ToThread } from './protocol.ts'
import { cloneProblem, unpackThrown, wordsOf } from './thrown.ts'

/** A Worker of Node or of a browser. */
export interface WorkerLike {
  // biome-ignore lint/suspicious/noExplicitAny: what can be transferred differs between Node and browsers.
  postMessage(message: unknown, transfer?: any): void
  terminate(): unknown
  // biome-ignore lint/suspicious/noExplicitAny: each event has a type of its own.
  on?(event: any, call: (value: any) => void): unknown
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  addEventListener?(event: any, call: (event: any) => void): void
  unref?(): void
}

/** What a job carries to a thread. */
export interface Carried {
  readonly value: unknown
  readonly moved: readonly Transferable[]
  readonly tries: number
  /** Where the thread stands that has kept the value for this stage; then `value` is what the earlier stages in `redo` make it from. */
  readonly kept: ValuePlace | null
  readonly redo: Redo
  /** Whether the thread that serves the job here goes on with it, and the stages to which it may go on before it is ordered to. */
  readonly keep: boolean
  readonly through: readonly number[]
}

export interface ValuePlace {
  keptBy: Keeper | null
}

/** Stands for the values of a batch that a thread has kept. */
export class Keeper {
  /** Jobs whose values the thread need not keep any more: one list for each thread, which tells threads apart. */
  readonly forget: number[]
  /** Whether the thread has gone on with the values, or may have. */
  stale = false

  constructor(forget: number[]) {
    this.forget = forget
  }
}

/** A result whose buffers were moved here, and are moved on. */
export class Moved {
  readonly value: unknown
  readonly buffers: readonly Transferable[]

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value
    this.buffers = buffers
  }
}

/** Stands for an input that cannot be sent to a thread. */
export class Unsendable {
  readonly problem: string

  constructor(problem: string) {
    this.problem = problem
  }
}

export interface ThreadFailures {
  /** An input threw at a stage, or what it carries cannot be sent. */
  threw(stage: number, job: number, error: unknown): void
  /** A thread has ended while it had these jobs: `words` go on from "the thread". */
  threadEnded(jobs: readonly number[], words: string): void
  /** The run cannot go on: threads cannot start, or lack a function. */
  fatal(error: Error): void
  /** A thread was set up for a stage, which took this long. */
  setUp(stage: number, took: Micros): void
}

/** Why a thread that has started, and has not said so, was given up. */
export const SILENT = 'does not answer'
const UNREADABLE = 'the thread could not read it'

/** How many turns of microtasks the scheduler has to order what a thread went on with before it ended, and to read its last reply. */
const TURNS = 1000
const REPLY_TURNS = 20

export interface Thread {
  readonly worker: WorkerLike
  heard: ((message: FromThread) => void) | null
  broke: ((words: string, cause?: unknown) => void) | null
  ended: boolean
  served: boolean
  /** Why it has ended, in words that go on from "the thread", and what it threw. */
  words: string
  cause: unknown
  /** While it waits for another run: lets its time to end pass. */
  stay: () => void
}

/** A batch for which a reply is awaited, and the jobs of it that could not be sent. */
interface Away {
  readonly number: number
  readonly stage: number
  readonly jobs: readonly number[]
  /** Which order of this thread it was, from 0; -1: it was not sent. */
  nth: number
  readonly refused: Map<number, string>
  send(): void
  /** Refuses the inputs that cannot be cloned, or all of them. */
  refuse(all: boolean): void
  /** Stands for the outputs, if the thread keeps them. */
  readonly keeper: Keeper
}

/** Returns a batch that the thread has already, so that it need not be sent. */
function newAway(number: number, stage: number, jobs: readonly number[], keeper: Keeper): Away {
  return { number, stage, jobs, keeper, nth: -1, refused: new Map(), send() {}, refuse() {} }
}

/** What a thread goes on with by itself, under the number of its order: the stages from the next reply on, and the batch that the scheduler has ordered there. */
interface Chain extends Pick<Away, 'number' | 'jobs' | 'keeper'> {
  readonly stages: readonly number[]
  asked: Away | null
  /** Replies that came before the scheduler had ordered their stages. */
  readonly early: ThreadReply[]
}

const emptyReply: Omit<ThreadReply, 'number' | 'stage'> = {
  apportion: 'done',
  began: 0,
  ended: new Float64Array(0),
  kept: false,
  values: [],
  moved: [],
  thrown: [],
}

function isEqual(jobs: readonly number[], others: readonly number[]): boolean {
  return jobs.length === others.length && jobs.every((job, k) => job === others[k])
}

/** The thread of one worker, as the conductor's pool sees it. `end` is told whether a batch is still away. */
export function workerThread(
  thread: Thread,
  plans: readonly StagePlan[],
  events: ThreadEvents,
  listener: ThreadFailures | null,
  end: (outstanding: boolean) => void,
): WorkerThread {
  /** By number of the batches that are away. */
  const away = new Map<number, Away>()
  /** The batch with which the thread goes on by itself. */
  let chain: Chain | null = null
  /** Whether the thread may still be at a batch for which no reply is awaited. */
  let strays = false
  /** Batches that wait while the thread goes on by itself with an ordered one: any order would stop the thread before that. */
  const held: BatchRequest[] = []
  let greeted: ((ready: Extract<FromThread, { apportion: 'ready' }>) => void) | null = null
  const forget: number[] = []
  let orders = 0
  const port: BatchPort = { postMessage: give, onmessage: null }
  const { worker } = thread
  const post = (message: ToThread, moved: readonly Transferable[]) => worker.postMessage(message, moved as never[])

  function give(request: BatchRequest): void {
    if (isGoingOn()) held.push(request)
    else send(request)
  }

  /** Whether the thread goes on by itself with a batch that the scheduler has ordered. */
  function isGoingOn(): boolean {
    return chain !== null && chain.asked !== null && chain.asked.number !== chain.number
  }

  function send({ number, batch }: BatchRequest): void {
    const { stage, jobs } = batch
    const carried = batch.payloads as unknown as readonly Carried[]
    const isKept = (k: number) => {
      const keptBy = carried[k].kept?.keptBy
      return keptBy?.forget === forget && !keptBy.stale
    }
    const areAllKept = () => jobs.every((_, k) => isKept(k))
    if (
      chain !== null &&
      chain.asked === null &&
      chain.stages[0] === stage &&
      isEqual(chain.jobs, jobs) &&
      areAllKept()
    ) {
      const asked = newAway(number, stage, jobs, chain.keeper)
      chain.asked = asked
      away.set(number, asked)
      const { early } = chain
      if (early.length > 0) queueMicrotask(() => answer(early.shift() as ThreadReply))
      return
    }
    breakChain()
    for (const [k, { kept }] of carried.entries()) {
      if (kept === null || kept.keptBy === null || isKept(k)) continue
      kept.keptBy.forget.push(jobs[k])
      kept.keptBy = null
    }
    const allKept = areAllKept()
    const forgotten = forget.splice(0)
    const through =
      away.size === 0 && carried.every((one) => one.through === carried[0].through) ? carried[0].through : []
    const order = (places: readonly number[]): ToThread => ({
      apportion: 'batch',
      number,
      stage,
      jobs: Int32Array.from(places, (k) => jobs[k]),
      tries: carried.some(({ tries }) => tries > 1) ? places.map((k) => carried[k].tries) : null,
      values: allKept ? null : places.map((k) => (isKept(k) ? null : carried[k].value)),
      redo:
        !allKept && places.some((k) => carried[k].redo.stages.length > 0)
          ? places.map((k) => (isKept(k) ? null : carried[k].redo))
          : null,
      keep: carried[0].keep,
      through,
      forget: forgotten,
    })
    const asked: Away = {
      ...newAway(number, stage, jobs, new Keeper(forget)),
      /** Sends what is not refused. */
      send() {
        const places = [...jobs.keys()].filter((k) => !asked.refused.has(jobs[k]))
        if (places.length === 0) queueMicrotask(() => answer({ ...emptyReply, number, stage }))
        else {
          post(
            order(places),
            places.flatMap((k) => (isKept(k) ? [] : carried[k].moved)),
          )
          asked.nth = orders++
        }
      },
      refuse(all) {
        for (const [k, job] of jobs.entries()) {
          const problem = all ? UNREADABLE : isKept(k) ? null : cloneProblem(carried[k].value)
          if (problem !== null && !asked.refused.has(job)) asked.refused.set(job, problem)
        }
      },
    }
    for (const [k, { value }] of carried.entries())
      if (value instanceof Unsendable && !isKept(k)) asked.refused.set(jobs[k], value.problem)
    if (through.length > 0)
      chain = { number, stages: [stage, ...through], asked, early: [], jobs, keeper: asked.keeper }
    away.set(number, asked)
    try {
      asked.send()
    } catch {
      resend(asked)
    }
  }

  /** Sends a batch again without the inputs that cannot be sent: a buffer that was moved away already cannot. */
  function resend(asked: Away): void {
    const refusedBefore = asked.refused.size
    asked.refuse(false)
    if (asked.refused.size === refusedBefore) asked.refuse(true)
    asked.send()
  }

  /** The scheduler has ordered something else than the thread goes on with, so what it makes of these values is lost: they are made again. */
  function breakChain(): void {
    if (chain === null) return
    chain.keeper.stale = true
    chain = null
    strays = true
  }

  /** Returns the batch that a reply answers; undefined: none is awaited. */
  function askedBy(reply: ThreadReply): Away | undefined {
    const { number, stage } = reply
    if (chain?.number !== number) return away.get(number)
    if (chain.asked?.stage === stage) return chain.asked
    chain.early.push(reply)
    return undefined
  }

  /** The thread is at the next stage with the jobs that were finished already. */
  function advanceChain({ number, jobs }: Away, errors: readonly { readonly job: number }[]): void {
    if (chain?.asked?.number !== number) return
    const threw = new Set(errors.map(({ job }) => job))
    chain = { ...chain, stages: chain.stages.slice(1), asked: null, jobs: jobs.filter((job) => !threw.has(job)) }
    if (chain.stages.length === 0 || chain.jobs.length === 0) chain = null
  }

  function answer(message: ThreadReply): void {
    const asked = askedBy(message)
    if (asked === undefined) return
    const { number, stage, refused } = asked
    const { began, ended, kept, values, moved, thrown, setUp } = message
    away.delete(number)
    if (message.number === number) strays = false
    if (setUp !== undefined) listener?.setUp(stage, setUp)
    const errors = [
      ...thrown.map(({ job, error }) => ({ job, error: unpackThrown(error) })),
      ...[...refused].map(([job, problem]) => ({
        job,
        error: new TypeError(`The input cannot be sent to a thread: ${problem}`),
      })),
    ]
    for (const { job, error } of errors) listener?.threw(stage, job, error)
    advanceChain(asked, errors)
    for (const [at, buffers] of moved) values[at] = new Moved(values[at], buffers)
    const payloads = (kept ? Array.from(ended, () => asked.keeper) : values) as unknown as Payload[]
    const reply = { began, ended: Array.from(ended), threw: null, payloads }
    const data: BatchAnswer = {
      number,
      reply:
        errors.length === 0
          ? reply
          : { ...reply, thrown: errors.map(({ job, error }) => ({ job, reason: wordsOf(error) })) },
    }
    port.onmessage?.({ data } as MessageEvent<BatchAnswer>)
    while (held.length > 0 && !isGoingOn()) send(held.shift() as BatchRequest)
  }

  /** Node gives the last replies of a thread all at once with its end. The scheduler hears of them first, so that it knows at what the thread ended. */
  function lose(reason: string, turns = TURNS): void {
    const isBehind = turns > TURNS - REPLY_TURNS || (chain !== null && (chain.asked === null || chain.early.length > 0))
    if (turns > 0 && isBehind) queueMicrotask(() => lose(reason, turns - 1))
    else events.lost(reason)
  }

  thread.heard = (message) => {
    if (message.apportion === 'alive') events.alive?.()
    else if (message.apportion === 'done') answer(message)
    else if (message.apportion === 'ready') greeted?.(message)
    else {
      const asked = [...away.values()].find(({ nth }) => nth === message.nth)
      if (asked !== undefined) resend(asked)
    }
  }
  thread.broke = (words, cause) => {
    if (thread.words === '') Object.assign(thread, { words, cause })
    lose(words)
  }
  const hello = () =>
    new Promise<number>((resolve, reject) => {
      greeted = ({ names, clock }) => {
        thread.served = true
        const missing = plans.flatMap(({ id, call, setUp }) =>
          [call, setUp].flatMap((name) => (name === null || names.includes(name) ? [] : [{ id, name }])),
        )
        if (missing.length === 0) return resolve(clock)
        const [{ id, name }] = missing
        const error = new Error(
          `Stage "${id}" needs the function "${name}"; the threads serve ${names.map((each) => `"${each}"`).join(', ') || 'none'}.`,
        )
        listener?.fatal(error)
        reject(error)
      }
      post({ apportion: 'hello', stages: plans }, [])
    })
  return {
    hello: () => hello().then(() => false),
    clock: hello,
    hangAt: () => Promise.resolve(),
    port,
    onEnd() {},
    end() {
      const [at] = away.values()
      if (thread.words === '') thread.words = silenceWords(at)
      listener?.threadEnded(
        [...away.values()].flatMap(({ jobs }) => jobs),
        thread.words,
      )
      end(away.size > 0 || strays)
    },
  }

  function silenceWords(at: Away | undefined): string {
    if (!thread.served) return SILENT
    return at === undefined ? '' : `took longer than the timeout of ${plans[at.stage].timeout} ms`
  }
}
