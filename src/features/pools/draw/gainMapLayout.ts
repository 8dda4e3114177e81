import { extent, range } from 'd3-array'
import { type ScaleBand, scaleBand, scaleLinear, scaleLog } from 'd3-scale'
import type { PixelScale } from '../../../views/drawing/axis.ts'

/** The map of gains in pixels: a column for each kp, a row for each ki, the least at the bottom. */
export interface GainMapLayout {
  readonly height: number
  /** From the number of a column or a row to its left or upper edge. */
  readonly x: ScaleBand<number>
  readonly y: ScaleBand<number>
}

const LEFT = 44
const TOP = 4
const BELOW = 34
const LEGEND = 34

/** Returns the layout in `width` pixels: cells a little wider than high, below them the labels of the columns and the legend. */
export function gainMapLayout(width: number, columns: number, rows: number): GainMapLayout {
  const across = Math.max(8, (width - LEFT - 2) / columns)
  const foot = TOP + rows * Math.max(14, Math.min(24, across * 0.86))
  return {
    height: foot + BELOW + LEGEND,
    x: scaleBand(range(columns), [LEFT, LEFT + columns * across]),
    y: scaleBand(range(rows), [foot, TOP]),
  }
}

/** Returns the upper left corner of a cell. Cells are numbered row by row from the least ki, in a row from the least kp. */
export function cornerOf({ x, y }: GainMapLayout, cell: number): readonly [x: number, y: number] {
  const columns = x.domain().length
  return [x(cell % columns) ?? 0, y(Math.floor(cell / columns)) ?? 0]
}

/** Returns the cell at a point; -1: none. */
export function cellAt({ x, y }: GainMapLayout, atX: number, atY: number): number {
  const [column, row] = [bandAt(x, atX), bandAt(y, atY)]
  return column === undefined || row === undefined ? -1 : row * x.domain().length + column
}

function bandAt(scale: ScaleBand<number>, at: number): number | undefined {
  return scale.domain().find((k) => at >= (scale(k) ?? 0) && at < (scale(k) ?? 0) + scale.bandwidth())
}

/** Returns the cell that an arrow key leads to; at the edge the same. */
export function cellBeside({ x, y }: GainMapLayout, cell: number, key: string): number {
  const [columns, rows] = [x.domain().length, y.domain().length]
  const [column, row] = [cell % columns, Math.floor(cell / columns)]
  const [toColumn, toRow] = {
    ArrowLeft: [Math.max(0, column - 1), row],
    ArrowRight: [Math.min(columns - 1, column + 1), row],
    ArrowDown: [column, Math.max(0, row - 1)],
    ArrowUp: [column, Math.min(rows - 1, row + 1)],
    Home: [0, row],
    End: [columns - 1, row],
  }[key] ?? [column, row]
  return toRow * columns + toColumn
}

/**
 * Returns a scale from gains to pixels: those of the map to the middles of their cells, those between by their logarithms, and those outside
 * to the edge. A logarithm has no 0, so from 0 to the next gain it is linear.
 */
export function gainScale(bands: ScaleBand<number>, gains: readonly number[]): (gain: number) => number {
  const middles = gains.map((_, k) => (bands(k) ?? 0) + bands.bandwidth() / 2)
  const first = gains[0] > 0 ? 0 : 1
  const near: PixelScale = scaleLinear([0, gains[first]], [middles[0], middles[first]]).clamp(true)
  const far = scaleLog(gains.slice(first), middles.slice(first)).clamp(true)
  return (gain) => (gain < gains[first] ? near : far)(gain)
}

/** A logarithmic scale of costs, from the least to the greatest but at most `SPREAD` times the least: higher costs look the same. */
export interface CostScale extends Readonly<Record<'least' | 'middle' | 'most', number>> {
  /** Whether some cost more than `most`. */
  readonly beyond: boolean
  /** Returns 0 for the least cost, 1 for `most` and above. */
  share(cost: number): number
}

const SPREAD = 6

/** Returns the scale for some costs, null while none is known. Infinite costs are left out. */
export function costScale(costs: readonly (number | null)[]): CostScale | null {
  const finite = costs.filter((cost): cost is number => Number.isFinite(cost))
  const [least, greatest] = extent(finite)
  if (least === undefined) return null
  const most = Math.min(greatest, least * SPREAD)
  return {
    least,
    middle: Math.sqrt(least * most),
    most,
    beyond: greatest > most,
    share: most > least ? scaleLog([least, most], [0, 1]).clamp(true) : () => 0,
  }
}

/** Returns every n-th band, so that names of `length` pixels fit. */
export function namedBands(scale: ScaleBand<number>, length: number): readonly number[] {
  const every = Math.max(1, Math.ceil(length / scale.bandwidth()))
  return scale.domain().filter((k) => k % every === 0)
}
