import { t } from '../../language/translate.ts'
import * as limit from './limits.ts'
import { countText, foundText, lengthText, problemAt } from './words.ts'

/** Figures and checks of sources, of plain numbers. Times are in microseconds, rates in jobs per second. */

type Point = readonly [time: number, rate: number]
export type Wrong = { readonly path: string; readonly message: string }

type Sides = Readonly<Record<'width' | 'height' | 'tile', number>>

/** The values that stay when the kind of source changes: jobs, approximate rate, and how long a third of the jobs takes to arrive. */
export type Load = Readonly<Record<'jobs' | 'rate' | 'third', number>>

/** Returns the columns of tiles in a picture. `tileRows` returns the rows. */
export function tileColumns({ width, tile }: Pick<Sides, 'width' | 'tile'>): number {
  return Math.ceil(width / tile)
}

export function tileRows({ height, tile }: Pick<Sides, 'height' | 'tile'>): number {
  return Math.ceil(height / tile)
}

/** Returns how many jobs an endless source makes until its last point: the area below the rate. */
export function jobsUntilLast(kind: 'steps' | 'curve', points: readonly Point[]): number {
  const [first] = points
  // Before its first point a curve has the rate of that point, and steps have none.
  let area = first === undefined || kind === 'steps' ? 0 : (first[0] * first[1]) / 1e6
  for (let i = 1; i < points.length; i++) {
    const [time, rate] = points[i - 1]
    const [until, next] = points[i]
    area += ((until - time) * (kind === 'curve' ? (rate + next) / 2 : rate)) / 1e6
  }
  return area
}

export function afterLast(kind: 'steps' | 'curve', points: readonly Point[], jobs: number): number {
  const last = points.at(-1)
  return last === undefined ? 0 : last[0] + (Math.max(0, jobs - jobsUntilLast(kind, points)) / last[1]) * 1e6
}

export function lastOfBursts({
  rate,
  burstRate,
  on,
  off,
  jobs,
}: Readonly<Record<'rate' | 'burstRate' | 'on' | 'off' | 'jobs', number>>): number {
  const cycle = on + off
  return jobs === 0 ? 0 : (jobs / ((rate * off + burstRate * on) / 1e6)) * cycle + cycle
}

/** Returns the problem of the first time that is less than the one before. */
export function ascend(path: string, times: readonly number[], inner: string): readonly Wrong[] {
  const i = times.findIndex((time, n) => n > 0 && time < times[n - 1])
  if (i < 0) return []
  const message = foundText(times[i], t('at least {n}, the one before', { n: countText(times[i - 1]) }))
  return [{ path: `${path}[${i}]${inner}`, message }]
}

export function ratesAreSound(path: string, points: readonly Point[]): readonly Wrong[] {
  const times = points.map(([time]) => time)
  const last = points.length - 1
  // The last rate stays, so with too small a one the remaining jobs would never arrive.
  const message = foundText(points[last][1], t('at least {MIN_RATE}, as the last rate', { MIN_RATE: limit.MIN_RATE }))
  return [
    ...ascend(path, times, '[0]'),
    ...(points[last][1] < limit.MIN_RATE ? [{ path: `${path}[${last}][1]`, message }] : []),
  ]
}

export function boundedJobs(path: string, jobs: number): readonly Wrong[] {
  if (jobs <= limit.MAX_JOBS) return []
  const values = { jobs: countText(jobs), most: countText(limit.MAX_JOBS) }
  return problemAt(path, t('the source makes up to {jobs} jobs; allowed: {most}', values))
}

/** Bounds the work of a tile and of the picture in the worst case, when no point escapes. */
export function pictureIsBounded({
  width,
  height,
  tile,
  iterations,
}: Sides & { readonly iterations: number }): readonly Wrong[] {
  const pixels = Math.min(width, tile) * Math.min(height, tile)
  const maxIterations = Math.floor(Math.min(limit.MAX_TILE_STEPS / pixels, limit.MAX_PICTURE_STEPS / (width * height)))
  if (iterations <= maxIterations) return []
  return problemAt(
    'iterations',
    foundText(iterations, t('at most {most} at this size', { most: countText(maxIterations) })),
  )
}

/** Checks how long the values are together. */
export function valuesAreBounded({ values }: { readonly values: readonly unknown[] }): readonly Wrong[] {
  const { length } = JSON.stringify(values)
  return length <= limit.MAX_VALUE_TEXT ? [] : problemAt('values', lengthText(length, limit.MAX_VALUE_TEXT))
}

/** Returns a rate that swells and falls again, as points of a curve or steps. */
export function risingRate({ rate, third }: Load): readonly Point[] {
  return [
    [0, tidy(rate / 2)],
    [third, tidy(rate * 2)],
    [2 * third, rate],
  ]
}

/** Returns twenty groups of uneven sizes: five, three, one, four, two parts each and so on. */
export function unevenGroups(jobs: number): number[] {
  const parts = [5, 3, 1, 4, 2]
  const ends = Array.from(
    { length: 20 },
    (_, k) => 15 * Math.floor(k / 5) + parts.slice(0, (k % 5) + 1).reduce((sum, part) => sum + part, 0),
  )
  const upTo = (end: number) => Math.round((jobs * end) / 60)
  return ends.map((end, k) => upTo(end) - upTo(ends[k - 1] ?? 0)).filter((size) => size > 0)
}

export const tidy = (rate: number) => Math.max(0.001, Number(rate.toPrecision(3)))

type TilePlace = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>

/** Returns the place of a job's tile. Jobs go row by row from the upper left corner. */
export function tilePlace({ width, height, tile }: Pick<Sides, 'width' | 'height' | 'tile'>, job: number): TilePlace {
  const columns = tileColumns({ width, tile })
  const left = (job % columns) * tile
  const top = Math.floor(job / columns) * tile
  return { left, top, width: Math.min(tile, width - left), height: Math.min(tile, height - top) }
}
