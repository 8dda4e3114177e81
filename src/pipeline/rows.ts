import type { Micros } from '../scenario/model/scenario.ts'
import { type Column, fitsIn32Bits, resized, widened } from './column.ts'

/**
 * The rows of a run: everything that happens in it, in the order in which the core learned it.
 *
 *   facts         the world tells the core      arrived exhausted finished threw joined lost turned (its job: which) tick stopped
 *   orders        the core decides              started second hired dismissed (its job: what it waited with, laid back)
 *   consequences  what follows from the facts   released failed, and on graphs routed gathered withdrawn discarded
 *
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
] as const
export type RowKind = (typeof kinds)[number]

/**
 * Numbers of the kinds. The facts come first, in the order in which facts of one instant are applied. PHASE was added later: it is applied before
 * ARRIVED.
 */
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
/** All parts of a job have come: to this stage, whose queue the job enters, or to the sink if the row has no stage. */
export const GATHERED = 15
/** A part of a job that failed elsewhere is taken out of the queue of this stage. */
export const WITHDRAWN = 16
/** A part of a failed job stops waiting at this stage for the other parts. */
export const DISCARDED = 17
/** A fact: a new phase of the scenario begins. The job is its index in `later`. */
export const PHASE = 18

/** Whether the world tells the core rows of this kind. */
export function isFact(kind: number): boolean {
  return kind <= STOPPED || kind === PHASE
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

/**
 * Growable rows, one typed array a column: 13 bytes a row, and 4 or 8 more for a `finished` one. A million jobs make eight million rows, so rows are
 * not objects. Times are kept as distances from the first row's time; for `finished` rows, when the work began and ended as distances back from the
 * row's time:
 *
 *   kind       finished  started  finished  arrived ... | started  finished ...     blocks of 8 rows
 *   ranks      0                                        | 9                         `finished` rows before the block
 *   beganAgo   [ 1200,            900,  ...                                         of each of them, one after the other
 */
export interface Rows {
  length: number
  /** The time of the first row, and how long after it each row comes. */
  since: Micros
  elapsed: Column
  kind: Uint8Array
  stage: Int16Array
  worker: Int16Array
  job: Int32Array
  /** `finished` rows in all, and before each block. */
  finished: number
  ranks: Uint32Array
  /** By `finished` row: how long before its time the work began and ended. Null: all work ended at the row's time. */
  beganAgo: Column
  endedAgo: Column | null
}

const BLOCK_BITS = 3
const BLOCK = 1 << BLOCK_BITS
/** Masks the place of a row in its block. */
const WITHIN = BLOCK - 1

export function createRows(capacity = 1024): Rows {
  return {
    length: 0,
    since: 0,
    elapsed: new Uint32Array(capacity),
    kind: new Uint8Array(capacity),
    stage: new Int16Array(capacity),
    worker: new Int16Array(capacity),
    job: new Int32Array(capacity),
    finished: 0,
    ranks: new Uint32Array(Math.ceil(capacity / BLOCK)),
    beganAgo: new Uint32Array(Math.ceil(capacity / 4)),
    endedAgo: null,
  }
}

/** Appends a row of any kind but `finished`. */
export function pushRow(rows: Rows, time: Micros, kind: number, stage: number, worker: number, job: number): void {
  const i = rows.length
  if (i === rows.kind.length) makeRoom(rows, i + 1)
  if (i === 0) rows.since = time
  if ((i & WITHIN) === 0) rows.ranks[i >>> BLOCK_BITS] = rows.finished
  const elapsed = time - rows.since
  if (!fitsIn32Bits(elapsed)) rows.elapsed = widened(rows.elapsed)
  rows.elapsed[i] = elapsed
  rows.kind[i] = kind
  rows.stage[i] = stage
  rows.worker[i] = worker
  rows.job[i] = job
  rows.length = i + 1
}

/** Appends a `finished` row: the work lasted from `began` to `ended` and was reported at `time`. */
export function pushFinished(rows: Rows, time: Micros, stage: number, worker: number, job: number, began: Micros, ended: Micros): void {
  pushRow(rows, time, FINISHED, stage, worker, job)
  const k = rows.finished++
  if (k === rows.beganAgo.length) resizeServices(rows, Math.ceil(k * 1.5) + 1)
  if (!fitsIn32Bits(time - began)) rows.beganAgo = widened(rows.beganAgo)
  rows.beganAgo[k] = time - began
  if (ended === time && rows.endedAgo === null) return
  rows.endedAgo ??= new Uint32Array(rows.beganAgo.length)
  if (!fitsIn32Bits(time - ended)) rows.endedAgo = widened(rows.endedAgo)
  rows.endedAgo[k] = time - ended
}

export function rowTime(rows: Rows, i: number): Micros {
  return rows.since + rows.elapsed[i]
}

/** Returns when the work on the job of a `finished` row began. */
export function beganAt(rows: Rows, i: number): Micros {
  return rowTime(rows, i) - rows.beganAgo[rankOf(rows, i)]
}

/** Returns when the work on the job of a `finished` row ended. */
export function endedAt(rows: Rows, i: number): Micros {
  return rowTime(rows, i) - (rows.endedAgo === null ? 0 : rows.endedAgo[rankOf(rows, i)])
}

/** Returns how long the work on the job of a `finished` row lasted. */
export function serviceAt(rows: Rows, i: number): Micros {
  const k = rankOf(rows, i)
  return rows.beganAgo[k] - (rows.endedAgo === null ? 0 : rows.endedAgo[k])
}

/** Returns how many `finished` rows stand before row i. */
function rankOf({ kind, ranks }: Rows, i: number): number {
  let rank = ranks[i >>> BLOCK_BITS]
  for (let k = i & ~WITHIN; k < i; k++) if (kind[k] === FINISHED) rank++
  return rank
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
  const first = target.finished
  if (at === 0) target.since = rowTime(source, from)
  for (const column of plain) (target[column] as Uint8Array).set((source[column] as Uint8Array).subarray(from, to), at)
  target.length = at + to - from
  copyTimes(source, from, to, target, at)
  countFinished(target, at)
  if (target.finished === first) return
  if (target.finished > target.beganAgo.length) resizeServices(target, Math.max(target.finished, Math.ceil(target.beganAgo.length * 1.5)))
  const before = rankOf(source, from)
  const { beganAgo, endedAgo } = source
  const services = (column: Column): Column => column.subarray(before, before + target.finished - first)
  if (beganAgo instanceof Float64Array) target.beganAgo = widened(target.beganAgo)
  target.beganAgo.set(services(beganAgo), first)
  if (endedAgo === null) {
    target.endedAgo?.fill(0, first, target.finished)
    return
  }
  target.endedAgo ??= new Uint32Array(target.beganAgo.length)
  if (endedAgo instanceof Float64Array) target.endedAgo = widened(target.endedAgo)
  target.endedAgo.set(services(endedAgo), first)
}

/** Times never run back, so if the last fits, all fit. */
function copyTimes({ since, elapsed }: Rows, from: number, to: number, target: Rows, at: number): void {
  const by = since - target.since
  if (!fitsIn32Bits(elapsed[to - 1] + by)) target.elapsed = widened(target.elapsed)
  const column = target.elapsed
  for (let i = from, k = at; i < to; i++, k++) column[k] = elapsed[i] + by
}

/** Counts the `finished` rows from row `from` on. */
function countFinished(rows: Rows, from: number): void {
  const { kind, ranks, length } = rows
  let { finished } = rows
  for (let i = from; i < length; i++) {
    if ((i & WITHIN) === 0) ranks[i >>> BLOCK_BITS] = finished
    if (kind[i] === FINISHED) finished++
  }
  rows.finished = finished
}

/** Frees the unused room for services. Call it when nothing more will be appended. */
export function closeRows(rows: Rows): void {
  resizeServices(rows, rows.finished)
}

function resizeServices(rows: Rows, services: number): void {
  rows.beganAgo = resized(rows.beganAgo, services)
  if (rows.endedAgo !== null) rows.endedAgo = resized(rows.endedAgo, services)
}

/** Returns a copy of exactly its rows. Its buffers may be transferred to another thread. */
export function sliceRows(rows: Rows): Rows {
  const slice = createRows(rows.length)
  copyRows(rows, 0, rows.length, slice)
  closeRows(slice)
  return slice
}

export function clearRows(rows: Rows): void {
  rows.length = 0
  rows.finished = 0
}

const plain = ['kind', 'stage', 'worker', 'job'] as const

/** Makes room for `needed` rows, and so that rows can be added one by one for twice as many; but for no more than `most`. */
export function makeRoom(rows: Rows, needed: number, most = Number.POSITIVE_INFINITY): void {
  if (needed <= rows.kind.length) return
  const bigger = createRows(Math.max(needed, Math.min(most, Math.max(16, rows.kind.length * 2))))
  copyRows(rows, 0, rows.length, bigger)
  Object.assign(rows, bigger)
}
