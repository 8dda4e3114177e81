import { extent, range } from 'd3-array'
import { scaleLinear, scaleLog } from 'd3-scale'

/** The map of gains in pixels: a column for each kp, a row for each ki, the least at the bottom. Values between are placed by their logarithms. */
export interface GainMapLayout {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
  /** The width and height of a cell. */
  readonly across: number
  readonly down: number
  readonly columns: number
  readonly rows: number
}

const LEFT = 44
const TOP = 4
const BELOW = 34
const LEGEND = 34

/** Returns the layout in `width` pixels: cells a little wider than high, below them the labels of the columns and the legend. */
export function gainMapLayout(width: number, columns: number, rows: number): GainMapLayout {
  const across = Math.max(8, (width - LEFT - 2) / columns)
  const down = Math.max(14, Math.min(24, across * 0.86))
  return { width, height: TOP + rows * down + BELOW + LEGEND, left: LEFT, top: TOP, across, down, columns, rows }
}

/** Returns the upper left corner of a cell. Cells are numbered row by row from the least ki, in a row from the least kp. */
export function cornerOf({ left, top, across, down, columns, rows }: GainMapLayout, cell: number): readonly [x: number, y: number] {
  return [left + (cell % columns) * across, top + (rows - 1 - Math.floor(cell / columns)) * down]
}

/** Returns the cell at a point; -1: none. */
export function cellAt({ left, top, across, down, columns, rows }: GainMapLayout, x: number, y: number): number {
  const column = Math.floor((x - left) / across)
  const row = rows - 1 - Math.floor((y - top) / down)
  return column < 0 || column >= columns || row < 0 || row >= rows ? -1 : row * columns + column
}

/** Returns the cell that an arrow key leads to; at the edge the same. */
export function cellBeside({ columns, rows }: Pick<GainMapLayout, 'columns' | 'rows'>, cell: number, key: string): number {
  const [x, y] = [cell % columns, Math.floor(cell / columns)]
  if (key === 'ArrowLeft') return x > 0 ? cell - 1 : cell
  if (key === 'ArrowRight') return x < columns - 1 ? cell + 1 : cell
  if (key === 'ArrowDown') return y > 0 ? cell - columns : cell
  if (key === 'ArrowUp') return y < rows - 1 ? cell + columns : cell
  if (key === 'Home') return y * columns
  if (key === 'End') return y * columns + columns - 1
  return cell
}

/** Returns the point of a pair of gains, between the middles of cells by their logarithms; outside the map, the edge. The first row may be 0. */
export function gainPoint(layout: GainMapLayout, kps: readonly number[], kis: readonly number[], kp: number, ki: number): readonly [x: number, y: number] {
  const { left, top, across, down, rows } = layout
  return [left + (positionOf(kps, kp) + 0.5) * across, top + (rows - 0.5 - positionOf(kis, ki)) * down]
}

/** Returns which of ascending values this is. A logarithm has no 0, so from 0 to the next value the scale is linear. */
function positionOf(values: readonly number[], value: number): number {
  const first = values[0] > 0 ? 0 : 1
  const places = range(first, values.length)
  const scale = value < values[first] ? scaleLinear([0, values[first]], [0, first]) : scaleLog(values.slice(first), places)
  return scale.clamp(true)(value)
}

/** A logarithmic scale of costs, from the least to the greatest but at most `SPREAD` times the least: higher costs look the same. */
export interface CostScale {
  readonly least: number
  readonly middle: number
  readonly most: number
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

/** Returns n so that every n-th of the labels fits, each `room` pixels long, at cells of `pitch`. */
export function everyNth(pitch: number, room: number): number {
  return Math.max(1, Math.ceil(room / pitch))
}
