import type { Micros } from '../../scenario/model/scenario.ts'
import { linePath } from '../drawing/svg.ts'
import type { TimePlot } from './trajectoryLayout.ts'

/** A plot over time of values that may be negative: from `least` at the bottom to `most`, both round. */
export interface SignedTimePlot extends TimePlot {
  readonly least: number
}

/** Returns a round number that is `value` or more, and so close that a curve up to `value` fills most of its plot. */
export function roundLimit(value: number): number {
  let unit = 1
  while (unit * 10 < value) unit *= 10
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((k) => k * unit).find((round) => round >= value && Number.isInteger(round)) ?? 1
}

/** Returns round limits around 0 for some lengths of time. */
export function roundLimits(times: ArrayLike<Micros>): { readonly least: Micros; readonly most: Micros } {
  let least = 0
  let most = 0
  for (let k = 0; k < times.length; k++) {
    if (times[k] < least) least = times[k]
    if (times[k] > most) most = times[k]
  }
  return { least: least < 0 ? -roundLimit(-least) : 0, most: most > 0 || least === 0 ? roundLimit(Math.max(most, 1)) : 0 }
}

/** Returns an SVG path through values at ascending times. Of several in one pixel column it has the first, the least, the greatest and the last. */
export function valuePath(time: ArrayLike<Micros>, value: ArrayLike<number>, plot: SignedTimePlot): string {
  const points: (readonly [x: number, y: number])[] = []
  for (let k = 0; k < value.length; ) {
    const column = columnOf(plot, time[k])
    const first = value[k]
    let [least, most, last] = [first, first, first]
    for (; k < value.length && columnOf(plot, time[k]) === column; k++) {
      last = value[k]
      least = Math.min(least, last)
      most = Math.max(most, last)
    }
    for (const v of new Set([first, least, most, last])) points.push([plot.x + column + 0.5, yOfValue(plot, v)])
  }
  return linePath(points)
}

/** Returns the y of a value. */
export function yOfValue({ y, height, least, most }: SignedTimePlot, value: number): number {
  return y + height - ((value - least) / Math.max(1, most - least)) * height
}

/** Returns the x of an instant. */
export function xOfTime({ x, width, end }: Pick<TimePlot, 'x' | 'width' | 'end'>, time: Micros): number {
  return x + (Math.min(time, end) / Math.max(1, end)) * width
}

function columnOf({ width, end }: TimePlot, time: Micros): number {
  return Math.min(Math.floor(width) - 1, Math.floor((time / Math.max(1, end)) * width))
}
