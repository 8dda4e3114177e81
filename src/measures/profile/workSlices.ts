import { resized } from '../../pipeline/column.ts'
import { countRow } from '../../pipeline/countRow.ts'
import { createCounts, frontOf } from '../../pipeline/counts.ts'
import { beganAt, DISMISSED, endedAt, FINISHED, HIRED, JOINED, LOST, NONE, PHASE, type Rows, rowTime, STARTED, THREW } from '../../pipeline/rows.ts'
import { createSwitchCosts } from '../../pipeline/switchCosts.ts'
import { workersEver } from '../../pipeline/topology.ts'
import {
  beginsBatch,
  createResourceQueues,
  createWorkerJobs,
  joinResourceQueue,
  leaveResourceQueue,
  updateWorkerJobs,
  waitsForResource,
} from '../../pipeline/workerJobs.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, endOf, type Trace } from '../../trace/trace.ts'
import { groupingIn } from '../frame/frame.ts'

/** What a worker spends time on: a job that it finishes, work that is thrown away, a change of stage or group, the wait for a resource. */
export const WORK = 0
export const THROWN_AWAY = 1
export const STAGE_CHANGE = 2
export const GROUP_CHANGE = 3
export const RESOURCE_WAIT = 4

/** A stretch of a worker's time. */
export interface WorkSlice {
  readonly what: number
  readonly stage: number
  readonly job: number
  readonly began: Micros
  readonly ended: Micros
}

/** The slices of each worker, in order of time and without overlaps. 23 bytes a slice. */
export interface WorkSlices {
  readonly by: readonly (readonly number[])[]
  at(slice: number): WorkSlice
}

/**
 * Returns what the workers of a run did, in one pass over its rows. What a worker had in hand at the end of the run counts as thrown away.
 * Clocks of threads may let a job begin before the last has ended. It is cut to begin there.
 */
export function workSlices(trace: Trace): WorkSlices {
  const fold = createFold(trace)
  eachRow(trace, 0, trace.length, (rows, i) => take(fold, trace, rows, i))
  for (let w = 0; w < fold.ready.length; w++) if (fold.hands[w].length > 0) drop(fold, w, NONE, endOf(trace))
  const { what, stage, job, began, ended, by } = fold
  return { by, at: (k) => ({ what: what[k], stage: stage[k], job: job[k], began: began[k], ended: ended[k] }) }
}

function createFold(trace: Trace) {
  const { scenario } = trace
  const workers = workersEver(scenario)
  const groupOf = groupingIn(trace)
  return {
    /** By slice. */
    length: 0,
    what: new Uint8Array(64),
    stage: new Int16Array(64),
    job: new Int32Array(64),
    began: new Float64Array(64),
    ended: new Float64Array(64),
    by: Array.from({ length: workers }, (): number[] => []),
    counts: createCounts(scenario),
    hands: createWorkerJobs(workers),
    resourceQueues: createResourceQueues(scenario, workers, groupOf),
    switchCosts: createSwitchCosts(scenario, workers, groupOf),
    /** When the phases so far began. */
    phaseTimes: [] as Micros[],
    /** By worker: when it could begin its batch, when it got the resource, its last stage, the end of its last slice. */
    ready: new Float64Array(workers),
    granted: new Float64Array(workers),
    lastStage: new Int16Array(workers).fill(NONE),
    through: new Float64Array(workers),
    /** By worker: the finished jobs of a batch whose rows still come. */
    finished: Array.from({ length: workers }, (): Service[] => []),
  }
}

type Fold = ReturnType<typeof createFold>

interface Service {
  readonly job: number
  readonly began: Micros
  readonly ended: Micros
}

