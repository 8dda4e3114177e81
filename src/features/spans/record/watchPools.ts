import { wallMicros, wallMicrosAt } from '../../../engine/conductor/environment.ts'

/** One service of a job, as Node's channel `apportion:job` has it, and when the job came to its stage. Times in microseconds since 1970. */
export interface JobLine {
  readonly job: string | number
  readonly stage: string
  /** The thread that served the job, where the pool tells it. */
  readonly worker?: string | number
  readonly enqueued_at: number
  readonly began: number
  readonly ended: number
  /** Why the job threw. */
  readonly error?: string
}

/** What a pool does, in lines that Apportion opens as a run. */
export interface Recording {
  /** The services so far. */
  readonly lines: readonly JobLine[]
  /** Returns the lines as a text of JSON lines: as a file the page opens it, and `apportion import` reads it. */
  text(): string
  /** Ends the recording: the pools are as before. Services that have begun are left out. */
  stop(): void
}

/** A recording that watchers add to. */
export interface OpenRecording extends Recording {
  add(line: JobLine): void
  /** Returns the name of a call that is a job of its own. */
  nextJob(): string
  /** Says once that services are left out, since their pool does not tell when they began. */
  warnOfUntimed(): void
  /** Registers a cleanup, which `stop` runs. */
  onStop(cleanup: () => void): void
}

/** The most services of a recording; later ones are left out. Apportion reads no more. */
const MAX_LINES = 1_000_000

export function createRecording(): OpenRecording {
  const lines: JobLine[] = []
  const cleanups: (() => void)[] = []
  let stopped = false
  let calls = 0
  let warned = false
  return {
    lines,
    nextJob: () => `call-${++calls}`,
    text: () => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    stop() {
      stopped = true
      for (const cleanup of cleanups.splice(0).reverse()) cleanup()
    },
    add(line) {
      if (!stopped && lines.length < MAX_LINES) lines.push(line)
    },
    onStop: (cleanup) => void cleanups.push(cleanup),
    warnOfUntimed() {
      if (!warned) console.warn('apportion/record: a pool does not tell when a call began, so such calls are left out')
      warned = true
    },
  }
}

type Action = (...args: never[]) => unknown
type Listen = (event: never, heard: never) => unknown

/** The pools that can be recorded, by what is used of them. */
export type RecordedPool =
  /** A Piscina or a Tinypool. */
  | { run: Action; readonly threads: readonly unknown[] }
  /** A pool of workerpool. */
  | { exec: Action; stats: Action }
  /** A Worker or the QueueEvents of BullMQ. */
  | { on: Listen; off: Listen; readonly name: string; toKey(id: string): string }
  /** A PQueue. */
  | { add: Action; concurrency: number }

type GivenJob = Pick<JobLine, 'job' | 'stage' | 'enqueued_at'>

/** A pool, where its services go, and what tells its stage and jobs. */
export interface PoolWatch {
  readonly recording: OpenRecording
  readonly stage: string | undefined
  jobOf(given: readonly unknown[]): string | number
}

/** Returns what is known of a job when a pool is given it. `name`: its stage, unless the recording says one. */
function lineOf({ jobOf, stage }: PoolWatch, given: readonly unknown[], name: string): GivenJob {
  return { job: jobOf(given), stage: stage ?? name, enqueued_at: wallMicros() }
}

/** Replaces a function of an object until the recording stops. */
function replace<K extends string>(
  recording: OpenRecording,
  of: { [key in K]?: unknown },
  key: K,
  wrap: (own: (...given: unknown[]) => unknown) => unknown,
) {
  const own = of[key] as (...given: unknown[]) => unknown
  const isOwn = Object.hasOwn(of, key)
  of[key] = wrap(own)
  recording.onStop(() => {
    if (isOwn) of[key] = own
    else delete of[key]
  })
}

/** When a service began and where; and when it ended, where that is known better than by its promise. */
type Begun = { readonly began: number; readonly worker?: number | undefined; readonly ended?: number }

/** Adds a service once the promise of a call is settled. `begun`: when it began; null: it never did, or the pool does not tell. */
function addSettled({ recording }: PoolWatch, line: GivenJob, promise: unknown, begun: () => Begun | null): void {
  const settled = (failure?: unknown) => {
    const start = begun()
    if (start === null) {
      if (failure === undefined) recording.warnOfUntimed()
      return
    }
    const { began, worker, ended = wallMicros() } = start
    const error = failure === undefined ? {} : { error: failure instanceof Error ? failure.message : String(failure) }
    recording.add({ ...line, ...(worker !== undefined && { worker }), began, ended: Math.max(began, ended), ...error })
  }
  Promise.resolve(promise).then(() => settled(), settled)
}

/** How many calls are looked at for the next task of a thread. */
const MAX_LOOKED = 500

