import { t } from '../../language/translate.ts'
import type { Micros, WorkerEvent } from '../../scenario/model/scenario.ts'
import { type Palette, type StageColour, stageColour } from '../drawing/palette.ts'
import { appendSvg, setAttributes, setText } from '../drawing/svg.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { xOf } from './timelinePlot.ts'
import type { TimeRange } from './timelineRange.ts'

/** A fault or another mid-run event, as a mark on the axis of time. */
export interface FaultMark {
  readonly key: string
  readonly kind: WorkerEvent['kind'] | 'slower' | 'quicker' | 'phase'
  readonly time: Micros
  /** What happens, and when, as text. */
  readonly label: string
  readonly when: string
  /** The colour of its stage; null: it concerns a worker or the scheduler. */
  readonly colourIndex: number | null
  /** Whether the run that is shown had it. */
  readonly played: boolean
}

/** The elements of a mark. Its host takes the focus. */
export interface DrawnMark {
  readonly host: HTMLElement
  readonly body: HTMLElement
  readonly icon: SVGPathElement
  readonly label: HTMLElement
  mark: FaultMark
}

/** The height of a row of marks, and the distance of the first row from the axis. */
export const ROW_HEIGHT = 24
export const ROW_OFFSET = 4

/** SVG paths in a box of 16 by 16. */
const faultIcons: Readonly<Record<FaultMark['kind'], string>> = {
  join: 'M8 3.5v9M3.5 8h9',
  leave: 'M3 8h9M8.5 4.5 12 8l-3.5 3.5',
  crash: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  hang: 'M6 4.5v7M10 4.5v7',
  slower: 'M4.5 3.5h7L8 8l3.5 4.5h-7L8 8z',
  quicker: 'M4 4.5 7.5 8 4 11.5M8.5 4.5 12 8l-3.5 3.5',
  phase: 'M3.5 6h8.5L9.5 3.5M12.5 10H4l2.5 2.5',
}

/** Returns the colours of a mark: those of its stage, or those of text on `ground`. */
function markColour(
  palette: Palette,
  colourIndex: FaultMark['colourIndex'],
  ground: string,
): Omit<StageColour, 'wash'> {
  return colourIndex === null ? { fill: palette.ink, on: ground, text: palette.ink } : stageColour(palette, colourIndex)
}

/** Returns an estimate of a label's width in pixels, for pictures in which nothing can be measured. Some letters count twice. */
function labelWidth(label: string): number {
  return Math.ceil((label.length + (label.match(wide)?.length ?? 0)) * 6.4) + 12
}
const wide = /[MW@%]|[\u1100-\u{10ffff}]/gu

/** Returns where marks stand below an axis, in up to `rows` rows: a line from `tip` to a disc, and a label. In pixels of the page. */
export function placedMarks(
  marks: readonly Pick<FaultMark, 'time' | 'kind' | 'label' | 'colourIndex'>[],
  room: Parameters<typeof faultLayout>[1],
  range: TimeRange,
  rows: number,
  palette: Palette,
) {
  const placeable = marks.map(({ time, label }) => ({ time, labelWidth: labelWidth(label) }))
  return faultLayout(placeable, room, range, rows).flatMap((place, i) => {
    if (place === null) return []
    const { kind, label: text, colourIndex } = marks[i]
    const x = place.x + place.aside
    const end = place.labelSide === 'left'
    const label = place.labelSide === null ? null : { text, x: x + (end ? -1 : 1) * (MARK_RADIUS + 5), end }
    const y = ROW_OFFSET + place.row * ROW_HEIGHT + MARK_RADIUS
    return [
      { tip: place.x, x, y, icon: faultIcons[kind], colour: markColour(palette, colourIndex, palette.panel), label },
    ]
  })
}

