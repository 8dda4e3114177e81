import { ARRIVED, FINISHED, JOINED, LOST, RELEASED, ROUTED, type Rows, rowTime, STARTED, THREW } from '../../pipeline/rows.ts'
import { initialWorkerCount } from '../../scenario/model/defaults.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { catchUp, type Trace } from '../../trace/trace.ts'
import { createAreas } from '../series/areas.ts'
import { LEAST_VALUES, type SteadyMean, steadyMean } from './nskart.ts'

/**
 * The metrics of a run that has settled, each with its 95% interval, to compare with theory. Each is the mean of a series:
 *
 *     waits and flow times    of one job after the other, as they start and leave
 *     jobs and workers        means over slices of time, as many, from the first arrival ├────┼────┼ ... ┼────┤ to the last
 *
 * In a long run an entry of a series stands for `grain` jobs. How much of the beginning is left out is found for each by itself.
 */
export interface SteadyState {
  /** Of the metrics of the whole run: the most jobs that one of them leaves out as warm-up, and when the next job arrived. */
  readonly warmUp: number
  readonly settled: Micros
  readonly utilisation: SteadyMean
  readonly meanWait: SteadyMean
  readonly meanFlowTime: SteadyMean
  readonly meanJobsInSystem: SteadyMean
  readonly stages: readonly StageSteadyState[]
}

export interface StageSteadyState {
  readonly utilisation: SteadyMean
  readonly meanQueue: SteadyMean
  /** Null: fewer than `LEAST_VALUES` jobs came here. */
  readonly meanWait: SteadyMean | null
}

/** The most entries of a series, so that a million jobs need no more memory than this; of all series of areas together. */
const MOST_ENTRIES = 16 * LEAST_VALUES
const MOST_OF_ALL = 4_000_000

/** Returns null for a run that is not drained, has fewer than `LEAST_VALUES` jobs, or had a fault. Pauses every few milliseconds. */
export function* steadyInSteps(trace: Trace): Generator<void, SteadyState | null> {
  catchUp(trace)
  const jobs = trace.head.counts.arrived
  if (trace.ending !== 'drained' || jobs < LEAST_VALUES) return null
  const [from, to] = yield* arrivalsOf(trace, 0, jobs - 1)
  const run = createRun(trace, from, to)
  for (const chunk of trace.chunks) {
    for (let i = 0; i < chunk.length; i++) if (!takeRow(trace, run, chunk, i)) return null
    yield
  }
  return yield* result(trace, run)
}

/** The levels of `areas`: jobs waiting and busy at each stage, and jobs in all. */
const waitingAt = (s: number) => 2 * s
const busyAt = (s: number) => 2 * s + 1

function createRun(trace: Trace, from: Micros, to: Micros) {
  const { length } = trace.scenario.stages
  const jobs = trace.head.counts.arrived
  const levels = 2 * length + 1
  const most = Math.max(LEAST_VALUES, Math.min(MOST_ENTRIES, Math.floor(MOST_OF_ALL / levels)))
  // A grain that left fewer entries than are needed would be too coarse.
  const grain = Math.max(1, Math.min(Math.ceil(jobs / most), Math.floor(jobs / LEAST_VALUES)))
  return {
    grain,
    areas: createAreas(levels, from, to, Math.floor(jobs / grain)),
    arrivedAt: new Float64Array(jobs),
    queuedAt: new Float64Array(jobs),
    /** By job: how long it has waited so far. */
    waited: new Float64Array(jobs),
    flow: createSeries(jobs, grain),
    wait: createSeries(jobs, grain),
    waits: Array.from({ length }, () => createSeries(jobs, grain)),
  }
}

type Run = ReturnType<typeof createRun>

/** Values as they come; an entry is the mean of `grain` of them. */
function createSeries(most: number, grain: number) {
  return { entries: new Float64Array(Math.floor(most / grain)), length: 0, grain, sum: 0, inSum: 0 }
}

function push(series: ReturnType<typeof createSeries>, value: number): void {
  series.sum += value
  if (++series.inSum < series.grain) return
  series.entries[series.length++] = series.sum / series.grain
  series.sum = 0
  series.inSum = 0
}

function meanOf({ entries, length }: ReturnType<typeof createSeries>): SteadyMean | null {
  return steadyMean(entries.subarray(0, length))
}

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
  const { areas, queuedAt, arrivedAt, waited } = run
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
      const wait = time - queuedAt[job]
      waited[job] += wait
      push(run.waits[stage], wait)
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
    case RELEASED:
      push(run.flow, time - arrivedAt[job])
      push(run.wait, waited[job])
      areas.add(inSystem, -1, time)
      return true
    default:
      return rows.kind[i] !== THREW && rows.kind[i] !== LOST && rows.kind[i] !== JOINED
  }
}

function* result(trace: Trace, run: Run): Generator<void, SteadyState | null> {
  const { areas, waits, grain } = run
  const initialWorkers = initialWorkerCount(trace.scenario)
  const allBusy = new Float64Array(areas.means(0).length)
  const stages: StageSteadyState[] = []
  for (const [s, own] of waits.entries()) {
    const busy = areas.means(busyAt(s)).map((workers) => workers / initialWorkers)
    for (let i = 0; i < busy.length; i++) allBusy[i] += busy[i]
    const utilisation = steadyMean(busy)
    const meanQueue = steadyMean(areas.means(waitingAt(s)))
    if (utilisation === null || meanQueue === null) return null
    stages.push({ utilisation, meanQueue, meanWait: meanOf(own) })
    yield
  }
  const utilisation = steadyMean(allBusy)
  const meanWait = meanOf(run.wait)
  const meanFlowTime = meanOf(run.flow)
  const meanJobsInSystem = steadyMean(areas.means(2 * waits.length))
  // There are as many entries as LEAST_VALUES, or the run is not drained.
  if (utilisation === null || meanWait === null || meanFlowTime === null || meanJobsInSystem === null) return null
  const warmUp = grain * Math.max(utilisation.warmUp, meanWait.warmUp, meanFlowTime.warmUp, meanJobsInSystem.warmUp)
  return { warmUp, settled: run.arrivedAt[warmUp], utilisation, meanWait, meanFlowTime, meanJobsInSystem, stages }
}
