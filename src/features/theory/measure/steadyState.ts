import { type Interval, intervalOf } from '../../../measures/figures/comparison.ts'
import {
  ARRIVED,
  FINISHED,
  GATHERED,
  GAVE_UP,
  JOINED,
  LOST,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
  THREW,
} from '../../../pipeline/rows.ts'
import { catchUp, type Trace } from '../../../trace/trace.ts'
import { classingOf } from '../../../workload/service.ts'
import type { ForecastKey } from './forecast.ts'

/** The metrics of a run that has settled, each with its 95% interval, to compare with theory. */
export interface SteadyState extends Readonly<Record<ForecastKey, Interval>> {
  readonly stages: readonly StageSteadyState[]
  /** The mean wait by class; null where a batch has no job of the class. */
  readonly classWaits: readonly (Interval | null)[]
}

export interface StageSteadyState {
  readonly utilisation: Interval
  readonly meanQueue: Interval
  /** Null: in some batch no job came here. */
  readonly meanWait: Interval | null
}

export const MIN_JOBS = 1000
/** Few batches are long, so that their means hardly depend on each other. */
export const BATCHES = 10
/** The share of the jobs that is left out at the beginning, because the run has not settled. */
const WARM_UP = 0.1

/**
 * Returns the means of a run by batch means (Law 2015, 9.5): the jobs after the warm-up are cut into batches in order of arrival, and the means of the
 * batches count as independent. Mean numbers follow from times by Little's law (1961) in each batch. Returns null for a run that is not drained,
 * has too few jobs, copies of jobs or a fault. Pauses every few milliseconds.
 */
export function* steadyInSteps(trace: Trace): Generator<void, SteadyState | null> {
  catchUp(trace)
  const jobs = trace.head.counts.arrived
  if (trace.ending !== 'drained' || jobs < MIN_JOBS || trace.topology.copies) return null
  const run = createRun(trace, jobs)
  for (const chunk of trace.chunks) {
    for (let i = 0; i < chunk.length; i++) if (!takeRow(run, chunk, i)) return null
    yield
  }
  return resultOf(trace, run)
}

function createRun({ scenario }: Trace, jobs: number) {
  const size = Math.floor(((1 - WARM_UP) * (jobs - 1)) / BATCHES)
  const stages = scenario.stages.map(() => ({
    waits: createSums(),
    served: new Float64Array(BATCHES),
  }))
  return {
    size,
    first: jobs - 1 - size * BATCHES,
    /** When the first job of each batch arrived, and the first after all. */
    bounds: new Float64Array(BATCHES + 1),
    arrivedAt: new Float64Array(jobs),
    /** By job, at the stage where it is. */
    queuedAt: new Float64Array(jobs),
    waited: new Float64Array(jobs),
    flow: createSums(),
    wait: createSums(),
    stages,
    classOf: classingOf(scenario),
    classWaits: scenario.source.classes?.map(createSums) ?? [],
  }
}

type Run = ReturnType<typeof createRun>

/** Sums of values by batch, and how many values. */
const createSums = () => ({ sums: new Float64Array(BATCHES), counts: new Int32Array(BATCHES) })
type Sums = ReturnType<typeof createSums>

function add({ sums, counts }: Sums, batch: number, value: number): void {
  // Typed arrays ignore what is outside: the warm-up, and the last job.
  sums[batch] += value
  counts[batch]++
}

function meanOf({ sums, counts }: Sums): Interval | null {
  return counts.includes(0) ? null : intervalOf(Array.from(sums, (sum, b) => sum / counts[b]))
}

/** Returns false for a row that cannot be in a steady run. */
function takeRow(run: Run, rows: Rows, i: number): boolean {
  const { queuedAt, arrivedAt, waited, stages, first, size, bounds } = run
  const stage = rows.stage[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  const batch = Math.floor((job - first) / size)
  switch (rows.kind[i]) {
    case ARRIVED:
      arrivedAt[job] = time
      queuedAt[job] = time
      if ((job - first) % size === 0) bounds[batch] = time
      return true
    case STARTED: {
      const wait = time - queuedAt[job]
      waited[job] += wait
      add(stages[stage].waits, batch, wait)
      stages[stage].served[batch] -= time
      return true
    }
    case FINISHED:
      stages[stage].served[batch] += time
      queuedAt[job] = time
      return true
    case ROUTED:
      queuedAt[job] = time
      return true
    case RELEASED:
      add(run.flow, batch, time - arrivedAt[job])
      add(run.wait, batch, waited[job])
      if (run.classWaits.length > 0) add(run.classWaits[run.classOf(job)], batch, waited[job])
      return true
    default:
      return ![GATHERED, GAVE_UP, THREW, LOST, JOINED].includes(rows.kind[i])
  }
}

function resultOf({ scenario }: Trace, { bounds, flow, wait, stages, classWaits }: Run): SteadyState | null {
  const workers = scenario.workers
  const rateOf = (sums: Float64Array) => Array.from(sums, (sum, b) => sum / (bounds[b + 1] - bounds[b]))
  const busy = stages.map(({ served }) => rateOf(served).map((rate) => rate / workers))
  const [meanFlowTime, meanWait] = [meanOf(flow), meanOf(wait)]
  if (meanFlowTime === null || meanWait === null) return null
  return {
    meanFlowTime,
    meanWait,
    meanJobsInSystem: intervalOf(rateOf(flow.sums)),
    utilisation: intervalOf(busy[0].map((_, b) => busy.reduce((sum, shares) => sum + shares[b], 0))),
    stages: stages.map(({ waits }, s) => ({
      utilisation: intervalOf(busy[s]),
      meanQueue: intervalOf(rateOf(waits.sums)),
      meanWait: meanOf(waits),
    })),
    classWaits: classWaits.map(meanOf),
  }
}
