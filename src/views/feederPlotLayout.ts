import type { FeederGaps } from '../measures/feederGaps.ts'
import type { Micros } from '../scenario/scenario.ts'
import { count, duration } from './format.ts'
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
  readonly dots: readonly (readonly [x: number, y: number])[]
}

export interface FeederBand {
  readonly title: string
  readonly y: number
  readonly height: number
  /** At the upper rim. */
  readonly most: string
  readonly curves: readonly FeederCurve[]
}

export interface FeederPlotLayout {
  readonly width: number
  readonly height: number
  readonly bands: readonly FeederBand[]
  /** By column. */
  readonly x: readonly number[]
  /** The columns whose number stands below. */
  readonly named: readonly number[]
}

const LEFT = 40
const RIGHT = 10
const TOP = 34
const BAND = 54
const STEP = TOP + BAND
const BOTTOM = 20
/** A number of feeders takes so much room below. */
const NAME = 22

/**
 * Bands over the numbers of feeders, at even distances: how far apart jobs of one group stand, how many jobs come before the
 * tail, what workers lose by contending and by changing groups, and when all is done. Bands that nothing can be in are left out.
 */
export function feederPlotLayout(columns: readonly FeederColumn[], resource: boolean, width: number): FeederPlotLayout {
  const wide = width - LEFT - RIGHT
  const x = columns.map((_, k) => LEFT + (columns.length > 1 ? (k / (columns.length - 1)) * wide : wide / 2))
  const bands: FeederBand[] = []
  const add = (title: string, show: (most: number) => string, curves: readonly Curve[], least = 0): void => {
    const values = curves.flatMap(({ of }) => columns.map(of).filter((value) => value !== null))
    const y = bands.length * STEP + TOP
    const most = least > 0 ? least : roundUp(Math.max(1, ...values))
    const at = (value: number) => y + BAND - (value / most) * BAND
    bands.push({
      title,
      y,
      height: BAND,
      most: show(most),
      curves: curves.map(({ name, style, of }) => {
        const dots = columns.flatMap((column, k): (readonly [number, number])[] => {
          const value = of(column)
          return value === null ? [] : [[x[k], at(value)]]
        })
        return { name, style, dots, path: pathThrough(dots) }
      }),
    })
  }
  add('Jobs between two of a group', count, [
    { name: 'before the tail', style: 'pale', of: ({ gaps }) => gaps?.beforeTail?.least ?? null },
    { name: 'median', style: 'second', of: ({ gaps }) => gaps?.whole?.median ?? null },
    { name: 'least', style: 'main', of: ({ gaps }) => gaps?.whole?.least ?? null },
  ])
  add('Jobs before the tail', (most) => `${most}%`, [{ name: '', style: 'main', of: ({ gaps }) => (gaps === null ? null : shareBeforeTail(gaps) * 100) }], 100)
  const loses = columns.some(({ wait }) => wait !== null && wait.switchLoss > 0)
  if (resource || loses) {
    add('Workers lose', duration, [
      ...(resource ? [{ name: 'contended', style: 'warn', of: ({ wait }: FeederColumn) => wait?.contendedTime ?? null } as const] : []),
      ...(loses ? [{ name: 'changing groups', style: 'main', of: ({ wait }: FeederColumn) => wait?.switchLoss ?? null } as const] : []),
      ...(loses && resource ? [{ name: 'if they skip', style: 'second', of: ({ skip }: FeederColumn) => skip?.switchLoss ?? null } as const] : []),
    ])
  }
  add('All done after', duration, [
    ...(resource ? [{ name: 'skip', style: 'second', of: ({ skip }: FeederColumn) => skip?.makespan ?? null } as const] : []),
    { name: resource ? 'wait' : '', style: 'main', of: ({ wait }) => wait?.makespan ?? null },
  ])
  return { width, height: bands.length * STEP + BOTTOM, bands, x, named: namedColumns(x) }
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

/** The column nearest to a place. */
export function columnAt({ x }: FeederPlotLayout, place: number): number {
  return x.reduce((best, each, k) => (Math.abs(each - place) < Math.abs(x[best] - place) ? k : best), 0)
}

function pathThrough(dots: readonly (readonly [number, number])[]): string {
  return dots.length === 0 ? '' : `M${dots.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}`
}

/** From the last one backwards, as many as have room. */
function namedColumns(x: readonly number[]): readonly number[] {
  const named: number[] = []
  for (let k = x.length - 1; k >= 0; k--) if (named.length === 0 || x[named[named.length - 1]] - x[k] >= NAME) named.push(k)
  return named.reverse()
}
