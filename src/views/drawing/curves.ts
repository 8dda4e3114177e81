import { range, transpose } from 'd3-array'
import { area, curveLinear, curveStepAfter, line, type SeriesPoint, stack } from 'd3-shape'
import type { PathPoint } from './svg.ts'

/** Returns an SVG path that keeps the y of each point up to the x of the next. */
export function stepPath(points: readonly PathPoint[]): string {
  return line<PathPoint>().curve(curveStepAfter).digits(2)(points) ?? ''
}

/** Returns the areas of rows of values, each on top of the one before, as SVG paths: of the values number `k` at `x(k)`, in the units of `y`. */
export function stackedPaths(
  rows: readonly (readonly number[])[],
  x: (k: number) => number,
  y: (value: number) => number,
  curve = curveLinear,
): string[] {
  const path = area<SeriesPoint<number[]>>()
    .x((_, k) => x(k))
    .y0(([low]) => y(low))
    .y1(([, high]) => y(high))
    .curve(curve)
    .digits(1)
  const layers = stack<number[], number>()
    .keys(range(rows.length))
    .value((column, row) => column[row])
  return layers(transpose(rows.map((row) => [...row]))).map((layer) => path(layer) ?? '')
}
