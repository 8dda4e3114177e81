import { countRow } from '../../pipeline/countRow.ts'
import { createCounts } from '../../pipeline/counts.ts'
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
  STARTED,
  THREW,
  WITHDRAWN,
} from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import { createResourceQueues, createWorkerJobs, joinResourceQueue, leaveResourceQueue, updateWorkerJobs, waitsForResource } from '../../pipeline/workerJobs.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { type Trace, timeOf, traceRow } from '../../trace/trace.ts'
import { groupingIn } from '../frame/frame.ts'
import { addService, createServedJobs, type JobTimes } from './jobTimes.ts'

/** What the metrics of a run are made of. */
export interface Totals {
  /** Admitted; released; failed for good. */
  readonly jobs: number
  readonly released: number
  readonly failed: number
  /** The flow times of the jobs that left, in no order, and their sum. */
  readonly flow: Float64Array
  readonly flowTime: Micros
  /** How long these jobs waited, all together. */
  readonly waited: Micros
  /** The time that all jobs were in the system, and that workers were alive. */
  readonly jobTime: Micros
  readonly workerTime: Micros
  readonly switches: number
  readonly reordered: number
  /** By stage. */
  readonly served: Float64Array
  readonly finished: Int32Array
  readonly queueTime: Float64Array
  readonly longest: Int32Array
  readonly waits: Float64Array
  readonly starts: Float64Array
  readonly contended: Float64Array
  readonly workersOverTime: readonly (readonly [Micros, number])[]
}

/** Returns the time of the last row of work; 0 for a run without any. */
export function makespanOf(trace: Trace): Micros {
  for (let row = trace.length - 1; row >= 0; row--) {
    const { kind, time } = traceRow(trace, row)
    if (kind === FINISHED || kind === STARTED || kind === RELEASED || kind === FAILED || kind === THREW) return time
  }
  return 0
}

/**
 * Adds up the rows until the makespan, in one walk that pauses between chunks. A plain loop, since a million jobs make eight
 * million rows.
 */
export function* runTotalsInSteps(trace: Trace, makespan: Micros): Generator<void, Totals & JobTimes> {
  const { topology } = trace
  const run = createRunTotals(trace)
  const { counts } = run
  const times = createServedJobs(topology, run.arrivedAt)
  const end = rowsToCount(trace, makespan)
  let row = 0
  for (const chunk of trace.chunks) {
    for (let i = 0; i < chunk.length && row < end; i++, row++) {
      advance(run, rowTime(chunk, i))
      addRowToTotals(trace, run, chunk, i)
      if (chunk.kind[i] === FINISHED) addService(times, topology, chunk.stage[i], chunk.job[i], chunk.lasted[i])
    }
    yield
  }
  advance(run, makespan)
  for (let s = 0; s < counts.waiting.length; s++) settleQueue(run, s, makespan)
  for (let w = 0; w < counts.jobsInHand.length; w++) endContention(run, w, makespan)
  return totalsOf(run, times)
}

function totalsOf(run: RunTotals, { arrivedAt, work, path }: JobTimes): Totals & JobTimes {
  const { jobTime, workerTime, switches, reordered, served, queueTime, longest, waits, starts, contended, workersOverTime } = run
  const { released, failed, finished } = run.counts
  const jobs = run.flow.length
  const flow = new Float64Array(jobs)
  let left = 0
  let flowTime = 0
  let waited = 0
  for (let job = 0; job < jobs; job++) {
    if (run.flow[job] < 0) continue
    flow[left++] = run.flow[job]
    flowTime += run.flow[job]
    waited += run.waited[job]
  }
  const ofJobs = { jobs, released, failed, flow: flow.subarray(0, left), flowTime, waited, jobTime, workerTime, switches, reordered }
  return { ...ofJobs, served, finished, queueTime, longest, waits, starts, contended, workersOverTime, arrivedAt, work, path }
}

