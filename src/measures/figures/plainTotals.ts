import { ARRIVED, EXHAUSTED, FINISHED, NONE, RELEASED, type Rows, rowTime, STARTED } from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import { initialWorkerCount, isElastic } from '../../scenario/model/defaults.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Trace } from '../../trace/trace.ts'
import type { JobTimes } from './jobTimes.ts'
import type { Totals } from './runTotals.ts'

/**
 * Adds up the rows of a run in which jobs do nothing but arrive, start, finish and leave, one after the other through a line,
 * until all have left. Then every job starts and finishes once at each stage, jobs wait as long in a queue as the queue is long,
 * and they are in the system as long as their flow times. Returns null for any other run: then every row has to be counted.
 */
export function* plainTotalsInSteps({ scenario, topology, chunks, length }: Trace, makespan: Micros): Generator<void, (Totals & JobTimes) | null> {
  const { stages, linear, bounded, exclusive } = topology
  // Each job has a row for its arrival and one for its leaving, and two a stage. One row says that there are no more jobs.
  const jobs = (length - 1) / (2 + 2 * stages)
  if (!Number.isInteger(jobs) || !linear || bounded || exclusive.includes(1) || isElastic(scenario.policy)) return null
  const workers = initialWorkerCount(scenario)
  const run = createPlainRun(stages, workers, jobs)
  for (const chunk of chunks) {
    if (!addPlainRows(run, topology, chunk)) return null
    yield
  }
  const { served, queueTime, longest, jobTime, switches, reordered, released, flow, arrivedAt, work } = run
  const waited = queueTime.reduce((sum, time) => sum + time, 0)
  const workerTime = workers * makespan
  // Below 2^53 the order in which whole numbers are added changes nothing.
  if (released !== jobs || ![...served, waited, jobTime, workerTime].every(Number.isSafeInteger)) return null
  return {
    jobs,
    released,
    failed: 0,
    flow,
    flowTime: jobTime,
    waited,
    jobTime,
    workerTime,
    switches,
    reordered,
    served,
    finished: new Int32Array(stages).fill(jobs),
    queueTime,
    longest,
    waits: queueTime,
    starts: new Float64Array(stages).fill(jobs),
    contended: new Float64Array(stages),
    workersOverTime: [[0, workers]],
    arrivedAt,
    work,
    path: work,
  }
}

function createPlainRun(stages: number, workers: number, jobs: number) {
  return {
    /** By job. */
    arrivedAt: new Float64Array(jobs),
    work: new Float64Array(jobs),
    flow: new Float64Array(jobs),
    /** By stage: the jobs in its queue now, and since when there are so many. */
    waiting: new Int32Array(stages),
    since: new Float64Array(stages),
    queueTime: new Float64Array(stages),
    longest: new Int32Array(stages),
    served: new Float64Array(stages),
    /** By worker. */
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
function addPlainRows(run: PlainRun, { first, next }: Topology, rows: Rows): boolean {
  const { arrivedAt, work, flow, waiting, served, lastStage } = run
  const { kind, length } = rows
  for (let i = 0; i < length; i++) {
    const time = rowTime(rows, i)
    const job = rows.job[i]
    const stage = rows.stage[i]
    switch (kind[i]) {
      case ARRIVED:
        settleQueue(run, first, time)
        waiting[first]++
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
        work[job] += service
        if (next[stage] < 0) break
        settleQueue(run, next[stage], time)
        waiting[next[stage]]++
        break
      }
      case RELEASED:
        run.released++
        flow[job] = time - arrivedAt[job]
        run.jobTime += flow[job]
        if (job < run.latestReleased) run.reordered++
        else run.latestReleased = job
        break
      case EXHAUSTED:
        break
      default:
        return false
    }
  }
  return true
}

/** Adds how long the queue was as long as it is, before it changes. */
function settleQueue({ waiting, since, queueTime, longest }: PlainRun, stage: number, time: Micros): void {
  const lasted = time - since[stage]
  if (lasted <= 0) return
  const length = waiting[stage]
  queueTime[stage] += lasted * length
  if (length > longest[stage]) longest[stage] = length
  since[stage] = time
}
