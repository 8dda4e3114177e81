import { bisectRight, range } from 'd3-array'
import type { Micros } from '../../scenario/model/scenario.ts'

/** The range of time that a timeline shows. The caller owns it; a drawing only asks for another. */
export type TimeRange = readonly [from: Micros, to: Micros]

/** The shortest range, in microseconds. Nothing in a run is shorter than 1. */
export const SHORTEST = 20

/** Returns the range of a whole run that has ended. */
export function fitRange(end: Micros): TimeRange {
  return [0, Math.max(end, SHORTEST)]
}

/** Returns the range of a whole run that grows: its right edge is a round number, which stays and then moves on by at most a third. */
export function liveRange(end: Micros): TimeRange {
  return [0, edges[bisectRight(edges, end)]]
}
/** The right edges, from a tenth of a second on. */
const edges: readonly Micros[] = range(5, 16).flatMap((power) =>
  [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((digit) => digit * 10 ** power),
)

/** Returns a range `factor` times as long. The instant `at` keeps its place on the screen. */
export function zoomRange([from, to]: TimeRange, factor: number, at: Micros, most: Micros): TimeRange {
  const width = Math.min(Math.max((to - from) * factor, SHORTEST), Math.max(most, SHORTEST))
  const share = to > from ? (at - from) / (to - from) : 0.5
  return within(at - share * width, width, most)
}

/** Returns the range moved by `by`, but not beyond the run. */
export function panRange([from, to]: TimeRange, by: Micros, most: Micros): TimeRange {
  return within(from + by, to - from, most)
}

/** Returns the range with a tenth more on either side. */
export function paddedRange([from, to]: TimeRange, most: Micros): TimeRange {
  const width = Math.min(Math.max((to - from) * 1.2, SHORTEST), Math.max(most, SHORTEST))
  return within((from + to - width) / 2, width, most)
}

/** Returns a range of the same length with `time` at its first quarter. */
export function revealRange([from, to]: TimeRange, time: Micros, most: Micros): TimeRange {
  return within(time - (to - from) / 4, to - from, most)
}

function within(from: Micros, width: Micros, most: Micros): TimeRange {
  const start = Math.max(0, Math.min(from, most - width))
  return [start, start + width]
}
