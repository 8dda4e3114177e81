import { createRecording, instantOf, type JobLine, now, type OpenRecording, type Recording } from './recording.ts'

type Action = (...args: never[]) => unknown
type Listen = (event: never, heard: never) => unknown

/** The pools that can be recorded, by what is used of them. */
export type Pool =
  /** A Piscina. */
  | { run: Action; readonly threads: readonly unknown[] }
  /** A pool of workerpool. */
  | { exec: Action; stats: Action }
  /** A Worker or the QueueEvents of BullMQ. */
  | { on: Listen; off: Listen; readonly name: string }
  /** A PQueue. */
  | { add: Action; concurrency: number }

export interface RecordOptions {
  /** The stage that the jobs of this pool are at. Unless given it is the name of the task (piscina), of the method (workerpool) or of the queue (BullMQ). */
  readonly stage?: string
  /** Which job it is: a number or a text that is the same in all pools that it passes. It gets what the pool was given, or the job of BullMQ. Unless given each call is a job of its own. */
  readonly job?: (...given: never[]) => string | number
  /** The recording of another pool, so that one run has several stages. */
  readonly into?: Recording
}

interface Watched {
  readonly recording: OpenRecording
  readonly stage: string | undefined
  jobOf(given: readonly unknown[]): string | number
}

let jobs = 0
const recordings = new WeakSet<Recording>()

/** Records what a pool does from now on, and returns the recording. Throws TypeError for an object that is no pool of these packages. */
export function record(pool: Pool, { stage, job, into }: RecordOptions = {}): Recording {
  const recording = (into ?? createRecording()) as OpenRecording
  if (into !== undefined && !recordings.has(into)) throw new TypeError('into: allowed is what record() returned for another pool')
  recordings.add(recording)
  const ask = job as ((...given: readonly unknown[]) => string | number) | undefined
  const watched: Watched = { recording, stage, jobOf: (given) => ask?.(...given) ?? `call-${++jobs}` }
  if ('run' in pool && 'threads' in pool) watchPiscina(pool, watched)
  else if ('exec' in pool && 'stats' in pool) watchWorkerpool(pool, watched)
  else if ('add' in pool && 'concurrency' in pool) watchQueue(pool, watched)
  else if ('on' in pool && 'name' in pool) watchBullmq(pool, watched, ask !== undefined)
  else throw new TypeError('found another object; allowed: a Piscina, a pool of workerpool, a Worker or QueueEvents of BullMQ, or a PQueue')
  return recording
}

