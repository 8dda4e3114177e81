import { isElastic } from '../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { NONE } from './rows.ts'
import { type Topology, workersEver } from './topology.ts'

export const ABSENT = 0
export const IDLE = 1
export const BUSY = 2
export const GONE = 3

/** Whether a worker with this status takes no part at present. */
export function isOutside(status: number): boolean {
  return status === ABSENT || status === GONE
}

/**
 * The state of a run as counts, in O(stages + workers) memory, so that a trace can keep many copies as checkpoints. Jobs, or parts of jobs, go
 * outside --> waiting[first] --> inHands[first] --> waiting[next] ... inHands[last] --> parked --> released, or fail in a queue;
 * jobs that threw or were lost return from hands to the queue. Where parts meet: inHands[a] --> gathering[join] --all parts--> waiting[join].
 */
export interface Counts {
  time: Micros
  arrived: number
  /** Arrived, but the first queue is full. */
  outside: number
  /** Served everywhere, waiting at the sink to leave in order. */
  parked: number
  released: number
  failed: number
  /** Taken back by their clients: to be sent again, and for good. */
  away: number
  gaveUp: number
  exhausted: boolean
  stopped: boolean
  /** The phase of the scenario that is in force: see `scenarioAtPhase`. */
  phase: number
  readonly waiting: Int32Array<ArrayBuffer>
  readonly inHands: Int32Array
  /** Parts of jobs that wait for the other parts, before the queue. */
  readonly gathering: Int32Array
  readonly finished: Int32Array
  readonly serviceSum: Float64Array
  readonly busy: Int32Array
  /** By worker. */
  readonly status: Uint8Array
  readonly stage: Int16Array
  readonly since: Float64Array
  /** Unfinished jobs that the worker has; how many of these are prefetched; 1 once a prefetched batch was announced. */
  readonly jobsInHand: Int32Array
  readonly prefetched: Int32Array
  readonly prefetching: Uint8Array
  readonly movedFrom: Int16Array
  readonly movedAt: Float64Array
  /** 1: dismissed while busy. The worker leaves after its last job. */
  readonly leaving: Uint8Array
  live: number
}

/** Returns the counts before the first row: idle workers without a stage, or none where the policy hires. */
export function createCounts(scenario: Scenario): Counts {
  const stages = scenario.stages.length
  const workers = workersEver(scenario)
  const present = isElastic(scenario.policy) ? 0 : scenario.workers
  const columns = columnsOn(new ArrayBuffer(stages * 28 + workers * 31), stages, workers)
  columns.status.fill(IDLE, 0, present)
  columns.stage.fill(NONE)
  columns.movedFrom.fill(NONE)
  const jobs = { arrived: 0, outside: 0, parked: 0, released: 0, failed: 0, away: 0, gaveUp: 0 }
  return { time: 0, ...jobs, exhausted: false, stopped: false, phase: 0, live: present, ...columns }
}

export function copyCounts(counts: Counts): Counts {
  return { ...counts, ...columnsOn(counts.waiting.buffer.slice(0), counts.waiting.length, counts.status.length) }
}

/** Counts as a checkpoint keeps them, with all columns in one buffer: a buffer each would take ten times as much memory. */
export interface KeptCounts extends Omit<Counts, keyof Columns> {
  readonly columns: ArrayBuffer
}

export function keepCounts(counts: Counts): KeptCounts {
  const { time, arrived, outside, parked, released, failed, away, gaveUp, exhausted, stopped, phase, live, waiting } =
    counts
  return {
    time,
    arrived,
    outside,
    parked,
    released,
    failed,
    away,
    gaveUp,
    exhausted,
    stopped,
    phase,
    live,
    columns: waiting.buffer.slice(0),
  }
}

/** Returns counts that may be changed. `like`: any counts of the same scenario. */
export function countsFrom({ columns, ...counts }: KeptCounts, like: Counts): Counts {
  return { ...counts, ...columnsOn(columns.slice(0), like.waiting.length, like.status.length) }
}

