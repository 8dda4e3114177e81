import { ARRIVED, FAILED, FINISHED, JOINED, LOST, RELEASED, type Rows, STARTED, serviceAt, THREW } from '../pipeline/rows.ts'
import { countRow, createTally, type Tally } from '../pipeline/tally.ts'
import { SINK } from '../pipeline/topology.ts'
import type { Micros, PerSecond } from '../scenario/scenario.ts'
import { catchUp, type Trace, timeOf, traceRow } from '../trace/trace.ts'

/**
 * What a run amounts to. Times in microseconds; a mean of nothing is 0. A job waits while it is in a queue or outside the
 * first; in hands it does not. Figures over jobs are over those that left, released or failed, so that in a drained run
 * Little's law (1961) holds exactly: meanJobsInSystem x makespan = meanFlowTime x jobs.
 */
export interface Figures {
  /** Admitted; released; failed for good. */
  readonly jobs: number
  readonly completed: number
  readonly failed: number
  /** From time 0 to the last row of work: a start, a finish, a throw, a release or a failure. */
  readonly makespan: Micros
  readonly throughput: PerSecond
  /** A job's waits at all stages together. */
  readonly meanWait: Micros
  /** From arrival to leaving. */
  readonly meanFlowTime: Micros
  /** The least flow time that half (99%) of the jobs do not exceed: the nearest rank. */
  readonly p50FlowTime: Micros
  readonly p99FlowTime: Micros
  /** Over time, until the makespan. */
  readonly meanJobsInSystem: number
  /** Share of the live workers' time that went into serving jobs which were finished, 0..1. */
  readonly utilisation: number
  /** How often a worker started at another stage than it had stood at. */
  readonly switches: number
  /** Jobs released after a later one. */
  readonly reordered: number
  /** How long workers waited for a resource that was taken. */
  readonly contendedTime: Micros
  readonly stages: readonly StageFigures[]
  /** How many workers were alive from each time on. */
  readonly workersOverTime: readonly (readonly [time: Micros, workers: number])[]
}

export interface StageFigures {
  readonly id: string
  /** The part of `utilisation` that went into this stage: the stages' add up to the whole. */
  readonly utilisation: number
  readonly meanQueue: number
  /** The greatest length that lasted. */
  readonly maxQueue: number
  /** From entering the queue to a start. */
  readonly meanWait: Micros
  readonly meanService: Micros
}

/** Everything in one pass over the rows, with an entry a job in a few columns: a million jobs in well under a second. */
export function figuresOf(trace: Trace): Figures {
  catchUp(trace)
  const makespan = makespanOf(trace)
  const run = createSums(trace, makespan)
  walk(trace, run)
  return {
    jobs: trace.head.tally.arrived,
    completed: trace.head.tally.released,
    failed: trace.head.tally.failed,
    makespan,
    throughput: perTime(trace.head.tally.released * 1e6, makespan),
    ...flowFigures(run),
    meanJobsInSystem: perTime(run.jobTime, makespan),
    utilisation: perTime(
      run.served.reduce((sum, time) => sum + time, 0),
      run.workerTime,
    ),
    switches: run.switches,
    reordered: run.reordered,
    contendedTime: 0,
    stages: trace.scenario.stages.map(({ id }, s) => ({
      id,
      utilisation: perTime(run.served[s], run.workerTime),
      meanQueue: perTime(run.queueTime[s], makespan),
      maxQueue: run.longest[s],
      meanWait: perTime(run.waits[s], run.starts[s]),
      meanService: perTime(run.served[s], run.tally.finished[s]),
    })),
    workersOverTime: run.workersOverTime,
  }
}

/** The time of the last row of work; 0 for a run without any. */
export function makespanOf(trace: Trace): Micros {
  for (let row = trace.length - 1; row >= 0; row--) {
    const { kind, time } = traceRow(trace, row)
    if (kind === FINISHED || kind === STARTED || kind === RELEASED || kind === FAILED || kind === THREW) return time
  }
  return 0
}

/** What is added up on the way. By job: when it arrived, since when it waits, how long it has waited, its flow time (-1: still here). */
interface Sums {
  readonly tally: Tally
  readonly makespan: Micros
  readonly arrivedAt: Float64Array
  readonly waitsSince: Float64Array
  readonly waited: Float64Array
  readonly flow: Float64Array
  /** Jobs let into the first queue so far: they enter in the order of their numbers. */
  entered: number
  /** The jobs in each worker's hands. */
  readonly hands: readonly number[][]
  /** By stage. */
  readonly served: Float64Array
  readonly queueTime: Float64Array
  readonly queueSince: Float64Array
  readonly longest: Int32Array
  readonly waits: Float64Array
  readonly starts: Float64Array
  jobTime: number
  workerTime: number
  switches: number
  reordered: number
  latestReleased: number
  readonly workersOverTime: [Micros, number][]
}

function createSums(trace: Trace, makespan: Micros): Sums {
  const { arrived } = trace.head.tally
  const { length } = trace.scenario.stages
  const tally = createTally(trace.scenario)
  return {
    tally,
    makespan,
    arrivedAt: new Float64Array(arrived),
    waitsSince: new Float64Array(arrived),
    waited: new Float64Array(arrived),
    flow: new Float64Array(arrived).fill(-1),
    entered: 0,
    hands: Array.from(tally.hand, () => []),
    served: new Float64Array(length),
    queueTime: new Float64Array(length),
    queueSince: new Float64Array(length),
    longest: new Int32Array(length),
    waits: new Float64Array(length),
    starts: new Float64Array(length),
    jobTime: 0,
    workerTime: 0,
    switches: 0,
    reordered: 0,
    latestReleased: -1,
    workersOverTime: [[0, tally.live]],
  }
}

