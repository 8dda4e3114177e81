import type { Estimates } from '../allocation/estimate.ts'
import {
  beganAt,
  DISMISSED,
  endedAt,
  FINISHED,
  HIRED,
  JOINED,
  LOST,
  NONE,
  PREFETCH,
  type Rows,
  rowTime,
  STARTED,
  THREW,
} from '../pipeline/rows.ts'
import type { Shards } from '../pipeline/shards.ts'
import { type Topology, workersEver } from '../pipeline/topology.ts'
import { carries } from '../scenario/model/defaults.ts'
import { MAX_BATCH } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf } from '../scenario/model/schedule.ts'

/** An adaptive batch lasts for about a hundred messages between threads, and so long that a change of stage and a round trip cost a twentieth of it. */
const BATCH_TIME: Micros = 10_000
const COSTS = 20

/** Measured message times between scheduler and workers: see `RoundTrips`. */
export interface Messages {
  /** From a batch that is sent to its answer, without the work; 0: too little to count, or not measured yet. */
  readonly roundTrip: Micros
}

export const unmeasured: Messages = { roundTrip: 0 }

export interface Sizing {
  readonly scenario: Scenario
  readonly estimates: Pick<Estimates, 'count' | 'mean'>
  readonly stageOf: Int16Array
  readonly messages: Messages
}

/** Returns the batch size at place k for one of `workers`. It is 1 where jobs need a resource: a worker never holds one while it waits for another. */
export function sizeAt(
  { scenario, estimates, stageOf, messages }: Sizing,
  k: number,
  jobs: number,
  workers: number,
): number {
  const { stages, switchCost, policy } = scenario
  const fixed = scenario.batch.size
  if (fixed === 1) return 1
  const stage = stageOf[k]
  if (stages[stage].resource !== null) return 1
  if (fixed !== undefined) return fixed
  const mean =
    estimates.count[stage] === 0
      ? Number.POSITIVE_INFINITY
      : carries(policy.kind)
        ? meanOfStages(estimates)
        : estimates.mean[stage]
  return adaptiveSize(jobs, workers, mean, switchCost, messages.roundTrip)
}

/** Returns the mean service time over all measured stages: a batch that is carried through them lasts as long as others on average. */
function meanOfStages({ count, mean }: Sizing['estimates']): Micros {
  let sum = 0
  let measured = 0
  for (let stage = 0; stage < count.length; stage++) {
    if (count[stage] === 0) continue
    sum += mean[stage]
    measured++
  }
  return sum / measured
}

/** Returns the number of jobs that may be put into batches. With shards, the runnable jobs are only the first of each shard, and others go with them. */
export function jobsForBatches(
  { shards, counts }: { readonly shards: Shards | null; readonly counts: { readonly waiting: Int32Array } },
  stage: number,
  runnable: number,
): number {
  return shards === null ? runnable : counts.waiting[stage]
}

/** Returns ceil(jobs / workers), guided self-scheduling (Polychronopoulos and Kuck 1987), within BATCH_TIME. `mean` Infinity (unmeasured): 1. */
export function adaptiveSize(
  jobs: number,
  workers: number,
  mean: Micros,
  switchCost: Micros,
  roundTrip: Micros,
): number {
  const share = Math.ceil(jobs / Math.max(1, workers))
  const enough = Math.ceil((BATCH_TIME + COSTS * (switchCost + roundTrip)) / mean)
  return Math.max(1, Math.min(share, enough, MAX_BATCH))
}

/** Whether workers get a second batch before they have finished the first. Never where a worker finishes its jobs before the next. */
export function prefetches({ batch, policy }: Scenario): boolean {
  return batch.inHand === 2 && policy.kind !== 'single' && !carries(policy.kind)
}

/** Used for the last stage of a worker whose thread may still be starting. */
const STARTING = -2

/** Time from order to report without service. It falls at once to a new measurement and rises by an eighth per batch: one answer may be late. */
export class RoundTrips implements Messages {
  /** The mean over the present and measured workers; 0 if there are none. */
  roundTrip: Micros = 0
  private total: Micros = 0
  private measured = 0
  /** By worker: its round trip, NaN: not measured. */
  private readonly trips: Float64Array
  /** By worker: when its present batch was given (NaN: the batch tells nothing), and how many jobs that has. */
  private readonly givenAt: Float64Array
  private readonly jobs: Int32Array
  /** By worker: the stage of its batch before, NONE: it had none. */
  private readonly origin: Int16Array
  /** Whether the first batch of a worker costs a change of stage too. */
  firstCosts: boolean
  private readonly exclusive: Uint8Array
  private readonly stagesCost: boolean
  private readonly groupsCost: boolean

