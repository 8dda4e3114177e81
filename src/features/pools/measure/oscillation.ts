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

/** An oscillation has at least so many rounds, */
export const ROUNDS = 4
/** whose lengths deviate by at most this share of their mean (root mean square), */
export const JITTER = 0.25
/** whose later half keeps at least this share of the height, */
export const LASTING = 0.9
/** and which swings by at least so many jobs. */
export const LEAST_SWING = 4

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
  const least = level.reduce((a, b) => Math.min(a, b))
  const most = level.reduce((a, b) => Math.max(a, b))
  const rises = risesOf(level, least + (most - least) / 4, least + ((most - least) * 3) / 4)
  const lengths = rises.slice(1).map((rise, k) => rise - rises[k])
  const heights = lengths.map((length, k) => heightOf(level, rises[k], rises[k] + length))
  const period = mean(lengths)
  const half = Math.floor(lengths.length / 2)
  const steady =
    lengths.length >= ROUNDS &&
    most - least >= LEAST_SWING &&
    Math.sqrt(mean(lengths.map((length) => (length - period) * (length - period)))) <= JITTER * period &&
    mean(heights.slice(lengths.length - half)) >= LASTING * mean(heights.slice(0, half))
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

function heightOf(level: Float64Array, from: number, to: number): number {
  const round = level.subarray(from, to)
  return round.reduce((a, b) => Math.max(a, b)) - round.reduce((a, b) => Math.min(a, b))
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((a, b) => a + b) / numbers.length
}
