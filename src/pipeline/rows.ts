import type { Micros } from '../scenario/scenario.ts'

/**
 * The rows of a run: everything that ever happens in it, in the order in which the core learned it.
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

/** Numbers of the kinds. The facts come first, in the order in which facts of one instant are applied; only TURNED, which is applied before ARRIVED, came later. */
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
/** An order: what the worker is given next, by the `started` rows that follow, is its second batch. */
export const SECOND = 13
/** A job that was finished where it goes one of several ways goes to this stage. */
export const ROUTED = 14
/** All parts of a job have come to this stage, and the job enters its queue; or, without a stage, to the sink. */
export const GATHERED = 15
/** A part of a job that has failed elsewhere is taken out of the queue of this stage. */
export const WITHDRAWN = 16
/** A part of a job that has failed, which had come to this stage to wait for the others, waits no more. */
export const DISCARDED = 17
/** A fact: from here on the turn of the scenario whose number in `later` stands as the job holds. */
export const TURNED = 18

/** Whether rows of this kind are told to the core, and not answered by it. */
export function isFact(kind: number): boolean {
  return kind <= STOPPED || kind === TURNED
}

/** Stands in stage, worker and job where a row has none. */
export const NONE = -1

/** One row as an object: for tests, the debugger and everything that is not hot. */
export interface Row {
  readonly time: Micros
  readonly kind: number
  readonly stage: number
  readonly worker: number
  readonly job: number
  /** When the work on the job began and ended: `finished` only, else the row's time. */
  readonly began: Micros
  readonly ended: Micros
}

/**
 * A growable run of rows, one typed array a column, 25 bytes a row. Columns, because a million jobs make eight million
 * rows and a run must not spend its time on allocation. Beginnings and ends are kept as distances back from the row's
 * time, in 32 bits, and only for `finished` rows; the few that lie further back than 71 minutes stand in `long`.
 */
export interface Rows {
  length: number
  time: Float64Array
  kind: Uint8Array
  stage: Int16Array
  worker: Int16Array
  job: Int32Array
  beganAgo: Uint32Array
  endedAgo: Uint32Array
  long: Map<number, readonly [began: Micros, ended: Micros]> | null
}

const LONG = 0xffffffff

export function createRows(capacity = 1024): Rows {
  return {
    length: 0,
    time: new Float64Array(capacity),
    kind: new Uint8Array(capacity),
    stage: new Int16Array(capacity),
    worker: new Int16Array(capacity),
    job: new Int32Array(capacity),
    beganAgo: new Uint32Array(capacity),
    endedAgo: new Uint32Array(capacity),
    long: null,
  }
}

/** Appends a row, growing the columns when they are full. */
export function pushRow(rows: Rows, time: Micros, kind: number, stage: number, worker: number, job: number): void {
  const i = rows.length
  if (i === rows.time.length) grow(rows)
  rows.time[i] = time
  rows.kind[i] = kind
  rows.stage[i] = stage
  rows.worker[i] = worker
  rows.job[i] = job
  rows.length = i + 1
}

/** Appends a `finished` row: the work on the job lasted from `began` to `ended`, and was reported at `time`. */
export function pushFinished(rows: Rows, time: Micros, stage: number, worker: number, job: number, began: Micros, ended: Micros): void {
  pushRow(rows, time, FINISHED, stage, worker, job)
  const i = rows.length - 1
  if (time - began < LONG) {
    rows.beganAgo[i] = time - began
    rows.endedAgo[i] = time - ended
    return
  }
  rows.beganAgo[i] = LONG
  rows.long ??= new Map()
  rows.long.set(i, [began, ended])
}

/** When the work on the job of a `finished` row began. */
export function beganAt(rows: Rows, i: number): Micros {
  const ago = rows.beganAgo[i]
  return ago === LONG ? longAt(rows, i)[0] : rows.time[i] - ago
}

/** When the work on the job of a `finished` row ended. */
export function endedAt(rows: Rows, i: number): Micros {
  return rows.beganAgo[i] === LONG ? longAt(rows, i)[1] : rows.time[i] - rows.endedAgo[i]
}

/** How long the work on the job of a `finished` row lasted. */
export function serviceAt(rows: Rows, i: number): Micros {
  const ago = rows.beganAgo[i]
  if (ago !== LONG) return ago - rows.endedAgo[i]
  const [began, ended] = longAt(rows, i)
  return ended - began
}

/** Throws a RangeError for an index outside. */
export function rowAt(rows: Rows, i: number): Row {
  if (!(i >= 0 && i < rows.length)) throw new RangeError(`row ${i} of ${rows.length}`)
  const time = rows.time[i]
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

/** Copies rows [from, to) of `source` to the end of `target`, which must have room for them. */
export function copyRows(source: Rows, from: number, to: number, target: Rows): void {
  const at = target.length
  for (const column of columns) (target[column] as Uint8Array).set((source[column] as Uint8Array).subarray(from, to), at)
  target.length = at + to - from
  if (source.long === null) return
  target.long ??= new Map()
  for (const [i, times] of source.long) if (i >= from && i < to) target.long.set(at + i - from, times)
}

/** A copy of exactly the rows it holds, whose buffers may be transferred to another thread. */
export function sliceRows(rows: Rows): Rows {
  const slice = createRows(rows.length)
  copyRows(rows, 0, rows.length, slice)
  return slice
}

export function clearRows(rows: Rows): void {
  rows.length = 0
  rows.long = null
}

const columns = ['time', 'kind', 'stage', 'worker', 'job', 'beganAgo', 'endedAgo'] as const

function grow(rows: Rows): void {
  const bigger = createRows(Math.max(16, rows.time.length * 2))
  const { long } = rows
  rows.long = null
  copyRows(rows, 0, rows.length, bigger)
  Object.assign(rows, bigger, { long })
}

function longAt(rows: Rows, i: number): readonly [Micros, Micros] {
  return rows.long?.get(i) ?? [rows.time[i], rows.time[i]]
}
