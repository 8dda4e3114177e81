import { frontOf } from '../../pipeline/counts.ts'
import {
  beganAt,
  DISMISSED,
  endedAt,
  FINISHED,
  HIRED,
  JOINED,
  LOST,
  NONE,
  PHASE,
  type Rows,
  rowTime,
  STARTED,
  THREW,
} from '../../pipeline/rows.ts'
import { createSwitchCosts } from '../../pipeline/switchCosts.ts'
import {
  beginsBatch,
  createResourceQueues,
  joinResourceQueue,
  leaveResourceQueue,
  waitsForResource,
} from '../../pipeline/workerJobs.ts'
import { isRealTime } from '../../scenario/model/engines.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../trace/follow.ts'
import { eachRow, endOf, type Trace } from '../../trace/trace.ts'
import { startUpsOf } from '../../workload/service.ts'
import { groupingIn } from '../frame/frame.ts'

/** One batch of one worker, from its order to its report. */
export interface ServedBatch {
  /** Batches are numbered from 0 in the order of their orders. */
  readonly index: number
  readonly stage: number
  readonly worker: number
  /** Its services are entries `from` to `from + jobs - 1` of the columns. */
  readonly from: number
  jobs: number
  readonly ordered: Micros
  /** Whether it was ordered while its worker was at another batch. */
  readonly prefetched: boolean
  /** When the worker could start it: at its order, after its last batch, or with the resource. */
  ready: Micros
  reported: Micros
  /** Not all jobs were served: a job threw, or the worker was lost. */
  undone: boolean
  /** What start-up and changes cost before the first job. */
  switchCost: Micros
}

/** Its functions are called for each batch while the rows are read. */
export interface BatchVisitor {
  /** A worker got a batch, of which `job` is the first. */
  ordered?(batch: ServedBatch, job: number): void
  /** The batch could not begin before another batch ended, or was reported. */
  awaited?(batch: ServedBatch, other: ServedBatch, reported: boolean): void
  /** The batch is over. `thrown`: the job that threw or was put back; NONE if the row names no job. */
  closed?(batch: ServedBatch, thrown: number): void
}

/** Returns a fold of the rows into batches. By service: its job, and when its work began and ended (NaN: undone). */
export function createBatches(trace: Trace, visitor: BatchVisitor) {
  const { scenario, topology } = trace
  const follower = createFollower(trace)
  const workers = follower.counts.status.length
  const groupOf = groupingIn(trace)
  let started = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === STARTED) started++
  })
  return {
    ...follower,
    visitor,
    job: new Int32Array(started),
    began: new Float64Array(started).fill(Number.NaN),
    ended: new Float64Array(started).fill(Number.NaN),
    services: 0,
    ordered: 0,
    /** By worker: its batches, the current one first; and the batch before. */
    held: Array.from({ length: workers }, (): ServedBatch[] => []),
    before: new Array<ServedBatch | undefined>(workers).fill(undefined),
    switchCosts: createSwitchCosts(scenario, workers, groupOf, startUpsOf(scenario)),
    phaseTimes: [] as Micros[],
    /** By stage, 1: the switch cost is fixed at the order, as threads get batches at once. */
    sentAtOnce: topology.exclusive.map((exclusive) => (isRealTime(trace.engine) ? 1 - exclusive : 0)),
    resourceQueues: createResourceQueues(scenario, workers, groupOf),
  }
}

export type Batches = ReturnType<typeof createBatches>

/** Reads at most `maxRows` rows. Returns whether all have been read. */
export function extendBatches(batches: Batches, maxRows = Infinity): boolean {
  return follow(batches, maxRows, (rows, i) => take(batches, rows, i))
}

/** Closes the batches that are not finished when the trace ends, as undone. */
export function closeBatches(batches: Batches): void {
  for (const worker of batches.held.keys()) close(batches, worker, endOf(batches.trace), NONE, true)
}

/** Returns by stage how long workers waited for a resource in the first `rows` rows. */
export function resourceWaits(trace: Trace, rows: number, end: Micros): Float64Array {
  const waits = new Float64Array(trace.topology.stages)
  // Without resources no batch has to be read.
  if (createResourceQueues(trace.scenario, 0, () => 0) === null) return waits
  const add = (batch: ServedBatch, until: Micros) => {
    if (!batch.prefetched)
      waits[batch.stage] += (isWaitingForResource(batches, batch) ? until : batch.ready) - batch.ordered
  }
  const batches: Batches = createBatches(trace, { closed: (batch) => add(batch, batch.reported) })
  extendBatches(batches, rows)
  for (const [current] of batches.held) if (current !== undefined) add(current, end)
  return waits
}