/** A task of a Piscina or a Tinypool, which says when it was given to a thread. */
interface ThreadTask {
  readonly started: number
  readonly workerInfo?: { readonly id?: number; readonly worker?: { readonly threadId: number } } | null
  done?: (...given: unknown[]) => unknown
}

/** Marks of the packages whose tasks are such. */
const MARKS = [Symbol.for('Piscina.queueOptions'), Symbol.for('Tinypool.queueOptions')]

/** Whether the class of a pool, or one that it is derived from, has such a mark. */
function hasThreadTasks({ constructor: type }: object): boolean {
  const { queueOptionsSymbol } = (type ?? {}) as { readonly queueOptionsSymbol?: symbol }
  return queueOptionsSymbol !== undefined && MARKS.includes(queueOptionsSymbol)
}

/** Returns the thread of a task; nothing where it has ended. */
function threadOf({ workerInfo }: ThreadTask): number | undefined {
  const id = workerInfo?.worker?.threadId ?? workerInfo?.id ?? -1
  return id < 0 ? undefined : id
}

function watchThreadTasks(pool: Extract<RecordedPool, { run: Action }>, watched: PoolWatch): void {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks')
  const { options: { concurrentTasksPerWorker = 1 } = {} } = pool as {
    readonly options?: { readonly concurrentTasksPerWorker?: number }
  }
  let made: object | null = null
  /** In the order of their calls, so that those that have begun are among the first. */
  const open = new Set<ThreadTask>()
  /** A thread is given its next task before the last one is done. */
  const endOf = (task: ThreadTask) => {
    let [end, looked] = [wallMicros(), 0]
    if (concurrentTasksPerWorker > 1) return end
    for (const { started, workerInfo } of open) {
      if (++looked > MAX_LOOKED) break
      if (workerInfo === task.workerInfo && started > task.started) end = Math.min(end, wallMicrosAt(started))
    }
    return end
  }
  // Only while a task is made: hooks slow promises down.
  const hook = hooks?.createHook({
    init(_id, type, _by, resource) {
      if (type.endsWith('.Task')) made = resource
    },
  })
  replace(watched.recording, pool as { run?: unknown }, 'run', (run) => (...given: unknown[]) => {
    const [, options] = given as [unknown, { readonly name?: string }?]
    const line = lineOf(watched, given, options?.name ?? 'job')
    made = null
    hook?.enable()
    let promise: unknown
    try {
      promise = run.apply(pool, given)
    } finally {
      hook?.disable()
    }
    const task = made !== null && 'started' in made ? (made as ThreadTask) : null
    let ended: number | undefined
    if (task !== null) {
      open.add(task)
      // The promise may be settled later, when another thread has taken the place of this one.
      const { done } = task
      if (done !== undefined)
        task.done = (...results) => {
          ended ??= endOf(task)
          return done.apply(task, results)
        }
    }
    addSettled(watched, line, promise, () => {
      if (task === null) return null
      open.delete(task)
      if (task.started === 0) return null
      return {
        began: Math.max(line.enqueued_at, wallMicrosAt(task.started)),
        worker: threadOf(task),
        ended: ended ?? endOf(task),
      }
    })
    return promise
  })
}

/** What settles the promise of a call of workerpool. */
type Resolver = { readonly promise: unknown; resolve(value: unknown): void; reject(error: unknown): void }
/** One worker of a pool of workerpool. */
type Handler = { exec?: unknown; readonly worker?: { readonly threadId?: number; readonly pid?: number } }

function watchWorkerpool(pool: Extract<RecordedPool, { exec: Action }>, watched: PoolWatch): void {
  const begun = new Map<unknown, Begun>()
  const watchHandler = (handler: Handler) => {
    const worker = handler.worker?.threadId ?? handler.worker?.pid
    replace(watched.recording, handler, 'exec', (exec) => (...given: unknown[]) => {
      const resolver = given[2] as Resolver | undefined
      if (resolver === undefined) return exec.apply(handler, given)
      const start: Begun = { began: wallMicros(), worker }
      begun.set(resolver.promise, start)
      const { resolve, reject } = resolver
      // The worker is given its next task before the promise is settled for others.
      const ending = (settle: (value: unknown) => void) => (value: unknown) => {
        begun.set(resolver.promise, { ...start, ended: wallMicros() })
        settle(value)
      }
      Object.assign(resolver, { resolve: ending(resolve), reject: ending(reject) })
      return exec.apply(handler, given)
    })
    return handler
  }
  const { workers = [] } = pool as { readonly workers?: readonly Handler[] }
  for (const handler of workers) watchHandler(handler)
  // A worker that is started for a task is given it at once.
  replace(
    watched.recording,
    pool as { _createWorkerHandler?: unknown },
    '_createWorkerHandler',
    (create) =>
      (...given: unknown[]) =>
        watchHandler(create.apply(pool, given) as Handler),
  )
  let inside = false
  replace(watched.recording, pool as { exec?: unknown }, 'exec', (exec) => (...given: unknown[]) => {
    // A function is sent as a call of `run`.
    if (inside) return exec.apply(pool, given)
    const [method] = given as [string | { readonly name: string }]
    const name = typeof method === 'string' ? method : method.name || 'job'
    const line = lineOf(watched, given, name)
    inside = true
    try {
      const promise = exec.apply(pool, given)
      addSettled(watched, line, promise, () => {
        const start = begun.get(promise) ?? null
        begun.delete(promise)
        return start
      })
      return promise
    } finally {
      inside = false
    }
  })
}