/** Returns the totals of a run, empty, with room for so many jobs: by default those that have arrived. */
export function createRunTotals(trace: Trace, jobs = arrivedJobs(trace)) {
  const { scenario, topology } = trace
  const { length } = scenario.stages
  const counts = createCounts(scenario)
  const stride = topology.copies ? length : 1
  return {
    counts,
    /** By job: when it arrived; since when it waits, or where jobs are copied each part of it, job x `stride` + stage. */
    arrivedAt: new Float64Array(jobs),
    waitsSince: new Float64Array(jobs * stride),
    stride,
    /** By job: how long it and its parts waited; its flow time, -1 while it is here. */
    waited: new Float64Array(jobs),
    flow: new Float64Array(jobs).fill(-1),
    /** Jobs let into the first queue so far. They enter in the order of their numbers. */
    entered: 0,
    hands: createWorkerJobs(counts.jobsInHand.length),
    /** By stage. */
    served: new Float64Array(length),
    queueTime: new Float64Array(length),
    queueSince: new Float64Array(length),
    longest: new Int32Array(length),
    waits: new Float64Array(length),
    starts: new Float64Array(length),
    contended: new Float64Array(length),
    /** Null where no worker ever waits for a resource. */
    resourceQueues: createResourceQueues(scenario, counts.jobsInHand.length, groupingIn(trace)),
    jobTime: 0,
    workerTime: 0,
    switches: 0,
    reordered: 0,
    latestReleased: -1,
    workersOverTime: [[0, counts.live]] as [Micros, number][],
  }
}

export type RunTotals = ReturnType<typeof createRunTotals>

/** Returns how many jobs have arrived: they do so in the order of their numbers. */
export function arrivedJobs(trace: Trace): number {
  for (let k = trace.chunks.length - 1; k >= 0; k--) {
    const { kind, job, length } = trace.chunks[k]
    const i = kind.lastIndexOf(ARRIVED, length - 1)
    if (i >= 0) return job[i] + 1
  }
  return 0
}

/** Returns how many rows there are until the makespan. */
function rowsToCount(trace: Trace, makespan: Micros): number {
  let end = trace.length
  while (end > 0 && timeOf(trace, end - 1) > makespan) end--
  return end
}

/** Adds what held since the last row and lasted until `time`. */
function advance(run: RunTotals, time: Micros): void {
  const { counts } = run
  const lasted = time - counts.time
  if (lasted <= 0) return
  run.jobTime += lasted * (counts.arrived - counts.released - counts.failed)
  run.workerTime += lasted * counts.live
  counts.time = time
}

/** The same for one queue, before it changes. */
function settleQueue({ counts, queueTime, queueSince, longest }: RunTotals, stage: number, time: Micros): void {
  const lasted = time - queueSince[stage]
  if (lasted <= 0) return
  const length = counts.waiting[stage]
  queueTime[stage] += lasted * length
  // Stryker disable next-line EqualityOperator: the same is no longer
  if (length > longest[stage]) longest[stage] = length
  queueSince[stage] = time
}

/** Notes that the job, or its part, waits at the stage from now on. */
function noteWaiting({ waitsSince, stride }: RunTotals, stage: number, job: number, time: Micros): void {
  waitsSince[stride === 1 ? job : job * stride + stage] = time
}

/** Settles the queues of the first stages, before they change. */
function touchFirsts(run: RunTotals, { firsts }: Topology, time: Micros): void {
  for (let i = 0; i < firsts.length; i++) settleQueue(run, firsts[i], time)
}

/** A job enters the queue of a stage. Call it before the row is counted. */
function enterQueue(run: RunTotals, stage: number, job: number, time: Micros): void {
  settleQueue(run, stage, time)
  noteWaiting(run, stage, job, time)
}