export function isWaitingForResource({ resourceQueues }: Batches, { worker }: ServedBatch): boolean {
  return resourceQueues !== null && waitsForResource(resourceQueues, worker)
}

function take(batches: Batches, rows: Rows, i: number): void {
  const { held, switchCosts, phaseTimes } = batches
  const worker = rows.worker[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  switch (rows.kind[i]) {
    case STARTED:
      order(batches, rows.stage[i], worker, job, time)
      break
    case FINISHED:
      finish(batches, worker, job, rows, i)
      break
    case THREW:
      close(batches, worker, time, job, true)
      switchCosts.stoppedAt(worker, job)
      break
    case LOST:
      while (held[worker].length > 0) close(batches, worker, time, NONE, true)
      break
    case DISMISSED:
      // A worker that waits for a resource puts its job back. Others finish first.
      while (job !== NONE && held[worker].length > 0) close(batches, worker, time, job, true)
      break
    case HIRED:
    case JOINED:
      switchCosts.forget(worker)
      if (rows.kind[i] === HIRED) switchCosts.startUp(worker, rows.stage[i], time)
      break
    case PHASE:
      phaseTimes.push(time)
  }
}

function order(batches: Batches, stage: number, worker: number, job: number, time: Micros): void {
  const { held, counts, resourceQueues, visitor } = batches
  const from = batches.services++
  batches.job[from] = job
  const own = held[worker]
  if (own.length === 0) batches.switchCosts.startUp(worker, stage, time)
  if (!beginsBatch(counts, worker)) {
    own[own.length - 1].jobs++
    return
  }
  const times = { ordered: time, ready: time, reported: Number.NaN }
  const batch: ServedBatch = {
    index: batches.ordered++,
    stage,
    worker,
    from,
    jobs: 1,
    ...times,
    prefetched: own.length > 0,
    undone: false,
    switchCost: 0,
  }
  visitor.ordered?.(batch, job)
  own.push(batch)
  if (resourceQueues !== null) joinResourceQueue(resourceQueues, stage, worker, job)
}

function finish(batches: Batches, worker: number, job: number, rows: Rows, i: number): void {
  const left = frontOf(batches.counts, worker)
  const { from, jobs } = batches.held[worker][0]
  // Rows of a batch are in the order of jobs, which is mostly that of service.
  const next = from + jobs - left
  const k = batches.job[next] === job ? next : batches.job.indexOf(job, from)
  batches.began[k] = beganAt(rows, i)
  batches.ended[k] = endedAt(rows, i)
  if (left === 1) close(batches, worker, rowTime(rows, i), NONE, false)
}

/** Ends a batch: the prefetched one begins, and the next worker gets the resource. */
function close(batches: Batches, worker: number, time: Micros, thrown: number, undone: boolean): void {
  const { held, before, resourceQueues, switchCosts, phaseTimes, sentAtOnce, job, ended, visitor } = batches
  const batch = held[worker].shift()
  if (batch === undefined) return
  const { stage, from, ready, ordered } = batch
  const last = from + batch.jobs - 1
  batch.reported = time
  batch.undone = undone
  // Over a network the report comes after the worker has continued, and settles the cost.
  const settled = sentAtOnce[stage] === 1 ? ordered : Math.max(ready, before[worker]?.reported ?? 0)
  batch.switchCost = switchCosts.before(
    worker,
    stage,
    [job[from], job[last]],
    phaseTimes.filter((at) => at <= settled).length,
    settled,
  )
  visitor.closed?.(batch, thrown)
  before[worker] = batch
  const [next] = held[worker]
  const end = undone ? time : ended[last]
  // A batch that was ordered later than the end is like any other.
  if (next !== undefined && (undone || next.ordered <= end)) begin(batches, next, end, batch, undone)
  const granted = resourceQueues === null ? NONE : leaveResourceQueue(resourceQueues, worker)
  if (granted !== NONE) begin(batches, held[granted][0], time, batch, true)
}

function begin({ visitor }: Batches, batch: ServedBatch, ready: Micros, other: ServedBatch, reported: boolean): void {
  batch.ready = ready
  visitor.awaited?.(batch, other, reported)
}