  constructor(scenario: Scenario, { exclusive }: Pick<Topology, 'exclusive'>) {
    const workers = workersEver(scenario)
    const phases = phasesOf(scenario)
    this.trips = new Float64Array(workers).fill(Number.NaN)
    this.givenAt = new Float64Array(workers).fill(Number.NaN)
    this.jobs = new Int32Array(workers)
    this.origin = new Int16Array(workers).fill(NONE)
    this.exclusive = exclusive
    this.firstCosts = scenario.stages.some(({ startUp }) => startUp !== null)
    this.stagesCost = this.firstCosts || phases.some(({ switchCost }) => switchCost > 0)
    this.groupsCost = phases.some(({ groupSwitchCost }) => groupSwitchCost > 0)
  }

  /** Reads the rows from `from` on. Consecutive `started` rows of one worker are one batch, and so are as many `finished` rows. */
  take(rows: Rows, from: number): void {
    const { kind, worker, stage, length } = rows
    for (let i = from; i < length; i++) {
      const w = worker[i]
      switch (kind[i]) {
        case STARTED:
          i = this.order(rows, i)
          break
        case FINISHED:
          i = this.answer(rows, i)
          break
        case THREW:
          this.noteOrigin(w, stage[i])
          break
        case LOST:
        case DISMISSED:
          this.forget(w)
          break
        case JOINED:
          this.noteOrigin(w, NONE)
          break
        case HIRED:
          this.noteOrigin(w, STARTING)
      }
    }
  }

  /** Whether only messages delay the start of a batch: the worker's thread runs, and it need not change stage or wait for a resource. */
  private tells(worker: number, stage: number): boolean {
    const before = this.origin[worker]
    if (before === STARTING || this.exclusive[stage] === 1) return false
    if (before === NONE) return !this.firstCosts
    return !this.groupsCost && (!this.stagesCost || before === stage)
  }

  /** Notes the order that begins with row `first`, unless it is of a second batch. Returns its last row. */
  private order(rows: Rows, first: number): number {
    const { kind, worker, stage, length } = rows
    const w = worker[first]
    let last = first
    while (last + 1 < length && kind[last + 1] === STARTED && worker[last + 1] === w) last++
    if (first > 0 && kind[first - 1] === PREFETCH) return last
    this.givenAt[w] = this.tells(w, stage[first]) ? rowTime(rows, first) : Number.NaN
    this.jobs[w] = last - first + 1
    return last
  }

  /** Notes the answer that begins with row `first`. Returns its last row. */
  private answer(rows: Rows, first: number): number {
    const w = rows.worker[first]
    const given = this.givenAt[w]
    const most = Math.min(rows.length, first + Math.max(1, this.jobs[w])) - 1
    let last = first
    // A batch of which a part threw has fewer.
    while (last < most && rows.kind[last + 1] === FINISHED && rows.worker[last + 1] === w) last++
    this.noteOrigin(w, rows.stage[first])
    if (Number.isNaN(given)) return last
    let began = beganAt(rows, first)
    let ended = endedAt(rows, first)
    for (let i = first + 1; i <= last; i++) {
      began = Math.min(began, beganAt(rows, i))
      ended = Math.max(ended, endedAt(rows, i))
    }
    this.note(w, rowTime(rows, first) - given - (ended - began))
    return last
  }

  private note(worker: number, took: Micros): void {
    const before = this.trips[worker]
    const known = !Number.isNaN(before)
    const trip = known ? Math.min(took, before + Math.floor(before / 8) + 1) : took
    this.trips[worker] = trip
    this.total += known ? trip - before : trip
    if (!known) this.measured++
    this.roundTrip = this.total / this.measured
  }

  /** A batch that the worker already has beside this one begins at its end, so it tells nothing about messages. */
  private noteOrigin(worker: number, stage: number): void {
    this.origin[worker] = stage
    this.givenAt[worker] = Number.NaN
    this.jobs[worker] = 0
  }

  private forget(worker: number): void {
    this.givenAt[worker] = Number.NaN
    if (Number.isNaN(this.trips[worker])) return
    this.total -= this.trips[worker]
    this.measured--
    this.trips[worker] = Number.NaN
    this.roundTrip = this.measured === 0 ? 0 : this.total / this.measured
  }
}

/** Returns the round trips of a scenario; null where no batch adapts to them. */
export function roundTripsOf(scenario: Scenario, topology: Topology): RoundTrips | null {
  return phasesOf(scenario).some((phase) => phase.batch.size === undefined) ? new RoundTrips(scenario, topology) : null
}