/** A plain loop over chunks of columns: a million jobs make eight million rows. What lies behind the makespan is left out. */
function walk(trace: Trace, run: Sums): void {
  const { tally, makespan } = run
  const end = rowsToCount(trace, makespan)
  let row = 0
  for (const chunk of trace.chunks) {
    for (let i = 0; i < chunk.length && row < end; i++, row++) {
      pass(run, chunk.time[i])
      addRow(trace, run, chunk, i)
    }
  }
  pass(run, makespan)
  for (let s = 0; s < tally.waiting.length; s++) touch(run, s, makespan)
}

function rowsToCount(trace: Trace, makespan: Micros): number {
  let end = trace.length
  while (end > 0 && timeOf(trace, end - 1) > makespan) end--
  return end
}

/** Lets time go on: what was the case until now has lasted so long. */
function pass(run: Sums, time: Micros): void {
  const { tally } = run
  const lasted = time - tally.time
  if (lasted <= 0) return
  run.jobTime += lasted * (tally.arrived - tally.released - tally.failed)
  run.workerTime += lasted * tally.live
  tally.time = time
}

/** The same for one queue, before it changes. */
function touch({ tally, queueTime, queueSince, longest }: Sums, stage: number, time: Micros): void {
  const lasted = time - queueSince[stage]
  if (lasted <= 0) return
  const length = tally.waiting[stage]
  queueTime[stage] += lasted * length
  if (length > longest[stage]) longest[stage] = length
  queueSince[stage] = time
}

function addRow({ topology }: Trace, run: Sums, rows: Rows, i: number): void {
  const { tally, hands, waitsSince } = run
  const kind = rows.kind[i]
  const stage = rows.stage[i]
  const worker = rows.worker[i]
  const job = rows.job[i]
  const time = rows.time[i]
  switch (kind) {
    case ARRIVED:
      touch(run, topology.first, time)
      run.arrivedAt[job] = time
      waitsSince[job] = time
      countRow(topology, tally, rows, i)
      letIn(run, time)
      return
    case STARTED:
      touch(run, stage, time)
      endWait(run, stage, job, time)
      run.starts[stage]++
      if (tally.stage[worker] !== stage && tally.stage[worker] >= 0) run.switches++
      hands[worker].push(job)
      countRow(topology, tally, rows, i)
      letIn(run, time)
      return
    case FINISHED: {
      const next = topology.next[stage]
      if (next !== SINK) touch(run, next, time)
      waitsSince[job] = time
      run.served[stage] += serviceAt(rows, i)
      countRow(topology, tally, rows, i)
      if (tally.hand[worker] === 0) hands[worker].length = 0
      return
    }
    case THREW:
    case LOST:
      if (hands[worker].length > 0) touch(run, tally.stage[worker], time)
      for (const held of hands[worker]) waitsSince[held] = time
      hands[worker].length = 0
      break
    case RELEASED:
      if (job < run.latestReleased) run.reordered++
      else run.latestReleased = job
      run.flow[job] = time - run.arrivedAt[job]
      break
    case FAILED:
      touch(run, stage, time)
      endWait(run, stage, job, time)
      run.flow[job] = time - run.arrivedAt[job]
  }
  countRow(topology, tally, rows, i)
  if (kind === FAILED) letIn(run, time)
  if (kind === LOST || kind === JOINED) workersAt(run, time)
}

/** The job leaves the queue of a stage. */
function endWait({ waitsSince, waited, waits }: Sums, stage: number, job: number, time: Micros): void {
  const wait = time - waitsSince[job]
  waited[job] += wait
  waits[stage] += wait
}

/** Jobs that have come in from outside wait in the first queue from now on. Whoever came in at once has not waited outside. */
function letIn(run: Sums, time: Micros): void {
  const inside = run.tally.arrived - run.tally.outside
  for (; run.entered < inside; run.entered++) {
    run.waited[run.entered] += time - run.arrivedAt[run.entered]
    run.waitsSince[run.entered] = time
  }
}

function workersAt({ workersOverTime, tally }: Sums, time: Micros): void {
  const last = workersOverTime[workersOverTime.length - 1]
  if (last[0] === time) last[1] = tally.live
  else workersOverTime.push([time, tally.live])
}

function flowFigures({ flow, waited }: Sums): Pick<Figures, 'meanWait' | 'meanFlowTime' | 'p50FlowTime' | 'p99FlowTime'> {
  let wait = 0
  let total = 0
  let left = 0
  const sorted = new Float64Array(flow.length)
  for (let job = 0; job < flow.length; job++) {
    if (flow[job] < 0) continue
    wait += waited[job]
    total += flow[job]
    sorted[left++] = flow[job]
  }
  const ranked = sorted.subarray(0, left).sort()
  return { meanWait: perTime(wait, left), meanFlowTime: perTime(total, left), p50FlowTime: quantile(ranked, 50), p99FlowTime: quantile(ranked, 99) }
}

/** The nearest rank: the least value that `percent` of the values do not exceed; 0 of none. In whole numbers, since 0.99 x 100 rounds up to rank 100. */
export function quantile(ascending: Float64Array, percent: number): number {
  return ascending.length === 0 ? 0 : ascending[Math.max(0, Math.ceil((ascending.length * percent) / 100) - 1)]
}

function perTime(sum: number, by: number): number {
  return by > 0 ? sum / by : 0
}
