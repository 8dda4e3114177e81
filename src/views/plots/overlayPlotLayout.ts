import type { Micros } from '../../scenario/model/scenario.ts'
import type { Band } from './trajectoryLayout.ts'

/** A plot of values that may be less than 0: from `least`, at its foot, to `most`, both round. */
export interface SignedBand extends Band {
  readonly least: number
}

/** A round number that is no less than a whole one, and not so far above it that a curve would lie at the foot of its plot. */
export function rimOf(value: number): number {
  let unit = 1
  while (unit * 10 < value) unit *= 10
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((k) => k * unit).find((round) => round >= value && Number.isInteger(round)) ?? 1
}

/** Round bounds of some lengths of time around 0. */
export function roundBounds(times: ArrayLike<Micros>): { readonly least: Micros; readonly most: Micros } {
  let least = 0
  let most = 0
  for (let k = 0; k < times.length; k++) {
    if (times[k] < least) least = times[k]
    if (times[k] > most) most = times[k]
  }
  return { least: least < 0 ? -rimOf(-least) : 0, most: most > 0 || least === 0 ? rimOf(Math.max(most, 1)) : 0 }
}

/** Values at ascending times as an SVG path: where several fall into one pixel column, the first, the least, the greatest and the last of them. */
export function valuePath(time: ArrayLike<Micros>, value: ArrayLike<number>, band: SignedBand): string {
  const points: string[] = []
  const point = (column: number, v: number) => points.push(`${(band.x + column + 0.5).toFixed(1)},${heightOf(band, v).toFixed(1)}`)
  for (let k = 0; k < value.length; ) {
    const column = columnOf(band, time[k])
    const first = value[k]
    let [least, most, last] = [first, first, first]
    for (; k < value.length && columnOf(band, time[k]) === column; k++) {
      last = value[k]
      least = Math.min(least, last)
      most = Math.max(most, last)
    }
    for (const v of new Set([first, least, most, last])) point(column, v)
  }
  return points.length === 0 ? '' : `M${points.join('L')}`
}

/** Where a value stands. */
export function heightOf({ y, height, least, most }: SignedBand, value: number): number {
  return y + height - ((value - least) / Math.max(1, most - least)) * height
}

/** Where an instant stands, in pixels of the page. */
export function xOfTime({ x, width, end }: Pick<Band, 'x' | 'width' | 'end'>, time: Micros): number {
  return x + (Math.min(time, end) / Math.max(1, end)) * width
}

function columnOf({ width, end }: Band, time: Micros): number {
  return Math.min(Math.floor(width) - 1, Math.floor((time / Math.max(1, end)) * width))
}
