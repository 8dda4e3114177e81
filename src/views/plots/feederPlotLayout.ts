import { t } from '../../language/translate.ts'
import type { FeederGaps } from '../../measures/groups/feederGaps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { count, duration } from '../drawing/format.ts'
import { type ColumnBand, type ColumnLayout, type Dot, evenly, pathThrough } from './columnPlotLayout.ts'
import { roundUp } from './trajectoryLayout.ts'

/** What the plot shows of one number of feeders: whatever is not known yet is null. */
export interface FeederColumn {
  readonly feeders: number
  readonly gaps: FeederGaps | null
  readonly wait: FeederTimes | null
  readonly skip: FeederTimes | null
}

interface FeederTimes {
  readonly makespan: Micros
  readonly contendedTime: Micros
  readonly switchLoss: Micros
}

/** One curve: `style` says how it is drawn, the same in its key. */
export interface FeederCurve {
  readonly name: string
  readonly style: 'main' | 'second' | 'warn' | 'pale'
  readonly path: string
  readonly dots: readonly Dot[]
}

export interface FeederBand extends ColumnBand {
  readonly curves: readonly FeederCurve[]
}

export interface FeederPlotLayout extends ColumnLayout {
  readonly bands: readonly FeederBand[]
}

const LEFT = 40
const RIGHT = 10
/** Above a band: its title, and the key of its curves where there is more than one. */
const TITLE = 30
const KEY = 15
const BAND = 46
const BOTTOM = 20
/** A number of feeders takes so much room below. */
const NAME = 22

/**
 * Bands over the numbers of feeders, at even distances: how far apart jobs of one group stand, how many jobs come before the
 * tail, how long workers wait for groups and what they lose by changing them, and when all is done. Bands that nothing can be in are left out.
 */
export function feederPlotLayout(columns: readonly FeederColumn[], resource: boolean, width: number): FeederPlotLayout {
  const x = evenly(columns.length, LEFT, width - RIGHT)
  const bands: FeederBand[] = []
  let foot = 0
  const add = (title: string, show: (most: number) => string, curves: readonly Curve[], least = 0): void => {
    const values = curves.flatMap(({ of }) => columns.map(of).filter((value) => value !== null))
    const y = foot + (bands.length === 0 ? TITLE - 14 : TITLE) + (curves.length > 1 ? KEY : 0)
    foot = y + BAND
    const most = least > 0 ? least : roundUp(Math.max(1, ...values))
    const at = (value: number) => y + BAND - (value / most) * BAND
    bands.push({
      title,
      y,
      height: BAND,
      most: show(most),
      curves: curves.map(({ name, style, of }) => {
        const dots = columns.flatMap((column, k): Dot[] => {
          const value = of(column)
          return value === null ? [] : [[x[k], at(value)]]
        })
        return { name, style, dots, path: pathThrough(dots) }
      }),
    })
  }
  add(t('Distance of two jobs of one group'), count, [
    { name: t('before the tail'), style: 'pale', of: ({ gaps }) => gaps?.beforeTail?.least ?? null },
    { name: t('median'), style: 'second', of: ({ gaps }) => gaps?.whole?.median ?? null },
    { name: t('least'), style: 'main', of: ({ gaps }) => gaps?.whole?.least ?? null },
  ])
  add(
    t('Jobs before the tail'),
    (most) => `${most}%`,
    [{ name: '', style: 'main', of: ({ gaps }) => (gaps === null ? null : shareBeforeTail(gaps) * 100) }],
    100,
  )
  if (resource) add(t('Workers wait for groups, in all'), duration, [{ name: '', style: 'warn', of: ({ wait }) => wait?.contendedTime ?? null }])
  const loses = columns.some(({ wait }) => wait !== null && wait.switchLoss > 0)
  if (loses)
    add(
      t('Workers lose by changing groups, in all'),
      duration,
      taking(resource, ({ switchLoss }) => switchLoss),
    )
  add(
    t('All done after'),
    duration,
    taking(resource, ({ makespan }) => makespan),
  )
  return { width, height: foot + BOTTOM, left: LEFT, right: width - RIGHT, bands, x, named: namedColumns(x) }
}

/** A curve for workers who wait for a taken group and one for workers who skip it; a single one where no group is ever taken. */
function taking(resource: boolean, of: (times: FeederTimes) => number): readonly Curve[] {
  const inTime = (times: FeederTimes | null) => (times === null ? null : of(times))
  const wait: Curve = { name: resource ? t('if they wait') : '', style: 'main', of: (column) => inTime(column.wait) }
  return resource ? [{ name: t('if they skip'), style: 'second', of: (column) => inTime(column.skip) }, wait] : [wait]
}

interface Curve {
  readonly name: string
  readonly style: FeederCurve['style']
  readonly of: (column: FeederColumn) => number | null
}

/** How much of the stream comes before its tail, 0 to 1. */
export function shareBeforeTail({ tail, jobs }: FeederGaps): number {
  return jobs === 0 ? 0 : tail / jobs
}

/** Where a number of feeders lies, also between two columns; null outside all. */
export function xOfFeeders({ x }: FeederPlotLayout, columns: readonly FeederColumn[], feeders: number): number | null {
  const k = columns.findIndex((column) => column.feeders >= feeders)
  if (k < 0 || (k === 0 && columns[0].feeders > feeders)) return null
  if (columns[k].feeders === feeders) return x[k]
  const [low, high] = [columns[k - 1].feeders, columns[k].feeders]
  return x[k - 1] + ((feeders - low) / (high - low)) * (x[k] - x[k - 1])
}

/** From the last one backwards, as many as have room. */
function namedColumns(x: readonly number[]): readonly number[] {
  const named: number[] = []
  for (let k = x.length - 1; k >= 0; k--) if (named.length === 0 || x[named[named.length - 1]] - x[k] >= NAME) named.push(k)
  return named.reverse()
}
