import { extremes, greatest, means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'

/** One of the two plots of a trajectory, in pixels of the page; `most` is the value at its upper rim. */
export interface Band {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly most: number
  readonly end: Micros
}

/** A round number that is no less: 1, 2, 5, 10, 20, 50, ... */
export function roundUp(value: number): number {
  let unit = 1
  while (unit * 10 <= value) unit *= 10
  return [1, 2, 5, 10].map((k) => k * unit).find((round) => round >= value) ?? 1
}

/** The value at the upper rim of a plot that shows all of these. */
export function mostOf(steps: readonly Steps[], others: readonly number[] = []): number {
  return roundUp(Math.max(1, ...steps.map(greatest), ...others))
}

/** The mean in each pixel column until `until`, as an SVG path. */
export function meanPath(steps: Steps, band: Band, until: Micros): string {
  const columns = columnsUntil(band, until)
  if (columns === 0) return ''
  const mean = new Float64Array(columns)
  means(steps, 0, (columns / band.width) * band.end, columns, mean)
  return `M${Array.from(mean, (value, p) => `${(band.x + p + 0.5).toFixed(1)},${yOf(band, value).toFixed(1)}`).join('L')}`
}

/** From the least to the greatest value in each pixel column until `until`, as a closed SVG path. */
export function rangePath(steps: Steps, band: Band, until: Micros): string {
  const columns = columnsUntil(band, until)
  if (columns === 0) return ''
  const min = new Int32Array(columns)
  const max = new Int32Array(columns)
  extremes(steps, 0, (columns / band.width) * band.end, columns, min, max)
  const point = (p: number, value: number) => `${(band.x + p + 0.5).toFixed(1)},${yOf(band, value).toFixed(1)}`
  const upper = Array.from(max, (value, p) => point(p, value))
  const lower = Array.from(min, (value, p) => point(p, value)).reverse()
  return `M${[...upper, ...lower].join('L')}Z`
}

/** Samples taken every `every` from time 0, joined by lines. */
export function samplePath(samples: readonly number[], every: Micros, band: Band): string {
  return `M${samples.map((value, k) => `${(band.x + ((k * every) / band.end) * band.width).toFixed(1)},${yOf(band, value).toFixed(1)}`).join('L')}`
}

/** Whole seconds to be marked below: at most seven, at round distances. */
export function secondsOf(end: Micros): number[] {
  const step = roundUp(end / 1e6 / 6)
  return Array.from({ length: Math.floor(end / 1e6 / step) + 1 }, (_, k) => k * step)
}

function columnsUntil({ width, end }: Band, until: Micros): number {
  return Math.max(0, Math.min(Math.floor(width), Math.ceil((until / end) * width)))
}

function yOf({ y, height, most }: Band, value: number): number {
  return y + height - (Math.min(value, most) / most) * height
}
