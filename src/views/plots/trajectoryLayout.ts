import { extremes, greatest, means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { roundUp } from '../drawing/round.ts'
import { linePath } from '../drawing/svg.ts'

/** A plot over time from 0 to `end`, in pixels of the page. `most` is the value at its upper edge. */
export interface TimePlot {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly most: number
  readonly end: Micros
}

/** Returns a round value for the upper edge of a plot that shows all of these. */
export function plotMaximum(steps: readonly Steps[], others: readonly number[] = []): number {
  return roundUp(Math.max(1, ...steps.map(greatest), ...others))
}

/** Returns the mean in each pixel column up to `until` as an SVG path. */
export function meanPath(steps: Steps, plot: TimePlot, until: Micros): string {
  const columns = columnsUntil(plot, until)
  if (columns === 0) return ''
  const mean = new Float64Array(columns)
  means(steps, 0, (columns / plot.width) * plot.end, columns, mean)
  return linePath(Array.from(mean, (value, p) => [plot.x + p + 0.5, yOf(plot, value)] as const))
}

/** Returns the area from the least to the greatest value in each pixel column up to `until` as a closed SVG path. */
export function rangePath(steps: Steps, plot: TimePlot, until: Micros): string {
  const columns = columnsUntil(plot, until)
  if (columns === 0) return ''
  const min = new Int32Array(columns)
  const max = new Int32Array(columns)
  extremes(steps, 0, (columns / plot.width) * plot.end, columns, min, max)
  const points = (values: Int32Array) => Array.from(values, (value, p) => [plot.x + p + 0.5, yOf(plot, value)] as const)
  return `${linePath([...points(max), ...points(min).reverse()])}Z`
}

/** Returns an SVG path through samples that were taken every `every` from time 0. */
export function samplePath(samples: readonly number[], every: Micros, plot: TimePlot): string {
  return linePath(samples.map((value, k) => [plot.x + ((k * every) / plot.end) * plot.width, yOf(plot, value)] as const))
}

/** Returns the whole seconds to be marked on the axis: at most seven, at round distances. */
export function secondTicks(end: Micros): number[] {
  const step = roundUp(end / 1e6 / 6)
  return Array.from({ length: Math.floor(end / 1e6 / step) + 1 }, (_, k) => k * step)
}

function columnsUntil({ width, end }: TimePlot, until: Micros): number {
  return Math.max(0, Math.min(Math.floor(width), Math.ceil((until / end) * width)))
}

function yOf({ y, height, most }: TimePlot, value: number): number {
  return y + height - (Math.min(value, most) / most) * height
}
