import {
  ARRIVED,
  FINISHED,
  GATHERED,
  GAVE_UP,
  JOINED,
  LOST,
  NONE,
  RELEASED,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
  THREW,
} from '../../../pipeline/rows.ts'
import type { Topology } from '../../../pipeline/topology.ts'
import { initialWorkerCount } from '../../../scenario/model/defaults.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { catchUp, type Trace } from '../../../trace/trace.ts'
import { classingOf } from '../../../workload/service.ts'
import type { ForecastKey } from './forecast.ts'
import { MIN_VALUES, type SteadyMean, steadyMean } from './nskart.ts'

/**
 * The metrics of a run that has settled, each with its 95% interval, to compare with theory. Each is the mean of a series: waits and flow times job
 * by job, jobs over slices of time from the first arrival to the last, and utilisation by what the jobs that arrive in a slice take of the workers:
 * it has the same mean as how busy they are (H = λG; Heyman and Stidham 1980), and almost no memory.
 */
export interface SteadyState extends Readonly<Record<ForecastKey, SteadyMean>> {
  /** Of the metrics of the whole run: the most jobs that one of them leaves out as warm-up, and when the next job arrived. */
  readonly warmUp: number
  readonly settled: Micros
  /** The share of the jobs that their clients gave up. */
  readonly gaveUp: SteadyMean
  readonly stages: readonly StageSteadyState[]
  /** By class where jobs have classes: the mean wait; null for fewer than `MIN_VALUES` jobs. */
  readonly classWaits: readonly (SteadyMean | null)[]
}

export interface StageSteadyState {
  readonly utilisation: SteadyMean
  readonly meanQueue: SteadyMean
  /** Null: fewer than `MIN_VALUES` jobs arrived here. */
  readonly meanWait: SteadyMean | null
}

/** The most entries of a series, so that a million jobs need no more memory than this; of all series of areas together. */
const MAX_ENTRIES = 16 * MIN_VALUES
const MAX_OF_ALL = 4_000_000

/** Returns null for a run that is not drained, has fewer than `MIN_VALUES` jobs, or had a fault. Pauses every few milliseconds. */
export function* steadyInSteps(trace: Trace): Generator<void, SteadyState | null> {
  catchUp(trace)
  const jobs = trace.head.counts.arrived
  if (trace.ending !== 'drained' || jobs < MIN_VALUES) return null
  const [from, to] = yield* arrivalsOf(trace, 0, jobs - 1)
  const run = createRun(trace, from, to)
  for (const chunk of trace.chunks) {
    for (let i = 0; i < chunk.length; i++) if (!takeRow(trace, run, chunk, i)) return null
    yield
  }
  return yield* result(trace, run)
}

function createRun(trace: Trace, from: Micros, to: Micros) {
  const { length } = trace.scenario.stages
  const jobs = trace.head.counts.arrived
  const most = Math.max(MIN_VALUES, Math.min(MAX_ENTRIES, Math.floor(MAX_OF_ALL / (2 * length + 1))))
  // A grain that left fewer entries than are needed would be too coarse.
  const grain = Math.max(1, Math.min(Math.ceil(jobs / most), Math.floor(jobs / MIN_VALUES)))
  const slices = Math.floor(jobs / grain)
  return {
    grain,
    from,
    slice: (to - from) / slices,
    /** Jobs waiting at each stage, and jobs in all. */
    areas: createAreas(length + 1, from, to, slices),
    /** By stage: jobs in its queue, and those outside for which it has no room. */
    waiting: new Int32Array(length),
    /** By stage: how long the services last of the jobs that arrive in a slice. */
    brought: Array.from({ length }, () => new Float64Array(slices)),
    arrivedAt: new Float64Array(jobs),
    /** By job; where parts of a job wait at once, by stage and job. */
    queuedAt: new Float64Array(trace.topology.copies ? jobs * length : jobs),
    /** By job: how long it has waited so far. */
    waited: new Float64Array(jobs),
    flow: createSeries(jobs, grain),
    wait: createSeries(jobs, grain),
    /** 1 for a job that its client gave up, else 0. */
    gaveUp: createSeries(jobs, grain),
    waits: Array.from({ length }, () => createSeries(jobs, grain)),
    classOf: classingOf(trace.scenario),
    classWaits: trace.scenario.source.classes?.map(() => createSeries(jobs, grain)) ?? [],
  }
}

type Run = ReturnType<typeof createRun>

