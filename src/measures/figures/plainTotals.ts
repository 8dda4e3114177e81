import {
  ARRIVED,
  EXHAUSTED,
  FINISHED,
  GATHERED,
  NONE,
  PREFETCH,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
} from '../../pipeline/rows.ts'
import { FORK, type Topology } from '../../pipeline/topology.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'
import { keptWorkers } from '../series/crews.ts'
import { addService, arrivedJobs, createServedJobs, type JobTimes, type Totals } from './totals.ts'

/** Adds up a drained run in which nothing is put back, given up or kept outside, by fewer calculations; null for any other run. */
export function* plainTotalsInSteps(trace: Trace, makespan: Micros): Generator<void, (Totals & JobTimes) | null> {
  const { scenario, topology } = trace
  const { bounded, exclusive } = topology
  if (bounded || exclusive.includes(1) || isElastic(scenario.policy) || scenario.source.classes !== undefined)
    return null
  const workers = scenario.workers
  const kept = keptWorkers(scenario, topology, workers)
  const jobs = arrivedJobs(trace)
  const run = createPlainRun(topology, workers, jobs)
  for (const chunk of trace.chunks) {
    if (!addPlainRows(run, topology, chunk)) return null
    yield
  }
  const { served, finished, queueTime, longest, jobTime, switches, reordered, released, flow } = run
  const waited = queueTime.reduce((sum, time) => sum + time, 0)
  const workerTime = workers * makespan
  // Below 2^53 the order in which whole numbers are added changes nothing.
  if (released !== jobs || ![...served, waited, jobTime, workerTime].every(Number.isSafeInteger)) return null
  return {
    jobs,
    released,
    failed: 0,
    gaveUp: 0,
    tries: jobs,
    classes: null,
    flow,
    flowTime: jobTime,
    waited,
    jobTime,
    workerTime,
    switches,
    reordered,
    served,
    finished,
    queueTime,
    longest,
    waits: queueTime,
    starts: Float64Array.from(finished),
    contended: new Float64Array(topology.stages),
    crewTime: Float64Array.from(scenario.stages, (_, s) => (kept === null ? workers : kept[s]) * makespan),
    workersOverTime: [[0, workers]],
    arrivedAt: run.times.arrivedAt,
    work: run.times.work,
    path: run.times.path,
  }
}

function createPlainRun(topology: Topology, workers: number, jobs: number) {
  const { stages } = topology
  return {
    /** By job. */
    times: createServedJobs(topology, new Float64Array(jobs)),
    flow: new Float64Array(jobs),
    /** By stage: the jobs in its queue now, and since when that number holds. */
    waiting: new Int32Array(stages),
    since: new Float64Array(stages),
    queueTime: new Float64Array(stages),
    longest: new Int32Array(stages),
    served: new Float64Array(stages),
    finished: new Int32Array(stages),
    lastStage: new Int16Array(workers).fill(NONE),
    released: 0,
    jobTime: 0,
    switches: 0,
    reordered: 0,
    latestReleased: -1,
  }
}

type PlainRun = ReturnType<typeof createPlainRun>

/** Adds the rows of a chunk. Returns false at the first row of another kind. */
function addPlainRows(run: PlainRun, topology: Topology, rows: Rows): boolean {
  const { times, flow, waiting, served, finished, lastStage } = run
  const { arrivedAt } = times
  const { firsts, next, queuesAfter } = topology
  const { kind, length } = rows
  for (let i = 0; i < length; i++) {
    const time = rowTime(rows, i)
    const job = rows.job[i]
    const stage = rows.stage[i]
    switch (kind[i]) {
      case ARRIVED:
        enterQueues(run, firsts, time)
        arrivedAt[job] = time
        break
      case STARTED: {
        const worker = rows.worker[i]
        settleQueue(run, stage, time)
        waiting[stage]--
        if (lastStage[worker] === stage) break
        if (lastStage[worker] !== NONE) run.switches++
        lastStage[worker] = stage
        break
      }
      case FINISHED: {
        const service = rows.lasted[i]
        served[stage] += service
        finished[stage]++
        addService(times, topology, stage, job, service)
        // Usually one queue follows, or the sink.
        if (next[stage] >= 0) enterQueue(run, next[stage], time)
        else if (next[stage] === FORK) enterQueues(run, queuesAfter[stage], time)
        break
      }
      case ROUTED:
      case GATHERED:
        if (stage !== NONE) enterQueue(run, stage, time)
        break
      case RELEASED:
        run.released++
        flow[job] = time - arrivedAt[job]
        run.jobTime += flow[job]
        if (job < run.latestReleased) run.reordered++
        else run.latestReleased = job
        break
      case EXHAUSTED:
      case PREFETCH:
        break
      default:
        return false
    }
  }
  return true
}

/** A job, or a part of it, enters the queues of these stages. */
function enterQueues(run: PlainRun, stages: Int16Array, time: Micros): void {
  for (let i = 0; i < stages.length; i++) enterQueue(run, stages[i], time)
}

function enterQueue(run: PlainRun, stage: number, time: Micros): void {
  settleQueue(run, stage, time)
  run.waiting[stage]++
}

/** Adds the time at the present queue length, before it changes. */
function settleQueue({ waiting, since, queueTime, longest }: PlainRun, stage: number, time: Micros): void {
  const lasted = time - since[stage]
  if (lasted <= 0) return
  const length = waiting[stage]
  queueTime[stage] += lasted * length
  if (length > longest[stage]) longest[stage] = length
  since[stage] = time
}
