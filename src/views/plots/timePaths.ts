import { area, line } from 'd3-shape'
import { extremes, means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { PixelScale } from '../drawing/amountScale.ts'

/** A plot over time from 0 on: `x` places times, and `y` amounts. */
export interface TimePlot {
  readonly x: PixelScale
  readonly y: PixelScale
}

/** Returns the mean in each pixel column up to `until` as an SVG path; empty if there is none. */
export function meanPath(steps: Steps, { x, y }: TimePlot, until: Micros): string {
  const columns = columnsUntil(x, until)
  const mean = new Float64Array(columns)
  if (columns > 0) means(steps, 0, endOf(x, columns), columns, mean)
  const path = line<number>().x(middleOf(x)).y(y).digits(1)
  return path(mean) ?? ''
}

/** Returns the area from the least to the greatest value in each pixel column up to `until` as a closed SVG path. */
export function rangePath(steps: Steps, { x, y }: TimePlot, until: Micros): string {
  const columns = columnsUntil(x, until)
  const least = new Int32Array(columns)
  const most = new Int32Array(columns)
  if (columns > 0) extremes(steps, 0, endOf(x, columns), columns, least, most)
  const path = area<number>()
    .x(middleOf(x))
    .y0((_, column) => y(least[column]))
    .y1(y)
    .digits(1)
  return path(most) ?? ''
}

/** Returns an SVG path through samples that were taken every `every` from time 0. */
export function samplePath(samples: readonly number[], every: Micros, { x, y }: TimePlot): string {
  const path = line<number>()
    .x((_, k) => x(k * every))
    .y(y)
    .digits(1)
  return path(samples) ?? ''
}

/** Returns the points of values at ascending times. Of several in one pixel column they are the first, the least, the greatest and the last. */
export function valuePoints(time: ArrayLike<Micros>, value: ArrayLike<number>, { x, y }: TimePlot): (readonly [x: number, y: number])[] {
  const [left, right] = x.range()
  const columnOf = (k: number) => Math.min(Math.floor(right - left) - 1, Math.floor(x(time[k]) - left))
  const points: (readonly [x: number, y: number])[] = []
  for (let k = 0; k < value.length; ) {
    const column = columnOf(k)
    const first = value[k]
    let [least, most, last] = [first, first, first]
    for (; k < value.length && columnOf(k) === column; k++) {
      last = value[k]
      least = Math.min(least, last)
      most = Math.max(most, last)
    }
    for (const each of new Set([first, least, most, last])) points.push([left + column + 0.5, y(each)])
  }
  return points
}

/** Returns how many pixel columns there are up to an instant. */
function columnsUntil(x: PixelScale, until: Micros): number {
  const [left, right] = x.range()
  return Math.min(Math.floor(right - left), Math.ceil(x(until) - left))
}

/** Returns where so many pixel columns end. */
function endOf(x: PixelScale, columns: number): Micros {
  return x.invert(x.range()[0] + columns)
}

function middleOf(x: PixelScale): (value: number, column: number) => number {
  const [left] = x.range()
  return (_, column) => left + column + 0.5
}