/** Values in order of arrival; an entry is the mean of `grain` of them. */
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
  let [from, to] = [0, 0]
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
  const { areas, queuedAt, arrivedAt, waited, waits } = run
  const stage = rows.stage[i]
  const job = rows.job[i]
  const time = rowTime(rows, i)
  switch (rows.kind[i]) {
    case ARRIVED:
      arrivedAt[job] = time
      areas.add(waits.length, 1, time)
      for (const first of topology.firsts) enqueue(run, topology, first, job, time)
      return true
    case STARTED: {
      const wait = time - queuedAt[placeOf(run, topology, stage, job)]
      waited[job] += wait
      push(waits[stage], wait)
      // Where jobs wait outside, one of them takes the place.
      if (--run.waiting[stage] < roomOf(topology, stage)) areas.add(stage, -1, time)
      bring(run, stage, job, -time)
      return true
    }
    case FINISHED:
      bring(run, stage, job, time)
      for (const next of topology.queuesAfter[stage]) enqueue(run, topology, next, job, time)
      return true
    case ROUTED:
      enqueue(run, topology, stage, job, time)
      return true
    case GATHERED:
      if (stage !== NONE) enqueue(run, topology, stage, job, time)
      return true
    case RELEASED:
      push(run.flow, time - arrivedAt[job])
      push(run.wait, waited[job])
      if (run.classWaits.length > 0) push(run.classWaits[run.classOf(job)], waited[job])
      push(run.gaveUp, 0)
      areas.add(waits.length, -1, time)
      return true
    case GAVE_UP: {
      const wait = time - arrivedAt[job]
      push(waits[topology.first], wait)
      if (--run.waiting[topology.first] < roomOf(topology, topology.first)) areas.add(topology.first, -1, time)
      push(run.flow, wait)
      push(run.wait, wait)
      push(run.gaveUp, 1)
      areas.add(waits.length, -1, time)
      return true
    }
    default:
      return rows.kind[i] !== THREW && rows.kind[i] !== LOST && rows.kind[i] !== JOINED
  }
}

function placeOf({ arrivedAt }: Run, { copies }: Topology, stage: number, job: number): number {
  return copies ? stage * arrivedAt.length + job : job
}

function enqueue(run: Run, topology: Topology, stage: number, job: number, time: Micros): void {
  run.queuedAt[placeOf(run, topology, stage, job)] = time
  if (++run.waiting[stage] <= roomOf(topology, stage)) run.areas.add(stage, 1, time)
}

/** How many jobs the queue of a stage holds; jobs that find a first queue full wait outside. */
const roomOf = ({ capacity }: Topology, stage: number): number => (capacity[stage] === 0 ? Infinity : capacity[stage])

/** Adds to what the arrivals of the job's slice bring: less the time of a start, plus that of its finish. The last slice ends before the last arrival. */
function bring({ brought, arrivedAt, from, slice }: Run, stage: number, job: number, by: Micros): void {
  const k = Math.floor((arrivedAt[job] - from) / slice)
  if (k < brought[stage].length) brought[stage][k] += by
}

function* result(trace: Trace, run: Run): Generator<void, SteadyState | null> {
  const { areas, waits, grain, brought, slice } = run
  const each = slice * initialWorkerCount(trace.scenario)
  const all = new Float64Array(brought[0].length)
  const stages: StageSteadyState[] = []
  for (const [s, own] of waits.entries()) {
    const busy = brought[s].map((time) => time / each)
    for (let i = 0; i < busy.length; i++) all[i] += busy[i]
    const utilisation = steadyMean(busy)
    const meanQueue = steadyMean(areas.means(s))
    if (utilisation === null || meanQueue === null) return null
    stages.push({ utilisation, meanQueue, meanWait: meanOf(own) })
    yield
  }
  const utilisation = steadyMean(all)
  const meanWait = meanOf(run.wait)
  const meanFlowTime = meanOf(run.flow)
  const meanJobsInSystem = steadyMean(areas.means(waits.length))
  // There are as many entries as MIN_VALUES, or the run is not drained.
  const gaveUp = meanOf(run.gaveUp)
  if (
    utilisation === null ||
    gaveUp === null ||
    meanWait === null ||
    meanFlowTime === null ||
    meanJobsInSystem === null
  )
    return null
  const warmUp = grain * Math.max(utilisation.warmUp, meanWait.warmUp, meanFlowTime.warmUp, meanJobsInSystem.warmUp)
  return {
    warmUp,
    settled: run.arrivedAt[warmUp],
    gaveUp,
    utilisation,
    meanWait,
    meanFlowTime,
    meanJobsInSystem,
    stages,
    classWaits: run.classWaits.map(meanOf),
  }
}

/** Returns means of levels over `slices` of equal length from `from` to `to`: the area under each level, cut at the ends of the slices. All levels begin at 0. */
export function createAreas(levels: number, from: Micros, to: Micros, slices: number) {
  const length = (to - from) / slices
  const height = new Float64Array(levels)
  const since = new Float64Array(levels)
  const areas = Array.from({ length: levels }, () => new Float64Array(slices))

  /** Adds the area of a level since it last changed. A plain loop: every row of a run passes here twice. */
  function settle(level: number, time: Micros): void {
    let start = Math.max(since[level], from)
    const end = Math.min(time, to)
    since[level] = time
    if (height[level] === 0) return
    while (start < end) {
      let slice = Math.min(slices - 1, Math.floor((start - from) / length))
      // A start on the border of two slices may be rounded into the one before.
      if (slice < slices - 1 && from + (slice + 1) * length <= start) slice++
      const stop = slice === slices - 1 ? end : Math.min(end, from + (slice + 1) * length)
      areas[level][slice] += height[level] * (stop - start)
      start = stop
    }
  }

  return {
    /** From `time` on the level is greater by `by`. Times never run back. */
    add(level: number, by: number, time: Micros): void {
      settle(level, time)
      height[level] += by
    },
    /** Returns the mean of a level over each slice. Call it once, at the end. */
    means(level: number): Float64Array {
      settle(level, to)
      return areas[level].map((area) => area / length)
    },
  }
}
