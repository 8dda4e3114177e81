import { extent, mean } from 'd3-array'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { means, type Steps } from '../../../measures/series/steps.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'

/** How a queue goes up and down in a stretch of time. */
export interface Oscillation {
  /** Whole rounds, from one rise to the next. */
  readonly rounds: number
  /** The mean length of a round; 0 for less than one. */
  readonly period: Micros
  /** The least and the greatest length of the queue. */
  readonly least: number
  readonly most: number
  /** At least `ROUNDS` rounds, all of about one length, that do not die away. */
  readonly steady: boolean
}

/** An oscillation has at least this number of rounds, */
export const ROUNDS = 4
/** whose lengths deviate by at most this share of their mean (root mean square), */
export const JITTER = 0.25
/** whose later half keeps at least this share of the height, */
export const LASTING = 0.9
/** and which swings by at least this number of jobs. */
export const MIN_SWING = 4

/**
 * Whether a queue oscillates between `from` and `to`, seen as its mean in every `every`. A round begins where the queue rises
 * over three quarters of its range, having been under one quarter.
 *
 *     most   ┄┄┄╭─╮┄┄┄┄┄╭─╮┄┄┄┄┄╭─╮┄┄
 *     3/4    ┄┄┄│┄│┄┄┄┄┄│┄│┄┄┄┄┄│┄│┄┄     two rounds
 *     1/4    ┄┄╭╯┄╰╮┄┄┄╭╯┄╰╮┄┄┄╭╯┄╰╮┄
 *     least  ──╯┄┄┄╰───╯┄┄┄╰───╯┄┄┄╰─
 */
export function oscillationOf(queue: Steps, from: Micros, to: Micros, every: Micros): Oscillation {
  const slices = Math.max(1, Math.floor((to - from) / every))
  const level = new Float64Array(slices)
  means(queue, from, from + slices * every, slices, level)
  const [least = 0, most = 0] = extent(level)
  const rises = risesOf(level, least + (most - least) / 4, least + ((most - least) * 3) / 4)
  const lengths = rises.slice(1).map((rise, k) => rise - rises[k])
  const heights = lengths.map((length, k) => {
    const [low = 0, high = 0] = extent(level.subarray(rises[k], rises[k] + length))
    return high - low
  })
  const period = mean(lengths) ?? 0
  const half = Math.floor(lengths.length / 2)
  const steady =
    lengths.length >= ROUNDS &&
    most - least >= MIN_SWING &&
    Math.sqrt(mean(lengths, (length) => (length - period) * (length - period)) ?? 0) <= JITTER * period &&
    (mean(heights.slice(lengths.length - half)) ?? 0) >= LASTING * (mean(heights.slice(0, half)) ?? 0)
  return { rounds: lengths.length, period: period * every, least, most, steady }
}

/** The slices in which the level rises over `high`, having been under `low`. */
function risesOf(level: Float64Array, low: number, high: number): number[] {
  const rises: number[] = []
  let down = false
  for (const [i, value] of level.entries()) {
    if (value < low) down = true
    else if (down && value > high) {
      rises.push(i)
      down = false
    }
  }
  return rises
}

/** The gains of a PID controller, as a scenario has them: output = kp e + sum of ki e dt + kd (change of e) / dt, dt in seconds. */
export type Gains = { readonly kp: number; readonly ki: number; readonly kd: number }

/** The least proportional gain at which the loop oscillates steadily, and the period with which it does. */
export type Ultimate = { readonly gain: number; readonly period: Micros }

/**
 * Returns the classic settings (Ziegler and Nichols 1942) from the ultimate gain Ku and period Tu: P 0.5 Ku; PI 0.45 Ku with Ti = Tu / 1.2; PID 0.6 Ku with
 * Ti = Tu / 2 and Td = Tu / 8. Their output is K (e + (integral of e) / Ti + Td de/dt), so ki = K / Ti and kd = K Td, in seconds.
 */
export function zieglerNichols({ gain, period }: Ultimate): Readonly<Record<'P' | 'PI' | 'PID', Gains>> {
  const tu = period / 1e6
  const of = (k: number, ti: number, td: number): Gains => ({ kp: k, ki: k / ti, kd: k * td })
  return { P: of(0.5 * gain, Infinity, 0), PI: of(0.45 * gain, tu / 1.2, 0), PID: of(0.6 * gain, tu / 2, tu / 8) }
}

/** The use of a run with a pool, in microseconds of workers and of waiting jobs. */
export interface PoolUse {
  /** The integral of the workers alive, from time 0 to the makespan. */
  readonly workerTime: Micros
  readonly waitTime: Micros
  readonly makespan: Micros
  readonly jobs: number
  /** Jobs that arrived and never left. Their cost is unknown. */
  readonly left: number
}

type PoolFigures = Pick<Metrics, 'jobs' | 'completed' | 'failed' | 'makespan' | 'meanWait' | 'workersOverTime'>

/** From the figures of a run, as the headless command prints them. */
export function poolUse({ jobs, completed, failed, makespan, meanWait, workersOverTime }: PoolFigures): PoolUse {
  const workerTime = workersOverTime.reduce((sum, [time, workers], i) => {
    const until = Math.min(makespan, workersOverTime[i + 1]?.[0] ?? makespan)
    return sum + Math.max(0, until - time) * workers
  }, 0)
  const gone = completed + failed
  return { workerTime, waitTime: meanWait * gone, makespan, jobs: gone, left: jobs - gone }
}

/** workers x time + weight x jobs x wait, in worker seconds. Infinite where jobs were left behind: they wait forever. */
export function poolCost({ workerTime, waitTime, left }: PoolUse, weight: number): number {
  return left > 0 ? Infinity : (workerTime + weight * waitTime) / 1e6
}
