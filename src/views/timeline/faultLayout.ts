import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'
import type { TimeRange } from './timelineRange.ts'

/** Something that stands at an instant of the axis, in order of time, and how wide its words are, in pixels of the page. */
export interface Placeable {
  readonly time: Micros
  readonly words: number
}

export interface MarkPlace {
  /** Where its tip is: the instant itself. */
  readonly x: number
  /** How far its body stands to the right of its tip, where others crowd. */
  readonly aside: number
  /** 0 is the row next to the axis. */
  readonly row: number
  /** On which side its words stand; null: there is no room for them. */
  readonly words: 'left' | 'right' | null
}

/** Half a mark's body, and the gap to the next. */
export const HALF = 10
const GAP = 3
/** How far a body stands aside at most: what crowds more is seen closer up. */
const MOST_ASIDE = 48

/**
 * Where marks stand below a plot: each in the first row where the words of the one before need not go for it, else in the first where
 * it fits at all, else beside its instant. Null for those beyond the plot, and for those in whose place there are others.
 */
export function sabotageLayout(
  marks: readonly Placeable[],
  room: Pick<TimelineLayout, 'plot' | 'width'>,
  range: TimeRange,
  rows: number,
): readonly (MarkPlace | null)[] {
  const { plot, width } = room
  const bodies = new Array<number>(rows).fill(0)
  const spoken = new Array<number>(rows).fill(0)
  const places = marks.map(({ time, words }): MarkPlace | null => {
    const x = xOf(room, range, time)
    if (!(x >= plot.x - 0.5 && x <= plot.x + plot.width + 0.5)) return null
    const left = x - HALF
    const free = spoken.findIndex((end) => end <= left)
    const fits = free >= 0 ? free : bodies.findIndex((end) => end <= left)
    const row = fits >= 0 ? fits : bodies.indexOf(Math.min(...bodies))
    const aside = Math.max(0, bodies[row] - left)
    if (aside > MOST_ASIDE) return null
    bodies[row] = x + aside + HALF + GAP
    spoken[row] = bodies[row] + words
    return { x, aside, row, words: null }
  })
  const middleOf = ({ x, aside }: MarkPlace) => x + aside
  /** By row, the mark before, and how far it is taken with its words. */
  const before = new Array<number>(rows).fill(0)
  return places.map((place, i) => {
    if (place === null) return null
    const next = places.find((other, k) => k > i && other?.row === place.row)
    const [from, to] = [middleOf(place) - HALF, middleOf(place) + HALF]
    const { words } = marks[i]
    const right = to + words <= (next ? middleOf(next) - HALF : width)
    const left = !right && next === undefined && from - words >= before[place.row]
    before[place.row] = to + GAP + (right ? words : 0)
    return { ...place, words: right ? 'right' : left ? 'left' : null }
  })
}