/** Replaces a function of an object until the recording stops. */
function replace<K extends string>(recording: OpenRecording, of: { [key in K]?: unknown }, key: K, wrap: (own: (...given: unknown[]) => unknown) => unknown) {
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

/** Adds a service once the promise of a call is settled. `begun`: when it began; null: it never did. */
function addSettled({ recording }: Watched, line: Pick<JobLine, 'job' | 'stage' | 'enqueued_at'>, promise: unknown, begun: () => Begun | null): void {
  const settled = (failure?: unknown) => {
    const start = begun()
    if (start === null) return
    const { began, worker, ended = now() } = start
    const error = failure === undefined ? {} : { error: failure instanceof Error ? failure.message : String(failure) }
    recording.add({ ...line, ...(worker !== undefined && { worker }), began, ended: Math.max(began, ended), ...error })
  }
  Promise.resolve(promise).then(() => settled(), settled)
}

/** How many calls are looked at for the next task of a thread. */
const MAX_LOOKED = 500

/** The task of a Piscina, which says when it was given to a thread. */
interface PiscinaTask {
  readonly started?: number
  readonly workerInfo?: { readonly id?: number; readonly worker?: { readonly threadId: number } } | null
}

function watchPiscina(pool: Extract<Pool, { run: Action }>, watched: Watched): void {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks')
  let made: PiscinaTask | null = null
  /** In the order of their calls, so that those that have begun are among the first. */
  const open = new Set<PiscinaTask>()
  const threadOf = ({ workerInfo }: PiscinaTask) => workerInfo?.worker?.threadId ?? workerInfo?.id
  /** A thread is given its next task before the promise of the last is settled. */
  const endOf = (task: PiscinaTask) => {
    let [end, looked] = [now(), 0]
    for (const { started = 0, workerInfo } of open) {
      if (++looked > MAX_LOOKED) break
      if (workerInfo === task.workerInfo && started > (task.started ?? 0)) end = Math.min(end, instantOf(started))
    }
    return end
  }
  // Only while a task is made: hooks slow promises down.
  const hook = hooks?.createHook({
    init(_id, type, _by, resource) {
      if (type === 'Piscina.Task') made = resource
    },
  })
  replace(watched.recording, pool as { run?: unknown }, 'run', (run) => (...given: unknown[]) => {
    const [, options] = given as [unknown, { readonly name?: string }?]
    const line = { job: watched.jobOf(given), stage: watched.stage ?? options?.name ?? 'job', enqueued_at: now() }
    made = null
    hook?.enable()
    let promise: unknown
    try {
      promise = run.apply(pool, given)
    } finally {
      hook?.disable()
    }
    const task = made as PiscinaTask | null
    if (task !== null) open.add(task)
    addSettled(watched, line, promise, () => {
      if (task === null) return { began: line.enqueued_at }
      open.delete(task)
      if (!task.started) return null
      return { began: Math.max(line.enqueued_at, instantOf(task.started)), worker: threadOf(task), ended: endOf(task) }
    })
    return promise
  })
}

/** What settles the promise of a call of workerpool. */
type Resolver = { readonly promise: unknown; resolve(value: unknown): void; reject(error: unknown): void }
/** One worker of a pool of workerpool. */
type Handler = { exec?: unknown; readonly worker?: { readonly threadId?: number; readonly pid?: number } }

function watchWorkerpool(pool: Extract<Pool, { exec: Action }>, watched: Watched): void {
  const begun = new Map<unknown, Begun>()
  const watchHandler = (handler: Handler) => {
    const worker = handler.worker?.threadId ?? handler.worker?.pid
    replace(watched.recording, handler, 'exec', (exec) => (...given: unknown[]) => {
      const resolver = given[2] as Resolver | undefined
      if (resolver === undefined) return exec.apply(handler, given)
      const start: Begun = { began: now(), worker }
      begun.set(resolver.promise, start)
      const { resolve, reject } = resolver
      // The worker is given its next task before the promise is settled for others.
      const ending = (settle: (value: unknown) => void) => (value: unknown) => {
        begun.set(resolver.promise, { ...start, ended: now() })
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
    const line = { job: watched.jobOf(given), stage: watched.stage ?? name, enqueued_at: now() }
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

function watchQueue(queue: Extract<Pool, { add: Action }>, watched: Watched): void {
  replace(watched.recording, queue as { add?: unknown }, 'add', (add) => (...given: unknown[]) => {
    const [task, ...rest] = given as [(...inside: unknown[]) => unknown, { readonly id?: string }?]
    const line = { job: watched.jobOf(given), stage: watched.stage ?? 'job', enqueued_at: now() }
    const timed = (...inside: unknown[]) => {
      const began = now()
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

function watchBullmq(source: Extract<Pool, { name: string }>, watched: Watched, named: boolean): void {
  const { recording, stage = source.name } = watched
  const listen = (event: string, heard: (...given: never[]) => void) => {
    source.on(event as never, heard as never)
    recording.onStop(() => void source.off(event as never, heard as never))
  }
  if ('getNextJob' in source) {
    const ended = (job: BullJob | undefined, error?: Error) => {
      if (job?.processedOn === undefined) return
      const began = 1000 * job.processedOn
      const end = Math.max(began, 1000 * (job.finishedOn ?? Date.now()))
      const own = named ? watched.jobOf([job]) : (job.id ?? watched.jobOf([job]))
      recording.add({ job: own, stage, enqueued_at: 1000 * job.timestamp, began, ended: end, ...(error && { error: error.message }) })
    }
    listen('completed', (job: BullJob) => ended(job))
    listen('failed', (job: BullJob | undefined, error: Error) => ended(job, error))
    return
  }
  // The number of an event begins with its time.
  const timeOf = (id: string) => 1000 * Number.parseInt(id, 10)
  const open = new Map<string, { readonly came: number; readonly began: number | null }>()
  type Told = { readonly jobId: string; readonly failedReason?: string }
  listen('waiting', ({ jobId }: Told, id: string) => void open.set(jobId, { came: open.get(jobId)?.came ?? timeOf(id), began: null }))
  listen('active', ({ jobId }: Told, id: string) => void open.set(jobId, { came: open.get(jobId)?.came ?? timeOf(id), began: timeOf(id) }))
  const ended = ({ jobId, failedReason }: Told, id: string) => {
    const at = open.get(jobId)
    open.delete(jobId)
    if (at === undefined || at.began === null) return
    const error = failedReason === undefined ? {} : { error: failedReason }
    recording.add({
      job: named ? watched.jobOf([jobId]) : jobId,
      stage,
      enqueued_at: at.came,
      began: at.began,
      ended: Math.max(at.began, timeOf(id)),
      ...error,
    })
  }
  listen('completed', ended)
  listen('failed', ended)
}
