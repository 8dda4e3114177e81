import { t } from '../../language/translate.ts'
import type { FeederGaps } from '../../measures/groups/feederGaps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { count, duration } from '../drawing/format.ts'
import { roundUp } from '../drawing/round.ts'
import { linePath } from '../drawing/svg.ts'
import { type ColumnBand, type ColumnLayout, type Dot, evenColumns } from './columnPlotLayout.ts'

/** What the plot shows for one number of feeders; null is not known yet. */
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

/** One curve. Its key is drawn in the same style. */
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
/** The heights of a band's title, and of the key of its curves. */
const TITLE = 30
const KEY = 15
const BAND = 46
const BOTTOM = 20
/** The width of a number of feeders below a column. */
const NAME = 22

/**
 * Returns bands over the numbers of feeders: the distance of jobs of one group, the jobs before the tail, how long workers wait for groups
 * and what switching costs them, and when all is done. Bands that cannot hold anything are left out.
 */
export function feederPlotLayout(columns: readonly FeederColumn[], resource: boolean, width: number): FeederPlotLayout {
  const x = evenColumns(columns.length, LEFT, width - RIGHT)
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
        return { name, style, dots, path: linePath(dots) }
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
  const losesTime = columns.some(({ wait }) => wait !== null && wait.switchLoss > 0)
  if (losesTime)
    add(
      t('Workers lose by changing groups, in all'),
      duration,
      waitAndSkip(resource, ({ switchLoss }) => switchLoss),
    )
  add(
    t('All done after'),
    duration,
    waitAndSkip(resource, ({ makespan }) => makespan),
  )
  return { width, height: foot + BOTTOM, left: LEFT, right: width - RIGHT, bands, x, named: namedColumns(x) }
}

/** Returns a curve for workers who wait for a taken group and one for workers who skip it, or a single one where no group is ever taken. */
function waitAndSkip(resource: boolean, of: (times: FeederTimes) => number): readonly Curve[] {
  const inTime = (times: FeederTimes | null) => (times === null ? null : of(times))
  const wait: Curve = { name: resource ? t('if they wait') : '', style: 'main', of: (column) => inTime(column.wait) }
  return resource ? [{ name: t('if they skip'), style: 'second', of: (column) => inTime(column.skip) }, wait] : [wait]
}

interface Curve {
  readonly name: string
  readonly style: FeederCurve['style']
  readonly of: (column: FeederColumn) => number | null
}

/** Returns how much of the stream comes before its tail, 0 to 1. */
export function shareBeforeTail({ tail, jobs }: FeederGaps): number {
  return jobs === 0 ? 0 : tail / jobs
}

/** Returns the x of a number of feeders, also between two columns; null outside them. */
export function xOfFeeders({ x }: FeederPlotLayout, columns: readonly FeederColumn[], feeders: number): number | null {
  const k = columns.findIndex((column) => column.feeders >= feeders)
  if (k < 0 || (k === 0 && columns[0].feeders > feeders)) return null
  if (columns[k].feeders === feeders) return x[k]
  const [low, high] = [columns[k - 1].feeders, columns[k].feeders]
  return x[k - 1] + ((feeders - low) / (high - low)) * (x[k] - x[k - 1])
}

/** Returns as many columns as have room for their number, from the last one backwards. */
function namedColumns(x: readonly number[]): readonly number[] {
  const named: number[] = []
  for (let k = x.length - 1; k >= 0; k--) if (named.length === 0 || x[named[named.length - 1]] - x[k] >= NAME) named.push(k)
  return named.reverse()
}
