import type { ConductedRun } from '../../engine/conductor/conductedRun.ts'
import {
  ARRIVED,
  DISCARDED,
  FAILED,
  FINISHED,
  PREFETCH,
  ROUTED,
  type Rows,
  rowTime,
  STARTED,
  WITHDRAWN,
} from '../../pipeline/rows.ts'
import { partKey } from '../../pipeline/state.ts'
import { topologyOf } from '../../pipeline/topology.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'

/** Times are in milliseconds. */
export interface StageFigures {
  readonly id: string
  readonly waiting: number
  readonly busy: number
  readonly done: number
  readonly failed: number
  readonly service: TimeFigures
  readonly wait: TimeFigures
  /** How many inputs go to a worker at once. */
  readonly batch: number
}

export interface TimeFigures {
  readonly mean: number
  readonly p99: number
}

export interface PipelineFigures {
  readonly stages: readonly StageFigures[]
  /** Inputs inside, finished and unread ones included, and the threads that there are. */
  readonly inside: number
  readonly workers: number
  readonly threads: number
  /** Inputs that arrived, came out, or failed. */
  readonly arrived: number
  readonly released: number
  readonly failed: number
  /** What stands in the way of speed, in a sentence; null if nothing does. */
  readonly advice: string | null
}

export type RunStats = ReturnType<typeof createRunStats>

/** Counts the rows of a run. What it keeps does not grow with the number of inputs, only with those inside. */
export function createRunStats(scenario: Scenario) {
  const topology = topologyOf(scenario)
  const stages = scenario.stages.map(({ id }) => ({
    id,
    failed: 0,
    started: 0,
    batches: 0,
    service: createTimes(),
    wait: createTimes(),
  }))
  /** Since when a part of a job waits at a stage. */
  const since = new Map<number, number>()
  const load: Load = { time: 0, workers: 0, served: 0, setUps: 0, done: stages.map(() => 0), busy: 0 }
  const share = utilization()
  let last: Micros = 0
  return {
    /** A thread was set up, which is work too. */
    setUp(took: Micros): void {
      load.served += took
      load.setUps += took
    },
    take(rows: Rows, { core }: ConductedRun): void {
      const { kind, stage, worker, job, length } = rows
      const { arrived, released, failed, live } = core.state.counts
      const passed = length === 0 ? 0 : rowTime(rows, length - 1) - last
      last += passed
      const busy = share()
      const isLoaded = arrived - released - failed > 2 * live
      if (isLoaded) {
        load.time += passed
        load.workers += passed * live
        load.busy += passed * busy
      }
      for (let i = 0; i < length; i++) {
        const time = rowTime(rows, i)
        switch (kind[i]) {
          case ARRIVED:
            for (const first of topology.firsts) since.set(partKey(first, job[i]), time)
            break
          case STARTED: {
            const at = stages[stage[i]]
            const key = partKey(stage[i], job[i])
            at.wait.add(time - (since.get(key) ?? time))
            since.delete(key)
            at.started++
            if (i === 0 || kind[i - 1] !== STARTED || worker[i - 1] !== worker[i] || kind[i - 1] === PREFETCH)
              at.batches++
            break
          }
          case FINISHED:
            stages[stage[i]].service.add(rows.lasted[i])
            if (isLoaded) {
              load.served += rows.lasted[i]
              load.done[stage[i]]++
            }
            for (const next of topology.queuesAfter[stage[i]]) since.set(partKey(next, job[i]), time)
            break
          case ROUTED:
            since.set(partKey(stage[i], job[i]), time)
            break
          case FAILED:
            stages[stage[i]].failed++
            for (let s = 0; s < stages.length; s++) since.delete(partKey(s, job[i]))
            break
          case WITHDRAWN:
          case DISCARDED:
            since.delete(partKey(stage[i], job[i]))
        }
      }
    },
    of(run: ConductedRun | null, inside: number, threads: number): PipelineFigures {
      const counts = run?.core.state.counts
      return {
        stages: stages.map(({ id, failed, started, batches, service, wait }, s) => ({
          id,
          waiting: counts?.waiting[s] ?? 0,
          busy: counts?.busy[s] ?? 0,
          done: counts?.finished[s] ?? 0,
          failed,
          service: service.stats(),
          wait: wait.stats(),
          batch: batches === 0 ? 0 : started / batches,
        })),
        inside,
        workers: counts?.live ?? 0,
        threads,
        arrived: counts?.arrived ?? 0,
        released: counts?.released ?? 0,
        failed: counts?.failed ?? 0,
        advice: adviceOf(
          load,
          stages.map(({ service }) => service.at(0.5)),
        ),
      }
    },
  }
}

/** Times while inputs waited for workers, in microseconds: how long, the same for each worker, and how much of that they served. */
interface Load {
  time: Micros
  workers: Micros
  served: Micros
  setUps: Micros
  /** How many inputs they served, by stage. */
  readonly done: number[]
  /** For how much of it this thread was busy, where that can be measured. */
  busy: Micros
}

/** Nothing is said of a shorter time. */
const ENOUGH: Micros = 50_000
/** One thread alone must be faster by this factor. */
const FASTER = 1.1
/** The share of the time from which on this thread is what all wait for. */
const SATURATED = 0.9

/** If fewer than one worker is at work while inputs wait, one thread alone would be faster. */
function adviceOf({ time, workers, served, setUps, done, busy }: Load, medians: readonly Micros[]): string | null {
  // A thread that gets no processor takes longer, which is no work. Most inputs get theirs at once.
  const usual = done.reduce((sum, count, s) => sum + count * medians[s], setUps)
  const work = busy > SATURATED * time ? Math.min(served, usual) : served
  if (work === 0 || time < ENOUGH || time < work * FASTER) return null
  return `Messages cost ${(workers / work - 1).toFixed(1)} times the work: use larger batches or one thread.`
}

/** Returns a function that returns how long this thread was busy since the call before, as a share of the time. Only Node can tell. */
function utilization(): () => number {
  const clock = performance as { eventLoopUtilization?(from?: unknown, to?: unknown): { readonly utilization: number } }
  let before = clock.eventLoopUtilization?.()
  return () => {
    const now = clock.eventLoopUtilization?.()
    const since = clock.eventLoopUtilization?.(now, before)
    before = now
    return since?.utilization ?? 0
  }
}

/** Buckets in a doubling: a quantile is exact to a sixteenth. */
const PARTS = 16

/** Returns a mean and a histogram of whole microseconds, in constant memory. */
function createTimes() {
  const buckets = new Float64Array(PARTS * 50)
  let count = 0
  let sum = 0
  return {
    add(time: number): void {
      count++
      sum += time
      buckets[bucketOf(time)]++
    },
    stats(): TimeFigures {
      return count === 0 ? { mean: 0, p99: 0 } : { mean: sum / count / 1000, p99: this.at(0.99) / 1000 }
    },
    /** Returns the time that this share of the times does not exceed; 0 if there are none. */
    at(share: number): Micros {
      let left = Math.ceil(count * share)
      let k = 0
      for (; left > buckets[k]; k++) left -= buckets[k]
      return middleOf(k)
    },
  }
}

function bucketOf(time: number): number {
  let doublings = 0
  let rest = time
  for (; rest >= 2 * PARTS; rest /= 2) doublings++
  return Math.min(PARTS * 50 - 1, doublings * PARTS + Math.floor(rest))
}

function middleOf(bucket: number): number {
  if (bucket < 2 * PARTS) return bucket
  const doublings = Math.floor(bucket / PARTS) - 1
  return (bucket - doublings * PARTS + 0.5) * 2 ** doublings
}
