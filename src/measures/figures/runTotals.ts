import { createOpenQueue, type OpenQueue } from '../../pipeline/discipline.ts'
import {
  ARRIVED,
  countOf,
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
  WITHDRAWN,
} from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createFollower, follow, type RowVisitor } from '../../trace/follow.ts'
import { type Trace, timeOf } from '../../trace/trace.ts'
import { classingOf } from '../../workload/service.ts'
import { resourceWaits } from '../jobs/batches.ts'
import { createCrews, extendCrews } from '../series/crews.ts'
import { areaWithin } from '../series/steps.ts'
import { addService, arrivedJobs, type ClassTotals, createServedJobs, type JobTimes, type Totals } from './totals.ts'

const ROWS_A_STEP = 1 << 16

/** Adds up the rows until the makespan, and pauses from time to time: a million jobs make eight million rows. */
export function* runTotalsInSteps(trace: Trace, makespan: Micros): Generator<void, Totals & JobTimes> {
  const { topology } = trace
  const run = createRunTotals(trace)
  const times = createServedJobs(topology, run.arrivedAt)
  const crews = createCrews(trace, run.counts)
  const end = rowsToCount(trace, makespan)
  while (run.rows < end) {
    const before: RowVisitor = (rows, i, back) => {
      advance(run, rowTime(rows, i))
      addBefore(run, rows, i, back)
    }
    follow(run, Math.min(ROWS_A_STEP, end - run.rows), before, (rows, i) => {
      addAfter(run, rows, i)
      extendCrews(crews, trace, run.counts, rows, i)
      if (rows.kind[i] === FINISHED) addService(times, topology, rows.stage[i], rows.job[i], rows.lasted[i])
    })
    yield
  }
  advance(run, makespan)
  for (let s = 0; s < topology.stages; s++) settleQueue(run, s, makespan)
  const crewTime = Float64Array.from(crews.steps, (steps) => areaWithin(steps, 0, makespan))
  return totalsOf(run, times, resourceWaits(trace, end, makespan), crewTime)
}

function totalsOf(
  run: RunTotals,
  { arrivedAt, work, path }: JobTimes,
  contended: Float64Array,
  crewTime: Float64Array,
): Totals & JobTimes {
  const { jobTime, workerTime, switches, reordered, served, queueTime, longest, waits, starts, workersOverTime } = run
  const { released, failed, gaveUp, finished } = run.counts
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
  const tries = run.outside === null ? jobs : run.trace.chunks.reduce((sum, rows) => sum + countOf(rows, RETRIED), jobs)
  const ofJobs = {
    jobs,
    released,
    failed,
    gaveUp,
    tries,
    classes: classTotals(run),
    flow: flow.subarray(0, left),
    flowTime,
    waited,
    jobTime,
    workerTime,
  }
  return {
    ...ofJobs,
    switches,
    reordered,
    served,
    finished,
    queueTime,
    longest,
    waits,
    starts,
    contended,
    crewTime,
    workersOverTime,
    arrivedAt,
    work,
    path,
  }
}

function classTotals({ trace: { scenario }, flow, waited }: RunTotals): ClassTotals[] | null {
  if (scenario.source.classes === undefined) return null
  const classOf = classingOf(scenario)
  const classes = scenario.source.classes.map(() => ({ flow: [] as number[], waited: 0 }))
  for (let job = 0; job < flow.length; job++) {
    if (flow[job] < 0) continue
    const own = classes[classOf(job)]
    own.flow.push(flow[job])
    own.waited += waited[job]
  }
  return classes.map((own) => ({ ...own, flow: Float64Array.from(own.flow) }))
}

/** Returns the totals of a run, empty, with room for this number of jobs: by default those that have arrived. */
export function createRunTotals(trace: Trace, jobs = arrivedJobs(trace)) {
  const { topology } = trace
  const { stages } = topology
  const follower = createFollower(trace, true)
  const stride = topology.copies ? stages : 1
  return {
    ...follower,
    /** By job: when it arrived; since when it waits, or where jobs are copied each part of it, job x `stride` + stage. */
    arrivedAt: new Float64Array(jobs),
    waitsSince: new Float64Array(jobs * stride),
    stride,
    /** By job: how long it and its parts waited; its flow time, -1 while it is here. */
    waited: new Float64Array(jobs),
    flow: new Float64Array(jobs).fill(-1),
    /** Jobs let into the first queue so far. They enter in the order of their numbers. */
    entered: 0,
    /** The jobs outside, where clients give up, so that they enter in another order; else null. */
    outside: trace.scenario.source.retry === undefined ? null : createOpenQueue('fifo', () => 0),
    /** By stage. */
    served: new Float64Array(stages),
    queueTime: new Float64Array(stages),
    queueSince: new Float64Array(stages),
    longest: new Int32Array(stages),
    waits: new Float64Array(stages),
    starts: new Float64Array(stages),
    jobTime: 0,
    workerTime: 0,
    switches: 0,
    reordered: 0,
    latestReleased: -1,
    live: follower.counts.live,
    workersOverTime: [[0, follower.counts.live]] as [Micros, number][],
  }
}

