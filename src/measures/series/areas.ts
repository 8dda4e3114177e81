import type { Micros } from '../../scenario/model/scenario.ts'

/**
 * Means of levels over slices of time: the area under each level, cut at the ends of the slices.
 *
 *     level   2 ┤    ┌──┐
 *             1 ┤ ┌──┘  └────┐       slices   from ├────┼────┤ to
 *             0 ┼─┘          └──     means          1.2  0.9
 */
export interface Areas {
  /** From `time` on the level is greater by `by`. Times never run back. */
  add(level: number, by: number, time: Micros): void
  /** Returns the mean of a level over each slice. Call it once, at the end. */
  means(level: number): Float64Array
}

/** Returns areas over `slices` of equal length from `from` to `to`. All levels begin at 0. */
export function createAreas(levels: number, from: Micros, to: Micros, slices: number): Areas {
  const length = (to - from) / slices
  const height = new Float64Array(levels)
  const since = new Float64Array(levels)
  const areas = Array.from({ length: levels }, () => new Float64Array(slices))

  /** Adds the area of a level since it last changed. A plain loop: every row of a run passes here twice. */
  function settle(level: number, time: Micros): void {
    let start = since[level] > from ? since[level] : from
    const end = time < to ? time : to
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
    add(level, by, time) {
      settle(level, time)
      height[level] += by
    },
    means(level) {
      settle(level, to)
      return areas[level].map((area) => area / length)
    },
  }
}