type Columns = ReturnType<typeof columnsOn>

/** Lays all columns into one buffer, the widest first, so that each is aligned. */
function columnsOn(memory: ArrayBuffer, stages: number, workers: number) {
  let at = 0
  const take = <T>(
    make: { new (memory: ArrayBuffer, at: number, length: number): T; readonly BYTES_PER_ELEMENT: number },
    length: number,
  ): T => {
    const column = new make(memory, at, length)
    at += length * make.BYTES_PER_ELEMENT
    return column
  }
  return {
    serviceSum: take(Float64Array<ArrayBuffer>, stages),
    since: take(Float64Array<ArrayBuffer>, workers),
    movedAt: take(Float64Array<ArrayBuffer>, workers),
    waiting: take(Int32Array<ArrayBuffer>, stages),
    inHands: take(Int32Array<ArrayBuffer>, stages),
    gathering: take(Int32Array<ArrayBuffer>, stages),
    finished: take(Int32Array<ArrayBuffer>, stages),
    busy: take(Int32Array<ArrayBuffer>, stages),
    jobsInHand: take(Int32Array<ArrayBuffer>, workers),
    prefetched: take(Int32Array<ArrayBuffer>, workers),
    stage: take(Int16Array<ArrayBuffer>, workers),
    movedFrom: take(Int16Array<ArrayBuffer>, workers),
    status: take(Uint8Array<ArrayBuffer>, workers),
    prefetching: take(Uint8Array<ArrayBuffer>, workers),
    leaving: take(Uint8Array<ArrayBuffer>, workers),
  }
}

/** Marks with 1 the stages that are done: no job can arrive, the queue is empty and no worker has one of its jobs. */
export function markDone(topology: Topology, counts: Counts, done: Uint8Array): void {
  // Nothing is done before the source is exhausted and no client will send a job again, and a stage that is done stays done.
  if (!counts.exhausted || counts.away > 0) return
  const { linear, order } = topology
  let over = counts.outside === 0
  for (let k = 0; k < done.length; k++) {
    const stage = order[k]
    if (!linear) over = nothingComes(topology, counts, stage, done)
    over = over && counts.waiting[stage] === 0 && counts.inHands[stage] === 0
    done[stage] = over ? 1 : 0
  }
}

/** Whether all stages before this one are done, or no job waits outside for it. */
export function nothingComes({ before }: Topology, { outside }: Counts, stage: number, done: Uint8Array): boolean {
  for (const from of before[stage]) if (done[from] === 0) return false
  return before[stage].length > 0 || outside === 0
}

/** Whether every admitted job has left, failed or been given up, no more can arrive, and no worker holds a part of a failed job. */
export function isDrained(counts: Counts): boolean {
  return (
    counts.exhausted &&
    counts.arrived === counts.released + counts.failed + counts.gaveUp &&
    counts.inHands.every((jobs) => jobs === 0)
  )
}

/** Returns how many jobs wait at the stages after this one. Where jobs are routed, each stage counts by its share. */
export function waitingAfter({ ways, shares }: Topology, { waiting }: Counts, stage: number): number {
  let jobs = 0
  for (let i = 0; i < ways[stage].length; i++) jobs += waiting[ways[stage][i]] * shares[stage][i]
  return jobs
}

/** Returns how many of a worker's jobs belong to the batch that it works at. */
export function frontOf({ jobsInHand, prefetched }: Counts, worker: number): number {
  return jobsInHand[worker] - prefetched[worker]
}

/** Adds one to `staffed` at the stage of each worker that is there, busy or idle. A worker has no stage before its first job. */
export function countStaffed({ status, stage }: Counts, staffed: { [stage: number]: number }): void {
  for (let w = 0; w < status.length; w++)
    if (stage[w] >= 0 && (status[w] === IDLE || status[w] === BUSY)) staffed[stage[w]]++
}