export type RunTotals = ReturnType<typeof createRunTotals>

/** Returns how many rows there are until the makespan. */
function rowsToCount(trace: Trace, makespan: Micros): number {
  let end = trace.length
  while (end > 0 && timeOf(trace, end - 1) > makespan) end--
  return end
}

/** Adds the values from the last row until `time`. */
function advance(run: RunTotals, time: Micros): void {
  const { counts } = run
  const lasted = time - counts.time
  if (lasted <= 0) return
  run.jobTime += lasted * (counts.arrived - counts.released - counts.failed - counts.gaveUp)
  run.workerTime += lasted * counts.live
  counts.time = time
}

/** Adds the time at the present queue length, before it changes. */
function settleQueue({ counts, queueTime, queueSince, longest }: RunTotals, stage: number, time: Micros): void {
  const lasted = time - queueSince[stage]
  if (lasted <= 0) return
  const length = counts.waiting[stage]
  queueTime[stage] += lasted * length
  if (length > longest[stage]) longest[stage] = length
  queueSince[stage] = time
}

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

/** A job leaves the queue of a stage, and one from outside may enter. Returns how long it waited. Call it before the row is counted. */
function leaveQueue(run: RunTotals, stage: number, job: number, time: Micros): Micros {
  settleQueue(run, stage, time)
  if (run.counts.outside > 0) touchFirsts(run, run.trace.topology, time)
  const wait = time - run.waitsSince[run.stride === 1 ? job : job * run.stride + stage]
  run.waited[job] += wait
  return wait
}

/** Adds row `i`, whose worker puts the jobs `back` into their queue, before it is counted. */
export function addBefore(run: RunTotals, rows: Rows, i: number, back: readonly number[]): void {
  const { counts } = run
  const { topology } = run.trace
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  switch (rows.kind[i]) {
    case ARRIVED:
      touchFirsts(run, topology, time)
      run.arrivedAt[job] = time
      break
    case STARTED:
      run.waits[stage] += leaveQueue(run, stage, job, time)
      run.starts[stage]++
      if (counts.stage[worker] !== stage && counts.stage[worker] >= 0) run.switches++
      break
    case FINISHED: {
      const queues = topology.queuesAfter[stage]
      for (let k = 0; k < queues.length; k++) enterQueue(run, queues[k], job, time)
      run.served[stage] += rows.lasted[i]
      break
    }
    case RELEASED:
      if (job < run.latestReleased) run.reordered++
      else run.latestReleased = job
      run.flow[job] = time - run.arrivedAt[job]
      break
    case FAILED:
      leaveQueue(run, stage, job, time)
      run.flow[job] = time - run.arrivedAt[job]
      break
    case WITHDRAWN:
      leaveQueue(run, stage, job, time)
      break
    case RENEGED:
    case GAVE_UP:
      leaveQueue(run, topology.first, job, time)
      run.outside?.remove(job)
      if (rows.kind[i] === GAVE_UP) run.flow[job] = time - run.arrivedAt[job]
      break
    case RETRIED:
      touchFirsts(run, topology, time)
      break
    case ROUTED:
    case GATHERED:
      if (stage !== NONE) enterQueue(run, stage, job, time)
  }
  for (const returned of back) enterQueue(run, counts.stage[worker], returned, time)
}

/** Adds what follows from row `i`, after it is counted: jobs that were admitted from outside wait in the first queues from now on. */
export function addAfter(run: RunTotals, rows: Rows, i: number): void {
  const { counts } = run
  if (run.outside !== null) addAdmitted(run, run.outside, rows, i)
  const inside = run.outside === null ? counts.arrived - counts.outside : 0
  for (; run.entered < inside; run.entered++) {
    const time = rowTime(rows, i)
    const { firsts } = run.trace.topology
    run.waited[run.entered] += time - run.arrivedAt[run.entered]
    for (let k = 0; k < firsts.length; k++) noteWaiting(run, firsts[k], run.entered, time)
  }
  if (counts.live !== run.live) noteWorkers(run, rowTime(rows, i))
}

/** The same where clients give up: there is one first stage, and jobs enter in the order in which they were sent. */
function addAdmitted(run: RunTotals, outside: OpenQueue, { kind, job }: Rows, i: number): void {
  const { counts, trace } = run
  const { first } = trace.topology
  if (kind[i] === ARRIVED || kind[i] === RETRIED) {
    noteWaiting(run, first, job[i], counts.time)
    if (counts.outside > outside.length) outside.push(job[i])
  }
  while (outside.length > counts.outside) {
    const admitted = outside.peek()
    leaveQueue(run, first, admitted, counts.time)
    noteWaiting(run, first, admitted, counts.time)
    outside.take()
  }
}

function noteWorkers(run: RunTotals, time: Micros): void {
  const { workersOverTime, counts } = run
  run.live = counts.live
  const last = workersOverTime[workersOverTime.length - 1]
  if (last[0] === time) last[1] = counts.live
  else workersOverTime.push([time, counts.live])
  // A worker that joined and one that left at the same time change nothing.
  if (workersOverTime.at(-2)?.[1] === counts.live) workersOverTime.pop()
}
