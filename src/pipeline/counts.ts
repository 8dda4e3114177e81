import { crewOf, isElastic } from '../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { NONE } from './rows.ts'
import { type Topology, workersEver } from './topology.ts'

export const ABSENT = 0
export const IDLE = 1
export const BUSY = 2
export const GONE = 3

/**
 * Where everything is, as counts: O(stages + workers), so that a trace can keep many of them as checkpoints.
 *
 *   outside --> waiting[first] --> inHands[first] --> waiting[next] ... inHands[last] --> parked --> released
 *                   ^------- threw, lost ------|                                      (or failed, from a queue)
 *
 * Where jobs are copied these are parts of jobs, and where parts meet they stop over:
 *
 *   inHands[a] --> gathering[join] --all parts--> waiting[join]
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
  exhausted: boolean
  stopped: boolean
  /** Turns of the scenario so far: see `afterTurns`. */
  phase: number
  /** By stage. */
  readonly waiting: Int32Array<ArrayBuffer>
  readonly inHands: Int32Array
  /** Parts of jobs that wait for others, before the queue. */
  readonly gathering: Int32Array
  readonly finished: Int32Array
  readonly serviceSum: Float64Array
  readonly busy: Int32Array
  /** By worker. */
  readonly status: Uint8Array
  readonly stage: Int16Array
  readonly since: Float64Array
  /** Jobs in hand; of these, jobs of the second batch; 1: has been given a second batch. */
  readonly hand: Int32Array
  readonly prefetched: Int32Array
  readonly prefetching: Uint8Array
  readonly movedFrom: Int16Array
  readonly movedAt: Float64Array
  /** 1: dismissed while busy, and goes when its hand is empty. */
  readonly leaving: Uint8Array
  live: number
}

/** How things stand before the first row: a crew of idle workers that have no post yet, or none where the policy hires. */
export function createCounts(scenario: Scenario): Counts {
  const stages = scenario.stages.length
  const workers = workersEver(scenario)
  const present = isElastic(scenario.policy) ? 0 : crewOf(scenario)
  const columns = columnsOn(new ArrayBuffer(stages * 28 + workers * 31), stages, workers)
  columns.status.fill(IDLE, 0, present)
  columns.stage.fill(NONE)
  columns.movedFrom.fill(NONE)
  return {
    time: 0,
    arrived: 0,
    outside: 0,
    parked: 0,
    released: 0,
    failed: 0,
    exhausted: false,
    stopped: false,
    phase: 0,
    live: present,
    ...columns,
  }
}

export function copyCounts(counts: Counts): Counts {
  return { ...counts, ...columnsOn(counts.waiting.buffer.slice(0), counts.waiting.length, counts.status.length) }
}

/** A tally as it is kept, where there are thousands: its columns in one piece of memory, since each by itself takes ten times its numbers. */
export interface KeptCounts extends Omit<Counts, keyof Columns> {
  readonly columns: ArrayBuffer
}

export function keepCounts({ time, arrived, outside, parked, released, failed, exhausted, stopped, phase, live, waiting }: Counts): KeptCounts {
  return { time, arrived, outside, parked, released, failed, exhausted, stopped, phase, live, columns: waiting.buffer.slice(0) }
}

/** A copy that may go on; `like`: any tally of the same scenario. */
export function countsFrom({ columns, ...counts }: KeptCounts, like: Counts): Counts {
  return { ...counts, ...columnsOn(columns.slice(0), like.waiting.length, like.status.length) }
}

type Columns = ReturnType<typeof columnsOn>

/** All columns in one piece of memory, the widest first, so that each begins where its numbers may. */
function columnsOn(memory: ArrayBuffer, stages: number, workers: number) {
  let at = 0
  const take = <T>(make: { new (memory: ArrayBuffer, at: number, length: number): T; readonly BYTES_PER_ELEMENT: number }, length: number): T => {
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
    hand: take(Int32Array<ArrayBuffer>, workers),
    prefetched: take(Int32Array<ArrayBuffer>, workers),
    stage: take(Int16Array<ArrayBuffer>, workers),
    movedFrom: take(Int16Array<ArrayBuffer>, workers),
    status: take(Uint8Array<ArrayBuffer>, workers),
    prefetching: take(Uint8Array<ArrayBuffer>, workers),
    leaving: take(Uint8Array<ArrayBuffer>, workers),
  }
}

/**
 * Marks the stages that are done with 1: the source is exhausted, all stages before are done, the queue is empty and
 * none of its jobs is in anyone's hands.
 */
export function markDone(topology: Topology, counts: Counts, done: Uint8Array): void {
  // Nothing is done before the source is exhausted, and nothing that is done is ever undone.
  if (!counts.exhausted) return
  const { linear, order, before } = topology
  let over = counts.outside === 0
  for (let k = 0; k < done.length; k++) {
    const stage = order[k]
    if (!linear) over = before[stage].length === 0 ? counts.outside === 0 : areDone(before[stage], done)
    over = over && counts.waiting[stage] === 0 && counts.inHands[stage] === 0
    done[stage] = over ? 1 : 0
  }
}

function areDone(stages: Int16Array, done: Uint8Array): boolean {
  for (let i = 0; i < stages.length; i++) if (done[stages[i]] === 0) return false
  return true
}

/** Whether every admitted job has left or failed, no more can come, and nobody still serves a part of one that has failed. */
export function isDrained(counts: Counts): boolean {
  return counts.exhausted && counts.arrived === counts.released + counts.failed && counts.inHands.every((jobs) => jobs === 0)
}

/**
 * How many jobs press back on a stage from behind: those that wait at the stages it leads to, where jobs are routed each in
 * proportion to its share.
 */
export function waitingAfter({ ways, shares }: Topology, { waiting }: Counts, stage: number): number {
  let jobs = 0
  for (let i = 0; i < ways[stage].length; i++) jobs += waiting[ways[stage][i]] * shares[stage][i]
  return jobs
}

/** How many jobs of a worker's hand are of the batch that it works at. */
export function frontOf({ hand, prefetched }: Counts, worker: number): number {
  return hand[worker] - prefetched[worker]
}

/** Adds one to the stage of each worker that is there, busy or idle. Before its first post a worker has no stage. */
export function countPosted({ status, stage }: Counts, posted: { [stage: number]: number }): void {
  for (let w = 0; w < status.length; w++) if (stage[w] >= 0 && (status[w] === IDLE || status[w] === BUSY)) posted[stage[w]]++
}
