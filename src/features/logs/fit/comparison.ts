import { pairs, sum } from 'd3-array'
import { rowTime, STARTED } from '../../../pipeline/rows.ts'
import { playSimulation } from '../../../runs/play/play.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../../trace/follow.ts'
import { evenBounds, meanOf, type Samples } from './samples.ts'

/** The queue of one stage in the log and in the run. */
export interface StageComparison {
  readonly name: string
  /** Means over the times of the log. */
  readonly logged: number
  readonly run: number
  /** The mean over the whole run, until the last job has left. */
  readonly whole: number
  /** The mean distance of the two, each averaged over equal parts of the log, over the logged mean. */
  readonly error: number
  /** By part of the log. */
  readonly parts: readonly {
    readonly from: number
    readonly to: number
    readonly logged: number
    readonly run: number
  }[]
}

/** The comparison of a run with the log. */
export interface Comparison {
  readonly stages: readonly StageComparison[]
  /** By stage: the queue of the run at the times of the log. */
  readonly queues: readonly Float64Array[]
  /** Grows with the differences; 0 where there are none. */
  readonly distance: number
}

const PARTS = 24
/** Below this mean, queues are compared in jobs: a share of one or two jobs means little. */
const SHORT = 4
const NEAR = 0.08

/** Plays a scenario and compares its queues with those of the log. */
export async function compareWithLog(samples: Samples, scenario: Scenario): Promise<Comparison> {
  const { sampled: queues, sums, means } = await playQueues(scenario, samples.time)
  const last = samples.time.length - 1
  const bounds = evenBounds(last + 1, Math.min(PARTS, last))
  const stages = samples.stages.map(({ name, queue }, s): StageComparison => {
    // Of the log only samples are known; the run is known between them too, so it adds no chance of its own.
    const runMean = (from: number, to: number) =>
      (sums[s][to] - sums[s][from]) / (samples.time[to] - samples.time[from])
    const parts = pairs(bounds).map(([from, to]) => ({
      from,
      to,
      logged: meanOf(queue, from, to),
      run: runMean(from, to),
    }))
    const apart = sum(parts, ({ logged, run }) => Math.abs(logged - run)) / parts.length
    const logged = meanOf(queue, 0, last)
    return { name, logged, run: runMean(0, last), whole: means[s], error: apart / Math.max(logged, 0.01), parts }
  })
  return { stages, queues, distance: sum(stages, distanceOf) }
}

/** Returns whether the mean queues of all stages are near enough to stop. */
export const isNear = ({ stages }: Comparison): boolean => stages.every((stage) => apartBy(stage) <= NEAR)

/** Returns the difference of the mean queues, over the logged one. */
function apartBy({ logged, run, whole }: StageComparison): number {
  return Math.max(Math.abs(run - logged), Math.abs(whole - logged)) / Math.max(logged, SHORT)
}

function distanceOf(stage: StageComparison): number {
  const apart = apartBy(stage)
  const shape = (stage.error * stage.logged) / Math.max(stage.logged, SHORT)
  return 3 * apart * apart + 0.5 * shape * shape
}

/**
 * Plays a scenario. Returns its trace and by stage: its queue at each of the ascending `times`, the sum over time until each, the mean until the
 * last row, the longest queue that lasted from `since` to `until`, and how many jobs started before `since`.
 */
export async function playQueues(
  scenario: Scenario,
  times: Float64Array,
  { since, until }: { readonly since: Micros; readonly until: Micros } = { since: 0, until: Infinity },
) {
  const trace = await playSimulation(scenario, 0)
  const follower = createFollower(trace)
  const { counts } = follower
  const stages = Array.from(scenario.stages.keys())
  const sampled = stages.map(() => new Float64Array(times.length))
  const sums = stages.map(() => new Float64Array(times.length))
  const areas = new Float64Array(stages.length)
  const peaks = new Float64Array(stages.length)
  const startedJobs = new Float64Array(stages.length)
  let [k, now] = [0, 0]
  const keepUntil = (time: Micros) => {
    for (; k < times.length && times[k] < time; k++)
      for (const s of stages) {
        sampled[s][k] = counts.waiting[s]
        sums[s][k] = areas[s] + counts.waiting[s] * (times[k] - now)
      }
  }
  follow(follower, Infinity, (rows, i) => {
    const time = rowTime(rows, i)
    if (time > now) {
      keepUntil(time)
      for (const s of stages) {
        areas[s] += counts.waiting[s] * (time - now)
        if (time > since && now <= until) peaks[s] = Math.max(peaks[s], counts.waiting[s])
      }
      now = time
    }
    if (time < since && rows.kind[i] === STARTED)
      startedJobs[rows.stage[i]] = Math.max(startedJobs[rows.stage[i]], rows.job[i] + 1)
  })
  keepUntil(Infinity)
  return {
    sampled,
    sums,
    means: Array.from(areas, (area) => area / Math.max(1, now)),
    peaks: Array.from(peaks),
    startedJobs: Array.from(startedJobs),
    trace,
  }
}

/** A stretch in which the run clearly has another queue than the log, with the mean queues of both. */
export interface Gap extends Pick<StageComparison, 'name' | 'logged' | 'run'> {
  readonly from: Micros
  readonly to: Micros
}

/** A part of the log is not explained if the run is off by half of the mean queue, and by this number of jobs. */
const [HALF, JOBS] = [0.5, 2]

/** Returns the stretches of a stage that the run does not explain; `time` has the times of the log. */
export function unexplainedIn({ name, logged, parts }: StageComparison, time: Float64Array): Gap[] {
  const off = parts.map((part) => Math.abs(part.run - part.logged) > Math.max(JOBS, HALF * logged))
  const gaps: Gap[] = []
  for (let k = 0; k < parts.length; k++) {
    if (!off[k]) continue
    let end = k
    while (off[end + 1]) end++
    const within = parts.slice(k, end + 1)
    const mean = (of: 'logged' | 'run') => within.reduce((sum, part) => sum + part[of], 0) / within.length
    gaps.push({ name, from: time[parts[k].from], to: time[parts[end].to], logged: mean('logged'), run: mean('run') })
    k = end
  }
  return gaps
}
