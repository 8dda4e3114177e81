import type { Micros } from '../scenario/model/scenario.ts'
import { type Column, fitsIn32Bits, type Ids, MAX_SMALL_ID, resized, widened, widenedIds } from './column.ts'

/**
 * Everything that happens in a run, in the order in which the core learned it. The world tells facts, the core gives orders (started, second,
 * hired, dismissed), and consequences follow from the facts (released, failed, and on graphs routed, gathered, withdrawn, discarded).
 * On a graph a job may be in several places at once, but never twice at one stage: stage and job name a part.
 */
export const kinds = [
  'finished',
  'threw',
  'lost',
  'joined',
  'arrived',
  'exhausted',
  'tick',
  'stopped',
  'started',
  'hired',
  'dismissed',
  'released',
  'failed',
  'second',
  'routed',
  'gathered',
  'withdrawn',
  'discarded',
  'turned',
  'reneged',
  'gaveUp',
  'retried',
] as const
export type RowKind = (typeof kinds)[number]

/** Numbers of the kinds. The facts come first, in the order in which those of one instant are applied; PHASE and those after it, added later, before ARRIVED. */
export const FINISHED = 0
export const THREW = 1
export const LOST = 2
export const JOINED = 3
export const ARRIVED = 4
export const EXHAUSTED = 5
export const TICK = 6
export const STOPPED = 7
export const STARTED = 8
export const HIRED = 9
export const DISMISSED = 10
export const RELEASED = 11
export const FAILED = 12
/** An order: the `started` rows that follow give the worker its prefetched batch. */
export const PREFETCH = 13
/** A job that was finished at a stage with several ways goes to this stage. */
export const ROUTED = 14
/** All parts of a job have arrived: at this stage, whose queue the job enters, or to the sink if the row has no stage. */
export const GATHERED = 15
/** A part of a job that failed elsewhere is taken out of the queue of this stage. */
export const WITHDRAWN = 16
/** A part of a failed job stops waiting at this stage for the other parts. */
export const DISCARDED = 17
/** A fact: a new phase of the scenario begins. The job is its index in `later`. */
export const PHASE = 18
/** Facts: a client takes a job back out of the first queue, or from outside (then without a stage), to send it again, or for good; and sends it again. */
export const RENEGED = 19
export const GAVE_UP = 20
export const RETRIED = 21

/** Whether the world tells the core rows of this kind. */
export function isFact(kind: number): boolean {
  return kind <= STOPPED || kind >= PHASE
}

/** Stands in stage, worker and job where a row has none. */
export const NONE = -1

/** One row as an object, for tests, the debugger and code that is not hot. */
export interface Row {
  readonly time: Micros
  readonly kind: number
  readonly stage: number
  readonly worker: number
  readonly job: number
  /** When the work on the job began and ended. Only `finished` rows have it; for others it is the row's time. */
  readonly began: Micros
  readonly ended: Micros
}

/** Growable rows, a typed array a column, about 15 bytes a row. Times are distances from the first row's; `lasted` is how long work took. */
export interface Rows {
  length: number
  /** The time of the first row, and how long after it each row comes. */
  since: Micros
  elapsed: Column
  kind: Uint8Array
  stage: Ids
  worker: Ids
  job: Int32Array
  /** Of `finished` rows: how long the work lasted. */
  lasted: Column
  /** Of `finished` rows: how long before the row's time the work ended. Null: all work ended at the row's time. */
  endedAgo: Column | null
}

export function createRows(capacity = 1024): Rows {
  return {
    length: 0,
    since: 0,
    elapsed: new Uint32Array(capacity),
    kind: new Uint8Array(capacity),
    stage: new Int8Array(capacity),
    worker: new Int8Array(capacity),
    job: new Int32Array(capacity),
    lasted: new Uint32Array(capacity),
    endedAgo: null,
  }
}

/** Appends a row of any kind but `finished`. */
export function pushRow(rows: Rows, time: Micros, kind: number, stage: number, worker: number, job: number): void {
  const i = rows.length
  if (i === rows.kind.length) makeRoom(rows, i + 1)
  if (i === 0) rows.since = time
  const elapsed = time - rows.since
  if (!fitsIn32Bits(elapsed)) rows.elapsed = widened(rows.elapsed)
  if (stage > MAX_SMALL_ID) rows.stage = widenedIds(rows.stage)
  if (worker > MAX_SMALL_ID) rows.worker = widenedIds(rows.worker)
  rows.elapsed[i] = elapsed
  rows.kind[i] = kind
  rows.stage[i] = stage
  rows.worker[i] = worker
  rows.job[i] = job
  rows.length = i + 1
}

/** Appends a row for each of these jobs. Of `finished` rows, `setWork` must say when the work was done. */
export function pushRows(
  rows: Rows,
  time: Micros,
  kind: number,
  stage: number,
  worker: number,
  jobs: readonly number[],
): void {
  const from = rows.length
  const to = from + jobs.length
  makeRoom(rows, to)
  // The first row widens the columns where that is needed.
  pushRow(rows, time, kind, stage, worker, jobs[0])
  rows.elapsed.fill(rows.elapsed[from], from, to)
  rows.kind.fill(kind, from, to)
  rows.stage.fill(stage, from, to)
  rows.worker.fill(worker, from, to)
  rows.job.set(jobs, from)
  rows.length = to
}