function take(fold: Fold, trace: Trace, rows: Rows, i: number): void {
  const { counts, hands, resourceQueues } = fold
  const worker = rows.worker[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  switch (rows.kind[i]) {
    case STARTED:
      if (beginsBatch(counts, worker) && counts.jobsInHand[worker] === 0) fold.ready[worker] = fold.granted[worker] = time
      if (resourceQueues !== null) joinResourceQueue(resourceQueues, rows.stage[i], worker, job)
      break
    case FINISHED:
      fold.finished[worker].push({ job, began: beganAt(rows, i), ended: endedAt(rows, i) })
      if (frontOf(counts, worker) === 1) finish(fold, worker, time)
      break
    case THREW:
      drop(fold, worker, job, time)
      fold.switchCosts.stoppedAt(worker, job)
      break
    case LOST:
      if (hands[worker].length > 0) drop(fold, worker, NONE, time)
      break
    case DISMISSED:
      if (job !== NONE) drop(fold, worker, job, time)
      break
    case HIRED:
    case JOINED:
      fold.switchCosts.forget(worker)
      fold.lastStage[worker] = NONE
      break
    case PHASE:
      fold.phaseTimes.push(time)
  }
  updateWorkerJobs(hands, counts, rows, i)
  countRow(trace.topology, counts, rows, i)
}

/** Writes down a batch that is finished: what the worker waited for, its changes, and its jobs in order of service. */
function finish(fold: Fold, worker: number, time: Micros): void {
  const { finished, counts, switchCosts } = fold
  const batch = finished[worker].sort((a, b) => a.began - b.began)
  finished[worker] = []
  const stage = counts.stage[worker]
  const first = batch[0].job
  const { what, from, cost } = begin(fold, worker, stage, first, batch[batch.length - 1].job)
  // All the time until it works: where cores are shared, a change takes longer too.
  if (cost > 0) add(fold, worker, what, stage, first, from, batch[0].began)
  batch.forEach(({ job, began, ended }, k) => {
    if (k > 0 && switchCosts.between(worker, batch[k - 1].job, job) > 0) add(fold, worker, GROUP_CHANGE, stage, job, fold.through[worker], began)
    add(fold, worker, WORK, stage, job, began, ended)
  })
  leave(fold, worker, time, fold.through[worker])
}

/** Writes down a batch that comes back undone: all that the worker did for it is thrown away. `thrown`: the job that threw; NONE: another reason. */
function drop(fold: Fold, worker: number, thrown: number, time: Micros): void {
  const { hands, counts, resourceQueues } = fold
  const stage = counts.stage[worker]
  const jobs = hands[worker].slice(0, frontOf(counts, worker))
  const job = thrown === NONE ? jobs[0] : thrown
  if (resourceQueues !== null && waitsForResource(resourceQueues, worker)) add(fold, worker, RESOURCE_WAIT, stage, job, fold.ready[worker], time)
  else {
    const { what, from, cost } = begin(fold, worker, stage, jobs[0], jobs[jobs.length - 1])
    if (cost > 0) add(fold, worker, what, stage, job, from, Math.min(time, from + cost))
    add(fold, worker, THROWN_AWAY, stage, job, from, time)
  }
  fold.finished[worker] = []
  leave(fold, worker, time, time)
}

/** Writes down the wait for a resource before a batch. Returns the change of stage or group that follows: since when, and what it costs. */
function begin(
  fold: Fold,
  worker: number,
  stage: number,
  first: number,
  last: number,
): { readonly what: number; readonly from: Micros; readonly cost: Micros } {
  const { ready, granted, lastStage, phaseTimes, switchCosts } = fold
  if (granted[worker] > ready[worker]) add(fold, worker, RESOURCE_WAIT, stage, first, ready[worker], granted[worker])
  const from = Math.max(granted[worker], fold.through[worker])
  const cost = switchCosts.before(worker, stage, [first, last], phaseTimes.filter((at) => at <= from).length)
  const what = lastStage[worker] === stage ? GROUP_CHANGE : STAGE_CHANGE
  lastStage[worker] = stage
  return { what, from, cost }
}

/** The batch leaves the worker's hands. A prefetched one can begin, and the next worker gets the resource. */
function leave({ ready, granted, through, resourceQueues }: Fold, worker: number, time: Micros, end: Micros): void {
  ready[worker] = granted[worker] = through[worker] = end
  if (resourceQueues === null) return
  const next = leaveResourceQueue(resourceQueues, worker)
  if (next !== NONE) granted[next] = time
}

/** Adds a slice, cut to begin where the last one of the worker ends. Only finished jobs may have no length. */
function add(fold: Fold, worker: number, what: number, stage: number, job: number, began: Micros, ended: Micros): void {
  const from = Math.max(began, fold.through[worker])
  const to = Math.max(from, ended)
  if (to === from && what !== WORK) return
  const k = fold.length++
  if (k === fold.what.length) makeRoom(fold)
  fold.what[k] = what
  fold.stage[k] = stage
  fold.job[k] = job
  fold.began[k] = from
  fold.ended[k] = to
  fold.by[worker].push(k)
  fold.through[worker] = to
}

function makeRoom(fold: Fold): void {
  const most = 2 * fold.length
  fold.what = resized(fold.what, most)
  fold.stage = resized(fold.stage, most)
  fold.job = resized(fold.job, most)
  fold.began = resized(fold.began, most)
  fold.ended = resized(fold.ended, most)
}
