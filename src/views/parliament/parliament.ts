import { isolated, t } from '../../language/translate.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import { barsOf, barsPath, type Palette, stageColour } from '../drawing/palette.ts'
import { appendSvg, childOf, createSvg, drawEach, setAttributes, writeText } from '../drawing/svg.ts'
import { type ParliamentLayout, parliamentLayout, type Seat, seatDots, seatMarks, seatPlan } from './seats.ts'

export interface ParliamentData {
  readonly palette: Palette
  /** All workers: the number in the middle. */
  readonly workers: number
  /** By stage, in the order of the pipeline: the seats of the latest decision, the workers staffed there, and the colour. */
  readonly seats: readonly number[]
  readonly staffed: readonly number[]
  readonly colourIndex: readonly number[]
  readonly names: readonly string[]
  /** Below the number: 'workers'. */
  readonly caption: string
}

/** A hollow of this radius has room for the number and its caption, in pixels. */
const CAPTIONED = 36
/** One of this radius has room for a line below the caption too. */
const NOTED = 52
/** The height of the line that says how many seats a dot stands for. It is kept free, so that nothing moves. */
const LEGEND = 12

/** Draws the half circle of seats and the number of workers in its middle. Of many workers a dot stands for several, as `seatDots` says. The SVG fills `host`. */
export function mountParliament(host: HTMLElement): Drawing<ParliamentData> {
  const svg = createSvg(host, { role: 'img', height: '100%' })
  const rings = appendSvg(svg, 'g')
  const number = appendSvg(svg, 'text', { 'text-anchor': 'middle', 'font-weight': 700 })
  const caption = appendSvg(svg, 'text', { 'text-anchor': 'middle' })
  const legend = appendSvg(svg, 'text', { 'text-anchor': 'middle' })
  let layout: ParliamentLayout | null = null
  let shown = ''
  let hollow = 0
  let each = 1

  function place(dots: number, size: HostSize): ParliamentLayout {
    const next = parliamentLayout(dots, size.width || 210, size.height || 108)
    const { width, height, hollow, centre } = next
    setAttributes(svg, { viewBox: `0 0 ${width} ${height}` })
    // Where there is no room for the caption, the number stands in its place.
    const raised = hollow >= NOTED ? LEGEND : 0
    const above = hollow < CAPTIONED ? 4 : Math.min(26, hollow / 2)
    setAttributes(number, {
      'font-size': Math.min(32, Math.max(14, hollow * 0.4)),
      x: centre.x,
      y: centre.y - above - raised,
    })
    setAttributes(caption, { x: centre.x, y: centre.y - 6 - raised })
    setAttributes(legend, { x: centre.x, y: centre.y - 4 })
    return next
  }

  function draw(data: ParliamentData, size: HostSize, before: ParliamentData | null): void {
    const grouped = seatDots(data.workers, data.seats, data.staffed)
    if (layout === null || before === null || layout.seats.length !== grouped.dots || each !== grouped.each) {
      each = grouped.each
      layout = place(grouped.dots, size)
      shown = ''
    }
    const seats = seatPlan(grouped.dots, grouped.seats, grouped.staffed)
    const key = `${data.workers} ${data.palette.ground} ${data.palette.patterns} ${data.colourIndex} ${seats.map((seat) => `${seat.stage}${seat.filled ? 'f' : seat.from}`)}`
    if (key !== shown) {
      shown = key
      drawSeats(data, seats, layout)
    }
    if (data.caption !== before?.caption || layout.hollow !== hollow) {
      hollow = layout.hollow
      const dots = each === 1 ? '' : t('a dot is {each}', { each: count(each) })
      const words = hollow < NOTED && dots !== '' ? dots : data.caption
      // A letter is about half as wide as it is high. The caption stays clear of the innermost seats.
      const size = Math.min(12, (2 * hollow - 8) / (words.length * 0.52))
      writeText(caption, hollow < CAPTIONED ? '' : words, { 'font-size': size })
      writeText(legend, hollow < NOTED ? '' : dots, { 'font-size': 10.5 })
    }
  }

  function drawSeats(data: ParliamentData, seats: readonly Seat[], layout: ParliamentLayout): void {
    const { palette } = data
    const { seatRadius } = layout
    const colour = (stage: number) => (stage < 0 ? palette.soft : stageColour(palette, data.colourIndex[stage]).fill)
    const marks = seatMarks(layout, seats, colour, palette.ground)
    setAttributes(svg, { 'font-family': palette.font, 'aria-label': ariaLabel(data) })
    writeText(number, count(data.workers), { fill: palette.ink })
    for (const text of [caption, legend]) setAttributes(text, { fill: palette.soft })
    drawEach(rings, 'g', marks, (seat, { x, y, radius, fill, stroke, line }, i) => {
      const { stage, filled, from } = seats[i]
      const bars = filled && stage >= 0 ? barsPath(barsOf(palette, data.colourIndex[stage]), seatRadius) : ''
      const on = stage < 0 ? 'none' : stageColour(palette, data.colourIndex[stage]).on
      const dash = stage < 0 ? `${line} ${line * 1.6}` : null
      setAttributes(seat, { transform: `translate(${x.toFixed(2)},${y.toFixed(2)})` })
      setAttributes(childOf(seat, 0, 'circle'), {
        r: radius,
        fill,
        stroke: stroke ?? 'none',
        'stroke-width': line,
        'stroke-dasharray': dash,
      })
      setAttributes(childOf(seat, 1, 'path'), { d: bars, stroke: on, 'stroke-width': seatRadius * 0.16 })
      setAttributes(childOf(seat, 2, 'circle'), { r: from >= 0 ? seatRadius * 0.38 : 0, fill: colour(from) })
    })
  }

  return createDrawing(host, draw)
}

function ariaLabel({ workers, seats, staffed, names }: ParliamentData): string {
  const byName = (numbers: readonly number[]) => names.map((name, s) => `${isolated(name)} ${numbers[s]}`).join(', ')
  return t('{workers, plural, one {# worker} other {# workers}}; targets: {seats}; workers: {staffed}', {
    workers,
    seats: byName(seats),
    staffed: byName(staffed),
  })
}