/** Appends a `finished` row: the work lasted from `began` to `ended` and was reported at `time`. */
export function pushFinished(
  rows: Rows,
  time: Micros,
  stage: number,
  worker: number,
  job: number,
  began: Micros,
  ended: Micros,
): void {
  const i = rows.length
  pushRow(rows, time, FINISHED, stage, worker, job)
  setWork(rows, i, time, began, ended)
}

/** Sets when the work of a `finished` row, which was reported at `time`, began and ended. */
export function setWork(rows: Rows, i: number, time: Micros, began: Micros, ended: Micros): void {
  const lasted = ended - began
  if (!fitsIn32Bits(lasted)) rows.lasted = widened(rows.lasted)
  rows.lasted[i] = lasted
  if (ended === time && rows.endedAgo === null) return
  rows.endedAgo ??= new Uint32Array(rows.kind.length)
  if (!fitsIn32Bits(time - ended)) rows.endedAgo = widened(rows.endedAgo)
  rows.endedAgo[i] = time - ended
}

export function rowTime(rows: Rows, i: number): Micros {
  return rows.since + rows.elapsed[i]
}

export function beganAt(rows: Rows, i: number): Micros {
  return endedAt(rows, i) - rows.lasted[i]
}

export function endedAt(rows: Rows, i: number): Micros {
  return rowTime(rows, i) - (rows.endedAgo === null ? 0 : rows.endedAgo[i])
}

/** Returns row `i` as an object. Throws RangeError for an index outside. */
export function rowAt(rows: Rows, i: number): Row {
  if (!(i >= 0 && i < rows.length)) throw new RangeError(`row ${i} of ${rows.length}`)
  const time = rowTime(rows, i)
  const worked = rows.kind[i] === FINISHED
  return {
    time,
    kind: rows.kind[i],
    stage: rows.stage[i],
    worker: rows.worker[i],
    job: rows.job[i],
    began: worked ? beganAt(rows, i) : time,
    ended: worked ? endedAt(rows, i) : time,
  }
}

export function countOf({ kind, length }: Rows, wanted: number): number {
  let count = 0
  for (let i = 0; i < length; i++) if (kind[i] === wanted) count++
  return count
}

/** Whether two rows are the same, with the times of the work on them. */
export function sameRow(a: Rows, i: number, b: Rows, j: number): boolean {
  if (rowTime(a, i) !== rowTime(b, j) || a.kind[i] !== b.kind[j]) return false
  if (a.stage[i] !== b.stage[j] || a.worker[i] !== b.worker[j] || a.job[i] !== b.job[j]) return false
  return a.kind[i] !== FINISHED || (beganAt(a, i) === beganAt(b, j) && endedAt(a, i) === endedAt(b, j))
}

/** Copies rows [from, to) of `source` to the end of `target`, which must have room for them. */
export function copyRows(source: Rows, from: number, to: number, target: Rows): void {
  if (from === to) return
  const at = target.length
  if (at === 0) target.since = rowTime(source, from)
  target.kind.set(source.kind.subarray(from, to), at)
  target.job.set(source.job.subarray(from, to), at)
  if (source.stage instanceof Int16Array) target.stage = widenedIds(target.stage)
  if (source.worker instanceof Int16Array) target.worker = widenedIds(target.worker)
  if (source.lasted instanceof Float64Array) target.lasted = widened(target.lasted)
  target.stage.set(source.stage.subarray(from, to), at)
  target.worker.set(source.worker.subarray(from, to), at)
  target.lasted.set(source.lasted.subarray(from, to), at)
  copyTimes(source, from, to, target, at)
  if (source.endedAgo !== null) {
    target.endedAgo ??= new Uint32Array(target.kind.length)
    if (source.endedAgo instanceof Float64Array) target.endedAgo = widened(target.endedAgo)
    target.endedAgo.set(source.endedAgo.subarray(from, to), at)
  } else target.endedAgo?.fill(0, at, at + to - from)
  target.length = at + to - from
}

/** Times never run back, so if the last fits, all fit. */
function copyTimes({ since, elapsed }: Rows, from: number, to: number, target: Rows, at: number): void {
  const by = since - target.since
  if (!fitsIn32Bits(elapsed[to - 1] + by)) target.elapsed = widened(target.elapsed)
  const column = target.elapsed
  if (by === 0) column.set(elapsed.subarray(from, to), at)
  else for (let i = from, k = at; i < to; i++, k++) column[k] = elapsed[i] + by
}

/** Returns a copy of exactly its rows. Its buffers may be transferred to another thread. */
export function sliceRows(rows: Rows): Rows {
  const slice = createRows(rows.length)
  copyRows(rows, 0, rows.length, slice)
  return slice
}

export function clearRows(rows: Rows): void {
  rows.length = 0
}

/** Makes room for `needed` rows, and so that rows can be added one by one for twice as many; but for no more than `most`. */
export function makeRoom(rows: Rows, needed: number, most = Number.POSITIVE_INFINITY): void {
  const before = rows.kind.length
  if (needed <= before) return
  const capacity = Math.max(needed, Math.min(most, Math.max(16, before * 2)))
  rows.elapsed = resized(rows.elapsed, capacity)
  rows.kind = resized(rows.kind, capacity)
  rows.stage = resized(rows.stage, capacity)
  rows.worker = resized(rows.worker, capacity)
  rows.job = resized(rows.job, capacity)
  rows.lasted = resized(rows.lasted, capacity)
  if (rows.endedAgo !== null) rows.endedAgo = resized(rows.endedAgo, capacity)
}
