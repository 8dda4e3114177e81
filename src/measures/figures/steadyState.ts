import { ARRIVED, FINISHED, JOINED, LOST, RELEASED, ROUTED, type Rows, rowTime, STARTED, THREW } from '../../pipeline/rows.ts'
import { initialWorkerCount } from '../../scenario/model/defaults.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { catchUp, type Trace } from '../../trace/trace.ts'
import { createAreas } from '../series/areas.ts'
import { BATCHES, type Interval, intervalOf } from './confidence.ts'

/**
 * The metrics of a run without its beginning and end, each with its 95% interval, to compare with theory.
 *
 *     jobs      0 ──── warm-up: a tenth ──── 1 ──── 2 ──── ... ──── 20 batches alike
 *     time      arrival of the first of them ├──── 20 slices alike ────┤ arrival of the last job
 *
 * The warm-up is a fixed share, so that it cannot be chosen to fit. Waits and flow times are means over the jobs of a batch,
 * numbers of jobs and workers means over a slice of time.
 */
export interface SteadyState {
  /** Jobs left out as warm-up, and jobs in each batch. */
  readonly warmUp: number
  readonly batch: number
  readonly utilisation: Interval
  readonly meanWait: Interval
  readonly meanFlowTime: Interval
  readonly meanJobsInSystem: Interval
  readonly stages: readonly StageSteadyState[]
}

export interface StageSteadyState {
  readonly utilisation: Interval
  readonly meanQueue: Interval
  readonly meanWait: Interval
}

/** Batches with fewer jobs are not conclusive. */
const LEAST_BATCH = 20

/** Returns null for a run that is not drained, has fewer than 445 jobs, or had a fault. Pauses every few milliseconds. */
export function* steadyInSteps(trace: Trace): Generator<void, SteadyState | null> {
  catchUp(trace)
  const jobs = trace.head.counts.arrived
  const warmUp = Math.ceil(jobs / 10)
  const batch = Math.floor((jobs - warmUp) / BATCHES)
  if (trace.ending !== 'drained' || batch < LEAST_BATCH) return null
  const [from, to] = yield* arrivalsOf(trace, warmUp, jobs - 1)
  const run = createRun(trace, warmUp, batch, from, to)
  for (const chunk of trace.chunks) {
    for (let i = 0; i < chunk.length; i++) if (!takeRow(trace, run, chunk, i)) return null
    yield
  }
  return result(trace, run)
}

/** The levels of `areas`: jobs waiting and busy at each stage, and jobs in all. */
const waitingAt = (s: number) => 2 * s
const busyAt = (s: number) => 2 * s + 1

function createRun(trace: Trace, warmUp: number, batch: number, from: Micros, to: Micros) {
  const { length } = trace.scenario.stages
  const jobs = trace.head.counts.arrived
  return {
    warmUp,
    batch,
    areas: createAreas(2 * length + 1, from, to, BATCHES),
    arrivedAt: new Float64Array(jobs),
    queuedAt: new Float64Array(jobs),
    flow: new Float64Array(BATCHES),
    /** By batch: the waits at each stage, one after the other. */
    waits: Array.from({ length }, () => new Float64Array(BATCHES)),
    starts: Array.from({ length }, () => new Float64Array(BATCHES)),
  }
}

type Run = ReturnType<typeof createRun>

/** Returns when two jobs arrived. A plain loop over one column saves many milliseconds for a million jobs. */
function* arrivalsOf({ chunks }: Trace, first: number, last: number): Generator<void, readonly [Micros, Micros]> {
  let from = 0
  let to = 0
  for (const chunk of chunks) {
    const { kind, job, length } = chunk
    for (let i = 0; i < length; i++) {
      if (kind[i] !== ARRIVED) continue
      if (job[i] === first) from = rowTime(chunk, i)
      if (job[i] === last) to = rowTime(chunk, i)
    }
    yield
  }
  return [from, to]
}

/** Returns false for a row that cannot be in a steady run. */
function takeRow({ topology }: Trace, run: Run, rows: Rows, i: number): boolean {
  const { areas, queuedAt, arrivedAt } = run
  const stage = rows.stage[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  const inSystem = 2 * run.waits.length
  switch (rows.kind[i]) {
    case ARRIVED:
      arrivedAt[job] = time
      queuedAt[job] = time
      areas.add(inSystem, 1, time)
      for (const first of topology.firsts) areas.add(waitingAt(first), 1, time)
      return true
    case STARTED: {
      const b = batchOf(run, job)
      if (b >= 0) {
        run.waits[stage][b] += time - queuedAt[job]
        run.starts[stage][b]++
      }
      areas.add(waitingAt(stage), -1, time)
      areas.add(busyAt(stage), 1, time)
      return true
    }
    case FINISHED: {
      const next = topology.next[stage]
      queuedAt[job] = time
      areas.add(busyAt(stage), -1, time)
      if (next >= 0) areas.add(waitingAt(next), 1, time)
      return true
    }
    case ROUTED:
      areas.add(waitingAt(stage), 1, time)
      return true
    case RELEASED: {
      const b = batchOf(run, job)
      if (b >= 0) run.flow[b] += time - arrivedAt[job]
      areas.add(inSystem, -1, time)
      return true
    }
    default:
      return rows.kind[i] !== THREW && rows.kind[i] !== LOST && rows.kind[i] !== JOINED
  }
}

/** Returns -1 for the warm-up, and for the few jobs left over at the end. */
function batchOf({ warmUp, batch }: Run, job: number): number {
  const b = Math.floor((job - warmUp) / batch)
  return b < BATCHES ? b : -1
}

function result({ scenario }: Trace, { warmUp, batch, areas, flow, waits, starts }: Run): SteadyState {
  const inSystem = 2 * waits.length
  const initialWorkers = initialWorkerCount(scenario)
  const perJob = (sums: Float64Array) => intervalOf(sums.map((sum) => sum / batch))
  const share = (busy: Float64Array) => intervalOf(busy.map((workers) => workers / initialWorkers))
  const allBusy = new Float64Array(BATCHES)
  const allWaits = new Float64Array(BATCHES)
  waits.forEach((own, s) => {
    const busy = areas.means(busyAt(s))
    for (let b = 0; b < BATCHES; b++) {
      allBusy[b] += busy[b]
      allWaits[b] += own[b]
    }
  })
  return {
    warmUp,
    batch,
    utilisation: share(allBusy),
    meanWait: perJob(allWaits),
    meanFlowTime: perJob(flow),
    meanJobsInSystem: intervalOf(areas.means(inSystem)),
    stages: waits.map((own, s) => ({
      utilisation: share(areas.means(busyAt(s))),
      meanQueue: intervalOf(areas.means(waitingAt(s))),
      // Of the jobs that come here: where jobs are routed, not all.
      meanWait: intervalOf(own.map((sum, b) => sum / Math.max(1, starts[s][b]))),
    })),
  }
}
