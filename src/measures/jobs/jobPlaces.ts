import { grown } from '../../pipeline/column.ts'
import {
  ARRIVED,
  FAILED,
  FINISHED,
  GATHERED,
  GAVE_UP,
  NONE,
  RELEASED,
  RENEGED,
  RETRIED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
} from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../trace/follow.ts'
import { eachRow, followTrace, rowsUntil, type Trace } from '../../trace/trace.ts'

/** Where a job may be. Parked: served everywhere, waiting to leave in order. */
export const TO_COME = 0
export const WAITING = 1
export const IN_HANDS = 2
export const PARKED = 3
export const OUT = 4
export const GIVEN_UP = 5

/** A place as one number: the kind, the stage and the worker, 0 for what does not apply. */
const STAGES = 256
const WORKERS = 512
const placeOf = (what: number, stage = 0, worker = 0): number => (what * STAGES + stage) * WORKERS + worker
export const kindOfPlace = (place: number): number => Math.floor(place / (STAGES * WORKERS))
export const stageOf = (place: number): number => Math.floor(place / WORKERS) % STAGES
export const workerOf = (place: number): number => place % WORKERS

/** Returns where every job is after the last `moveJobsTo`; of parts, the one that moved last. 20 bytes a move. */
export function createJobPlaces(trace: Trace, jobs: number) {
  return {
    ...createFollower(trace, true),
    /** Where each job is, by its number. */
    places: new Int32Array(jobs),
    moves: 0,
    time: new Float64Array(0),
    job: new Int32Array(0),
    from: new Int32Array(0),
    to: new Int32Array(0),
    /** How many of the moves are applied. */
    made: 0,
    /** By job, after all rows read. */
    latest: new Int32Array(jobs),
    /** By job: how long it was worked on, over all rows read. */
    worked: new Float64Array(jobs),
  }
}

export type JobPlaces = ReturnType<typeof createJobPlaces>

/** Reads at most `maxRows` new rows of the trace. Returns whether it is up to date. */
export function extendJobPlaces(log: JobPlaces, maxRows = Infinity): boolean {
  return follow(log, maxRows, (rows, i, back) => take(log, rows, i, back))
}

/** Applies or undoes the moves up to and at `t`. */
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

function take(log: JobPlaces, rows: Rows, i: number, back: readonly number[]): void {
  const { counts, trace } = log
  const { topology } = trace
  const time = rowTime(rows, i)
  const job = rows.job[i]
  const stage = rows.stage[i]
  for (const returned of back)
    if (!hasFailed(log, returned)) note(log, time, returned, placeOf(WAITING, counts.stage[rows.worker[i]]))
  switch (rows.kind[i]) {
    case ARRIVED:
    case RETRIED:
      note(log, time, job, placeOf(WAITING, topology.first))
      return
    case STARTED:
      note(log, time, job, placeOf(IN_HANDS, stage, rows.worker[i]))
      return
    case FINISHED:
      log.worked[job] += rows.lasted[i]
      if (hasFailed(log, job)) return
      // The next row tells where it is routed.
      if (topology.ways[stage].length === 0) note(log, time, job, placeOf(PARKED))
      else if (topology.routes[stage] === 0) note(log, time, job, placeOf(WAITING, topology.ways[stage][0]))
      return
    case ROUTED:
    case GATHERED:
      note(log, time, job, stage === NONE ? placeOf(PARKED) : placeOf(WAITING, stage))
      return
    case RELEASED:
      note(log, time, job, placeOf(OUT))
      return
    case RENEGED:
      note(log, time, job, placeOf(TO_COME))
      return
    case FAILED:
    case GAVE_UP:
      note(log, time, job, placeOf(GIVEN_UP, stage === NONE ? topology.first : stage))
  }
}

/** Whether a job has failed. Parts of it may still be in hands. */
function hasFailed({ latest }: JobPlaces, job: number): boolean {
  return kindOfPlace(latest[job]) === GIVEN_UP
}

function note(log: JobPlaces, time: Micros, job: number, to: number): void {
  if (log.moves === log.time.length) {
    log.time = grown(log.time, log.moves)
    log.job = grown(log.job, log.moves)
    log.from = grown(log.from, log.moves)
    log.to = grown(log.to, log.moves)
  }
  log.time[log.moves] = time
  log.job[log.moves] = job
  log.from[log.moves] = log.latest[job]
  log.to[log.moves] = to
  log.moves++
  log.latest[job] = to
}

/** Returns when each job first started at one stage, in 8 bytes a job. */
export function createFirstStarts(trace: Trace, stage: number) {
  return {
    trace,
    stage,
    rows: 0,
    /** One more than the greatest number of a job that has started here. */
    jobs: 0,
    /** By job; Infinity until it starts. */
    startedAt: new Float64Array(0),
  }
}

export type FirstStarts = ReturnType<typeof createFirstStarts>

/** Reads at most `maxRows` new rows of the trace. Returns whether it is up to date. */
export function extendFirstStarts(begins: FirstStarts, maxRows = Infinity): boolean {
  return followTrace(begins.trace, begins, maxRows, (rows, i) => noteStart(begins, rows, i))
}

function noteStart(begins: FirstStarts, rows: Rows, i: number): void {
  const { kind, stage, job } = rows
  if (kind[i] !== STARTED || stage[i] !== begins.stage) return
  const k = job[i]
  if (k >= begins.startedAt.length) begins.startedAt = grown(begins.startedAt, k + 1, Infinity)
  if (k >= begins.jobs) begins.jobs = k + 1
  const time = rowTime(rows, i)
  if (time < begins.startedAt[k]) begins.startedAt[k] = time
}

/** Returns when the job first started; Infinity if it has not. */
export function firstStartOf({ startedAt: beganAt }: FirstStarts, job: number): Micros {
  return beganAt[job] ?? Infinity
}

/** Returns one more than the greatest number of a job that started before `t`. */
export function firstUnstartedJob({ startedAt: beganAt, jobs }: FirstStarts, t: Micros): number {
  for (let job = jobs - 1; job >= 0; job--) if (beganAt[job] < t) return job + 1
  return 0
}

/** Returns by stage the first job whose service time has not influenced the run before `at`. */
export function firstUntouchedJobs(trace: Trace, at: Micros): readonly number[] {
  const { stages } = trace.scenario
  const started = new Array<number>(stages.length).fill(0)
  let arrived = 0
  eachRow(trace, 0, rowsUntil(trace, at - 1), ({ kind, stage, job }, i) => {
    if (kind[i] === STARTED && job[i] >= started[stage[i]]) started[stage[i]] = job[i] + 1
    else if (kind[i] === ARRIVED && job[i] >= arrived) arrived = job[i] + 1
  })
  return started.map((jobs, s) => (stages[s].discipline === 'shortest' ? arrived : jobs))
}
