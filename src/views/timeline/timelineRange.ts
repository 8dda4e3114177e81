import type { Micros } from '../../scenario/model/scenario.ts'

/** The stretch of time a timeline shows. The caller owns it; a drawing only proposes another. */
export type TimeRange = readonly [from: Micros, to: Micros]

/** Nobody needs less than 20 us across a screen: a draw is at least 1 us. */
const SHORTEST = 20

/** All of a run that has ended. */
export function fitRange(end: Micros): TimeRange {
  return [0, Math.max(end, SHORTEST)]
}

/**
 * All of a run that goes on. The right edge is a round number beyond the end, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times
 * a power of ten: it holds still while the run grows towards it, then steps on by at most a third.
 */
export function liveRange(end: Micros): TimeRange {
  let power = 100_000
  while (power * 10 <= end) power *= 10
  for (const step of [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]) if (step * power > end) return [0, step * power]
  return [0, 12.5 * power]
}

/** Shows `factor` times as much around the instant `at`, which stays where it is on the screen. */
export function zoomRange([from, to]: TimeRange, factor: number, at: Micros, most: Micros): TimeRange {
  const width = Math.min(Math.max((to - from) * factor, SHORTEST), Math.max(most, SHORTEST))
  const share = to > from ? (at - from) / (to - from) : 0.5
  return within(at - share * width, width, most)
}

/** Moves by `by`, no further than the run reaches. */
export function panRange([from, to]: TimeRange, by: Micros, most: Micros): TimeRange {
  return within(from + by, to - from, most)
}

/** A stretch with a tenth of it on either side. */
export function stretchRange([from, to]: TimeRange, most: Micros): TimeRange {
  const width = Math.min(Math.max((to - from) * 1.2, SHORTEST), Math.max(most, SHORTEST))
  return within((from + to - width) / 2, width, most)
}

/** As wide as it is, with an instant at a quarter of it. */
export function revealRange([from, to]: TimeRange, time: Micros, most: Micros): TimeRange {
  return within(time - (to - from) / 4, to - from, most)
}

function within(from: Micros, width: Micros, most: Micros): TimeRange {
  const start = Math.max(0, Math.min(from, most - width))
  return [start, start + width]
}
