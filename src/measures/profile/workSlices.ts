import { resized } from '../../pipeline/column.ts'
import { NONE } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'
import { type Batches, closeBatches, createBatches, extendBatches, type ServedBatch, standsInLine } from '../jobs/batches.ts'

/** What a worker spends time on: a job that it finishes, work that is thrown away, a change of stage or group, the wait for a resource. */
export const WORK = 0
export const THROWN_AWAY = 1
export const STAGE_CHANGE = 2
export const GROUP_CHANGE = 3
export const RESOURCE_WAIT = 4

/** A stretch of a worker's time. */
export interface WorkSlice {
  readonly activity: number
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
  const slices = createSlices(trace.head.counts.status.length)
  const batches: Batches = createBatches(trace, { closed: (batch, thrown) => addBatch(slices, batches, batch, thrown) })
  extendBatches(batches)
  closeBatches(batches)
  const { activity, stage, job, began, ended, by } = slices
  return { by, at: (k) => ({ activity: activity[k], stage: stage[k], job: job[k], began: began[k], ended: ended[k] }) }
}

function createSlices(workers: number) {
  return {
    /** By slice. */
    length: 0,
    activity: new Uint8Array(64),
    stage: new Int16Array(64),
    job: new Int32Array(64),
    began: new Float64Array(64),
    ended: new Float64Array(64),
    by: Array.from({ length: workers }, (): number[] => []),
    /** By worker: the end of its last slice. */
    through: new Float64Array(workers),
  }
}

type Slices = ReturnType<typeof createSlices>

/** Adds the slices of a batch: the wait for a resource, the changes, and its jobs in order of service or (undone) all that is thrown away. */
function addBatch(slices: Slices, batches: Batches, batch: ServedBatch, thrown: number): void {
  const { through } = slices
  const { before, job: jobs, began, ended, switchCosts } = batches
  const { stage, worker, from, ordered, ready, prefetched, reported, undone, switchCost } = batch
  const services = Array.from({ length: batch.jobs }, (_, k) => from + k).sort((a, b) => began[a] - began[b])
  const first = jobs[undone ? from : services[0]]
  const job = thrown === NONE ? first : thrown
  if (undone && standsInLine(batches, batch)) add(slices, worker, RESOURCE_WAIT, stage, job, ordered, reported)
  else {
    if (!prefetched) add(slices, worker, RESOURCE_WAIT, stage, first, ordered, ready)
    const start = Math.max(prefetched ? 0 : ready, through[worker])
    // All the time until it works: where cores are shared, a change takes longer too.
    const end = undone ? Math.min(reported, start + switchCost) : began[services[0]]
    if (switchCost > 0) add(slices, worker, before[worker]?.stage === stage ? GROUP_CHANGE : STAGE_CHANGE, stage, job, start, end)
    if (undone) add(slices, worker, THROWN_AWAY, stage, job, start, reported)
    else
      services.forEach((service, k) => {
        const own = jobs[service]
        if (k > 0 && switchCosts.between(worker, jobs[services[k - 1]], own) > 0) add(slices, worker, GROUP_CHANGE, stage, own, through[worker], began[service])
        add(slices, worker, WORK, stage, own, began[service], ended[service])
      })
  }
  if (undone) through[worker] = reported
}

/** Adds a slice, cut to begin where the last one of the worker ends. Only finished jobs may have no length. */
function add(slices: Slices, worker: number, activity: number, stage: number, job: number, began: Micros, ended: Micros): void {
  const from = Math.max(began, slices.through[worker])
  const to = Math.max(from, ended)
  if (to === from && activity !== WORK) return
  const k = slices.length++
  if (k === slices.activity.length) for (const column of ['activity', 'stage', 'job', 'began', 'ended'] as const) grow(slices, column)
  slices.activity[k] = activity
  slices.stage[k] = stage
  slices.job[k] = job
  slices.began[k] = from
  slices.ended[k] = to
  slices.by[worker].push(k)
  slices.through[worker] = to
}

function grow<K extends 'activity' | 'stage' | 'job' | 'began' | 'ended'>(slices: Slices, column: K): void {
  slices[column] = resized(slices[column], 2 * slices.length) as Slices[K]
}
