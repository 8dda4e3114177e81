import {
  ARRIVED,
  DISMISSED,
  FAILED,
  FINISHED,
  GATHERED,
  LOST,
  NONE,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  SECOND,
  STARTED,
  serviceAt,
  THREW,
} from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../trace/trace.ts'

/** Where a job may be. Waiting: in the queue of a stage, or outside the first one because it is full. Parked: served everywhere, waiting to leave in order. */
export const TO_COME = 0
export const WAITING = 1
export const IN_HANDS = 2
export const PARKED = 3
export const OUT = 4
export const GIVEN_UP = 5

/** A place in one number: what, at which stage, in whose hands; 0 for what does not apply. */
const STAGES = 256
const WORKERS = 512
const placeOf = (what: number, stage = 0, worker = 0): number => (what * STAGES + stage) * WORKERS + worker
export const whatOf = (place: number): number => Math.floor(place / (STAGES * WORKERS))
export const stageOf = (place: number): number => Math.floor(place / WORKERS) % STAGES
export const workerOf = (place: number): number => place % WORKERS

/**
 * Where every job is at an instant, as `moveTo` left it. Each move from one place to another is noted with both of them,
 * so that time runs either way at the price of what happened in between; 20 bytes a move. Of a job that is in several places
 * at once, in parts, it is the place that one of them has come to last; of parts that wait for each other, the join.
 */
export interface JobPlaces {
  readonly trace: Trace
  /** Where each job is, by its number. */
  places: Int32Array
  /** Rows taken in, and moves noted. */
  rows: number
  moves: number
  time: Float64Array
  job: Int32Array
  from: Int32Array
  to: Int32Array
  /** How many of the moves have been made. */
  made: number
  /** By job, after all rows taken in. */
  latest: Int32Array
  /** By worker: the batch that it works at, and the one behind, from when that is announced until it is begun. */
  readonly hands: number[][]
  readonly behind: (number[] | null)[]
  /** By worker: the stage of what it has in hand. */
  readonly posts: number[]
  /** By job: how long it has been worked on in all, after all rows taken in. */
  readonly worked: Float64Array
}

export function createJobPlaces(trace: Trace, jobs: number): JobPlaces {
  return {
    trace,
    places: new Int32Array(jobs),
    rows: 0,
    moves: 0,
    time: new Float64Array(0),
    job: new Int32Array(0),
    from: new Int32Array(0),
    to: new Int32Array(0),
    made: 0,
    latest: new Int32Array(jobs),
    hands: [],
    behind: [],
    posts: [],
    worked: new Float64Array(jobs),
  }
}

/** Takes in at most `most` of the rows the trace has got since the last time; returns whether it is up to date. */
export function extendJobPlaces(log: JobPlaces, most = Infinity): boolean {
  const { trace } = log
  const end = Math.min(trace.length, log.rows + most)
  eachRow(trace, log.rows, end, (rows, i) => take(log, rows, i))
  log.rows = end
  return end === trace.length
}

/** Makes, or takes back, the moves between the instant it stands at and `t`, with all that happened at `t`; as far as rows have been taken in. */
export function moveJobsTo(log: JobPlaces, t: Micros): void {
  const { places, time, job, from, to } = log
  while (log.made < log.moves && time[log.made] <= t) {
    places[job[log.made]] = to[log.made]
    log.made++
  }
  while (log.made > 0 && time[log.made - 1] > t) {
    log.made--
    places[job[log.made]] = from[log.made]
  }
}

function take(log: JobPlaces, rows: Rows, i: number): void {
  const { topology } = log.trace
  const time = rowTime(rows, i)
  const job = rows.job[i]
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  switch (rows.kind[i]) {
    case ARRIVED:
      note(log, time, job, placeOf(WAITING, topology.first))
      return
    case STARTED:
      ;(log.behind[worker] ?? handOf(log, worker)).push(job)
      log.posts[worker] = stage
      note(log, time, job, placeOf(IN_HANDS, stage, worker))
      return
    case SECOND:
      log.behind[worker] = []
      return
    case FINISHED: {
      const hand = handOf(log, worker)
      hand.splice(hand.indexOf(job), 1)
      if (hand.length === 0) goOn(log, worker)
      log.worked[job] += serviceAt(rows, i)
      if (isOut(log, job)) return
      // Where it is routed the next row says where to.
      if (topology.ways[stage].length === 0) note(log, time, job, placeOf(PARKED))
      else if (topology.routes[stage] === 0) note(log, time, job, placeOf(WAITING, topology.ways[stage][0]))
      return
    }
    case ROUTED:
    case GATHERED:
      note(log, time, job, stage === NONE ? placeOf(PARKED) : placeOf(WAITING, stage))
      return
    case RELEASED:
      note(log, time, job, placeOf(OUT))
      return
    case FAILED:
      note(log, time, job, placeOf(GIVEN_UP, stage))
      return
    case THREW:
    case LOST:
    case DISMISSED:
      // Who is dismissed while it waits for a resource lays its job back; who works finishes first.
      if (rows.kind[i] === DISMISSED && job === NONE) return
      layBack(log, time, worker)
      if (rows.kind[i] === LOST) layBack(log, time, worker)
  }
}

/** The batch that a worker is at goes back to the queue it came from. */
function layBack(log: JobPlaces, time: Micros, worker: number): void {
  for (const job of handOf(log, worker)) if (!isOut(log, job)) note(log, time, job, placeOf(WAITING, log.posts[worker]))
  goOn(log, worker)
}

/** Whether a job has failed: parts of it may still be in hands. */
function isOut({ latest }: JobPlaces, job: number): boolean {
  return whatOf(latest[job]) === GIVEN_UP
}

function goOn({ hands, behind }: JobPlaces, worker: number): void {
  hands[worker] = behind[worker] ?? []
  behind[worker] = null
}

function handOf({ hands }: JobPlaces, worker: number): number[] {
  hands[worker] ??= []
  return hands[worker]
}

function note(log: JobPlaces, time: Micros, job: number, to: number): void {
  if (log.moves === log.time.length) {
    log.time = grown(log.time)
    log.job = grown(log.job)
    log.from = grown(log.from)
    log.to = grown(log.to)
  }
  log.time[log.moves] = time
  log.job[log.moves] = job
  log.from[log.moves] = log.latest[job]
  log.to[log.moves] = to
  log.moves++
  log.latest[job] = to
}

function grown<T extends Float64Array | Int32Array>(column: T): T {
  const bigger = new (column.constructor as new (length: number) => T)(column.length * 2 + 1024)
  bigger.set(column)
  return bigger
}