/** A job leaves the queue of a stage, and one from outside may come in. Returns how long it waited. Call it before the row is counted. */
function leaveQueue(run: RunTotals, topology: Topology, stage: number, job: number, time: Micros): Micros {
  settleQueue(run, stage, time)
  if (run.counts.outside > 0) touchFirsts(run, topology, time)
  const wait = time - run.waitsSince[run.stride === 1 ? job : job * run.stride + stage]
  run.waited[job] += wait
  return wait
}

/** Adds row `i` of a chunk. The rows before it must have been added. */
export function addRowToTotals({ topology }: Trace, run: RunTotals, rows: Rows, i: number): void {
  const { counts, resourceQueues } = run
  const kind = rows.kind[i]
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  const { live } = counts
  switch (kind) {
    case ARRIVED:
      touchFirsts(run, topology, time)
      run.arrivedAt[job] = time
      break
    case STARTED:
      run.waits[stage] += leaveQueue(run, topology, stage, job, time)
      run.starts[stage]++
      if (counts.stage[worker] !== stage && counts.stage[worker] >= 0) run.switches++
      if (resourceQueues !== null) joinResourceQueue(resourceQueues, stage, worker, job)
      break
    case FINISHED: {
      const queues = topology.queuesAfter[stage]
      for (let k = 0; k < queues.length; k++) enterQueue(run, queues[k], job, time)
      run.served[stage] += rows.lasted[i]
      leaveResource(run, worker, time)
      break
    }
    case THREW:
    case LOST:
    case DISMISSED:
      if (kind !== DISMISSED || job !== NONE) leaveResource(run, worker, time)
      break
    case RELEASED:
      if (job < run.latestReleased) run.reordered++
      else run.latestReleased = job
      run.flow[job] = time - run.arrivedAt[job]
      break
    case FAILED:
    case WITHDRAWN:
      leaveQueue(run, topology, stage, job, time)
      if (kind === FAILED) run.flow[job] = time - run.arrivedAt[job]
      break
    case ROUTED:
    case GATHERED:
      if (stage !== NONE) enterQueue(run, stage, job, time)
  }
  for (const back of updateWorkerJobs(run.hands, counts, rows, i)) enterQueue(run, counts.stage[worker], back, time)
  countRow(topology, counts, rows, i)
  letIn(run, topology, time)
  if (counts.live !== live) workersAt(run, time)
}

/** A job leaves the worker's hands: its wait for the resource ends, and that of the next worker in the queue. */
function leaveResource(run: RunTotals, worker: number, time: Micros): void {
  if (run.resourceQueues === null) return
  endContention(run, worker, time)
  const next = leaveResourceQueue(run.resourceQueues, worker)
  if (next !== NONE) addContention(run, next, time)
}

function endContention(run: RunTotals, worker: number, time: Micros): void {
  if (run.resourceQueues !== null && waitsForResource(run.resourceQueues, worker)) addContention(run, worker, time)
}

/** Adds the wait of a worker since it was given its job. */
function addContention({ contended, counts }: RunTotals, worker: number, time: Micros): void {
  contended[counts.stage[worker]] += time - counts.since[worker]
}

/** Jobs that have come in from outside wait in the first queues from now on. */
function letIn(run: RunTotals, { firsts }: Topology, time: Micros): void {
  const inside = run.counts.arrived - run.counts.outside
  for (; run.entered < inside; run.entered++) {
    run.waited[run.entered] += time - run.arrivedAt[run.entered]
    for (let i = 0; i < firsts.length; i++) noteWaiting(run, firsts[i], run.entered, time)
  }
}

function workersAt({ workersOverTime, counts }: RunTotals, time: Micros): void {
  const last = workersOverTime[workersOverTime.length - 1]
  if (last[0] === time) last[1] = counts.live
  else workersOverTime.push([time, counts.live])
  // A worker who came and one who went at the same time change nothing.
  if (workersOverTime.at(-2)?.[1] === counts.live) workersOverTime.pop()
}