/** Creates a mark: a slider over time that opens a form. */
export function createMark(mark: FaultMark): DrawnMark {
  const host = document.createElement('div')
  setAttributes(host, {
    tabindex: 0,
    'data-part': 'mark',
    'data-key': mark.key,
    role: 'slider',
    'aria-haspopup': 'dialog',
    'aria-keyshortcuts': 'Enter Delete',
  })
  const body = document.createElement('i')
  const icon = appendSvg(appendSvg(body, 'svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }), 'path')
  const label = document.createElement('span')
  host.append(body, label)
  return { host, body, icon, label, mark }
}

/** Draws a mark at its place. While it is dragged its label tells when, not what. */
export function showMark(
  own: DrawnMark,
  mark: FaultMark,
  place: MarkPlace,
  { palette, range }: { readonly palette: Palette; readonly range: TimeRange },
  dragged: boolean,
): void {
  const { host, icon, label } = own
  own.mark = mark
  const colour = markColour(palette, mark.colourIndex, palette.panel)
  const top = place.row * ROW_HEIGHT + ROW_OFFSET
  host.style.transform = `translate(${(place.x + place.aside - MARK_RADIUS).toFixed(1)}px, ${top}px)`
  const values = {
    '--tip': `${MARK_RADIUS - place.aside}px`,
    '--up': `${top}px`,
    '--fill': colour.fill,
    '--on': colour.on,
    '--text': colour.text,
  }
  for (const [name, value] of Object.entries(values)) host.style.setProperty(name, value)
  Object.assign(host.dataset, {
    played: String(mark.played),
    held: String(dragged),
    words: place.labelSide ?? 'none',
    row: String(place.row),
  })
  icon.setAttribute('d', faultIcons[mark.kind])
  setText(label, dragged ? mark.when : mark.label)
  host.title = `${mark.label} ${mark.when}${mark.played ? '' : t(', from the next run on')}`
  setAttributes(host, {
    'aria-label': mark.label,
    'aria-valuemin': Math.min(mark.time, Math.round(range[0])),
    'aria-valuemax': Math.max(mark.time, Math.round(range[1])),
    'aria-valuenow': Math.round(mark.time),
    'aria-valuetext': mark.when,
  })
}

interface MarkPlace {
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
const MAX_ASIDE = 48

/**
 * Returns the places of marks, in order of time: in the first row that leaves the label before whole, else that fits, else aside. Null: no
 * room. `spare`: what is kept free at the end of the last row.
 */
export function faultLayout(
  marks: readonly { readonly time: Micros; readonly labelWidth: number }[],
  room: Pick<TimelineLayout, 'plot' | 'width'>,
  range: TimeRange,
  rows: number,
  spare = 0,
): readonly (MarkPlace | null)[] {
  const { plot, width } = room
  const endOf = (row: number) => (row === rows - 1 ? width - spare : width)
  const bodies = new Array<number>(rows).fill(0)
  const labels = new Array<number>(rows).fill(0)
  const places = marks.map(({ time, labelWidth }): MarkPlace | null => {
    const x = xOf(room, range, time)
    if (!(x >= plot.x - 0.5 && x <= plot.x + plot.width + 0.5)) return null
    const left = x - MARK_RADIUS
    const open = bodies.map((end, row) => (Math.max(end, left) + 2 * MARK_RADIUS <= endOf(row) ? end : Infinity))
    const free = labels.findIndex((end, row) => end <= left && open[row] <= left)
    const fits = free >= 0 ? free : open.findIndex((end) => end <= left)
    const row = fits >= 0 ? fits : open.indexOf(Math.min(...open))
    const aside = Math.max(0, open[row] - left)
    if (aside > MAX_ASIDE) return null
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
    const right = to + labelWidth <= (next ? middleOf(next) - MARK_RADIUS : endOf(place.row))
    const left = !right && next === undefined && from - labelWidth >= before[place.row]
    before[place.row] = to + GAP + (right ? labelWidth : 0)
    return { ...place, labelSide: right ? 'right' : left ? 'left' : null }
  })
}