function watchQueue(queue: Extract<RecordedPool, { add: Action }>, watched: PoolWatch): void {
  replace(watched.recording, queue as { add?: unknown }, 'add', (add) => (...given: unknown[]) => {
    const [task, ...rest] = given as [(...inside: unknown[]) => unknown, { readonly id?: string }?]
    const line = lineOf(watched, given, 'job')
    const timed = (...inside: unknown[]) => {
      const began = wallMicros()
      const answer = new Promise((resolve) => resolve(task(...inside)))
      addSettled(watched, line, answer, () => ({ began }))
      return answer
    }
    return add.call(queue, timed, ...rest)
  })
}

/** A job of BullMQ; times in milliseconds since 1970. */
interface BullJob {
  readonly id?: string
  readonly timestamp: number
  readonly processedOn?: number
  readonly finishedOn?: number
}

function watchBullmq(source: Extract<RecordedPool, { name: string }>, watched: PoolWatch, named: boolean): void {
  const { recording, stage = source.name } = watched
  /** Unless the job is named, the name is its key in Redis: jobs of several queues have equal ids. */
  const jobOf = (id: string | undefined, given: unknown) =>
    named || id === undefined ? watched.jobOf([given]) : source.toKey(id)
  const listen = (event: string, heard: (...given: never[]) => void) => {
    source.on(event as never, heard as never)
    recording.onStop(() => void source.off(event as never, heard as never))
  }
  const add = (job: string | number, enqueued_at: number, began: number, ended: number, error?: string) =>
    recording.add({
      ...{ job, stage, enqueued_at, began, ended: Math.max(began, ended) },
      ...(error !== undefined && { error }),
    })
  if ('getNextJob' in source) {
    const ended = (job: BullJob | undefined, error?: Error) => {
      if (job?.processedOn === undefined) return
      const end = 1000 * (job.finishedOn ?? Date.now())
      add(jobOf(job.id, job), 1000 * job.timestamp, 1000 * job.processedOn, end, error?.message)
    }
    listen('completed', (job: BullJob) => ended(job))
    listen('failed', (job: BullJob | undefined, error: Error) => ended(job, error))
    return
  }
  // The number of an event begins with its time.
  const timeOf = (id: string) => 1000 * Number.parseInt(id, 10)
  const open = new Map<string, { readonly came: number; readonly began: number | null }>()
  type Told = { readonly jobId: string; readonly failedReason?: string }
  const note = (jobId: string, time: number, began: number | null) =>
    open.set(jobId, { came: open.get(jobId)?.came ?? time, began })
  listen('waiting', ({ jobId }: Told, id: string) => void note(jobId, timeOf(id), null))
  listen('active', ({ jobId }: Told, id: string) => void note(jobId, timeOf(id), timeOf(id)))
  const ended = ({ jobId, failedReason }: Told, id: string) => {
    const at = open.get(jobId)
    open.delete(jobId)
    if (at === undefined || at.began === null) return
    add(jobOf(jobId, jobId), at.came, at.began, timeOf(id), failedReason)
  }
  listen('completed', ended)
  listen('failed', ended)
}

/** Whether an object has a function of this name. */
function has<K extends string>(pool: RecordedPool, name: K): pool is Extract<RecordedPool, Record<K, unknown>> {
  return typeof (pool as Partial<Record<K, unknown>> | null | undefined)?.[name] === 'function'
}

/** Watches a pool from now on, recognised by what is used of it. Returns false for any other object. */
export function watchPool(pool: RecordedPool, watched: PoolWatch, isNamed: boolean): boolean {
  if (has(pool, 'run') && hasThreadTasks(pool)) watchThreadTasks(pool, watched)
  else if (has(pool, 'exec') && '_createWorkerHandler' in pool) watchWorkerpool(pool, watched)
  else if (has(pool, 'add') && typeof pool.concurrency === 'number') watchQueue(pool, watched)
  // A Queue of BullMQ has `add`, and does not tell when its jobs begin.
  else if (has(pool, 'toKey') && ('getNextJob' in pool || ('waitUntilReady' in pool && !('add' in pool))))
    watchBullmq(pool, watched, isNamed)
  else return false
  return true
}
