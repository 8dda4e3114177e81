import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'
import type { TimeRange } from './timelineRange.ts'

/** A mark at an instant of the axis, and the width of its label in pixels of the page. */
export interface PlaceableMark {
  readonly time: Micros
  readonly labelWidth: number
}

export interface MarkPlace {
  /** The x of its instant, where its tip is. */
  readonly x: number
  /** How far its body is moved to the right of its tip, because of other marks. */
  readonly aside: number
  /** 0 is the row at the axis. */
  readonly row: number
  /** The side of its label; null: there is no room for it. */
  readonly labelSide: 'left' | 'right' | null
}

/** Half the width of a mark's body, and the gap to the next. */
export const MARK_RADIUS = 10
const GAP = 3
/** How far a body may be moved aside. Marks that are closer still are shown after zooming in. */
const MOST_ASIDE = 48

/**
 * Returns the places of marks, given in order of time, below a plot. Each goes to the first row that leaves the label before it whole,
 * else to the first row where it fits, else beside its instant. Null for those outside the plot, and for those that have no room.
 */
export function faultLayout(
  marks: readonly PlaceableMark[],
  room: Pick<TimelineLayout, 'plot' | 'width'>,
  range: TimeRange,
  rows: number,
): readonly (MarkPlace | null)[] {
  const { plot, width } = room
  const bodies = new Array<number>(rows).fill(0)
  const labels = new Array<number>(rows).fill(0)
  const places = marks.map(({ time, labelWidth }): MarkPlace | null => {
    const x = xOf(room, range, time)
    if (!(x >= plot.x - 0.5 && x <= plot.x + plot.width + 0.5)) return null
    const left = x - MARK_RADIUS
    const free = labels.findIndex((end) => end <= left)
    const fits = free >= 0 ? free : bodies.findIndex((end) => end <= left)
    const row = fits >= 0 ? fits : bodies.indexOf(Math.min(...bodies))
    const aside = Math.max(0, bodies[row] - left)
    if (aside > MOST_ASIDE) return null
    bodies[row] = x + aside + MARK_RADIUS + GAP
    labels[row] = bodies[row] + labelWidth
    return { x, aside, row, labelSide: null }
  })
  const middleOf = ({ x, aside }: MarkPlace) => x + aside
  /** By row, where the mark before ends, with its label. */
  const before = new Array<number>(rows).fill(0)
  return places.map((place, i) => {
    if (place === null) return null
    const next = places.find((other, k) => k > i && other?.row === place.row)
    const [from, to] = [middleOf(place) - MARK_RADIUS, middleOf(place) + MARK_RADIUS]
    const { labelWidth } = marks[i]
    const right = to + labelWidth <= (next ? middleOf(next) - MARK_RADIUS : width)
    const left = !right && next === undefined && from - labelWidth >= before[place.row]
    before[place.row] = to + GAP + (right ? labelWidth : 0)
    return { ...place, labelSide: right ? 'right' : left ? 'left' : null }
  })
}
