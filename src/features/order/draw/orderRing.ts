import { arc, pointRadial } from 'd3-shape'
import { t } from '../../../language/translate.ts'
import { createDrawing, type Drawing, type HostSize } from '../../../views/drawing/drawing.ts'
import { count } from '../../../views/drawing/format.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { appendSvg, createSvg, drawEach, linePath, setAttributes, setText } from '../../../views/drawing/svg.ts'
import type { Ring, RingCell } from '../measure/order.ts'

export interface OrderRingData {
  readonly palette: Palette
  /** Returns the ring in at most this number of cells: the drawing knows how many fit. */
  ringIn(cells: number): Ring
}

/** Half the width of a hole's outline, which is drawn inside its cell. */
const LINE = 0.8
const slice = arc<Readonly<Record<'start' | 'end' | 'inner' | 'outer' | 'gap', number>>>()
  .startAngle(({ start }) => start)
  .endAngle(({ end }) => end)
  .innerRadius(({ inner }) => inner)
  .outerRadius(({ outer }) => outer)
  .padAngle(({ gap }) => gap)
  .cornerRadius(({ gap }) => (gap > 0 ? 1.5 : 0))
const TURN = 2 * Math.PI
/** The least thickness of a hole among many slots of one cell. */
const MIN_HOLE = 2

/**
 * Draws the ring of the order buffer: parked jobs are filled cells, missing jobs are holes in the colour of the stage where they are, trashed
 * tickets are crosses, and a pointer marks the tail. All cells of a kind are one path, so that a frame changes only a few attributes.
 */
export function mountOrderRing(host: HTMLElement): Drawing<OrderRingData> {
  const svg = createSvg(host, { role: 'img', height: '100%' })
  const bed = appendSvg(svg, 'path')
  const parked = appendSvg(svg, 'path')
  const crosses = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1.3, 'stroke-linecap': 'round' })
  const holes = appendSvg(svg, 'g', { 'stroke-width': 2 * LINE })
  const pointer = appendSvg(svg, 'path')
  const number = appendSvg(svg, 'text', { 'text-anchor': 'middle', 'font-weight': 700 })
  const caption = appendSvg(svg, 'text', { 'text-anchor': 'middle' })

  function draw({ palette, ringIn }: OrderRingData, { width, height }: HostSize): void {
    const size = Math.min(width, height) || 148
    const ring = ringIn(cellsFor(size))
    const geometry = ringGeometry(size, ring.cells.length, ring.slots)
    const marks = ringMarks(ring.cells)
    setAttributes(svg, {
      viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`,
      'font-family': palette.font,
      'aria-label': ariaLabel(ring),
    })
    setAttributes(bed, { d: bedOf(marks, geometry), fill: palette.bed, stroke: palette.rule, 'stroke-width': 0.6 })
    setAttributes(parked, { d: marks.map((mark) => filling(mark, geometry)).join(''), fill: palette.ink })
    setAttributes(crosses, { d: marks.map((mark) => cross(mark, geometry)).join(''), stroke: palette.accent })
    drawHoles(marks, geometry, palette)
    setAttributes(pointer, { d: arrow(ring, geometry), fill: palette.accent })
    // A digit is about 0.6 times as wide as it is high. A large number must stay clear of the ring.
    const held = count(ring.parked)
    const large = Math.min(size * 0.19, (geometry.inner * 1.7) / (held.length * 0.6))
    setAttributes(number, { y: (size * 0.045).toFixed(1), 'font-size': large.toFixed(1), fill: palette.ink })
    setAttributes(caption, { y: (size * 0.14).toFixed(1), 'font-size': 11, fill: palette.soft })
    setText(number, held)
    setText(caption, t('held'))
  }

  function drawHoles(marks: readonly RingMark[], geometry: RingGeometry, palette: Palette): void {
    const stages = [...new Set(marks.flatMap(({ missing }) => missing))]
    drawEach(holes, 'path', stages, (path, stage) => {
      const colour = stage < 0 ? { fill: palette.soft, wash: palette.panel } : stageColour(palette, stage)
      const here = marks.flatMap((mark) =>
        mark.missing.includes(stage) ? [partOf(mark, mark.missing.indexOf(stage))] : [],
      )
      const shape = geometry.outlined ? outline : opening
      setAttributes(path, {
        d: here.map((mark) => shape(mark, geometry)).join(''),
        fill: geometry.outlined ? colour.wash : colour.fill,
        stroke: geometry.outlined ? colour.fill : 'none',
      })
    })
  }

  return createDrawing(host, draw)
}

/** Returns the empty slots: a cell each, or one band if they are too many. */
function bedOf(marks: readonly RingMark[], { inner, outer, gap, outlined }: RingGeometry): string {
  const parts = outlined ? marks : [{ start: 0, end: TURN }]
  return parts.map(({ start, end }) => slice({ start, end, inner, outer, gap })).join('')
}

/** Returns the parked share of a cell, from inside outwards. */
function filling({ start, end, filled }: RingMark, { inner, outer, gap }: RingGeometry): string {
  return filled === 0 ? '' : (slice({ start, end, inner, outer: inner + (outer - inner) * filled, gap }) ?? '')
}

/** Returns the k-th part of a cell whose job is missing in several parts. */
function partOf(mark: RingMark, k: number): RingMark {
  const width = (mark.end - mark.start) / mark.missing.length
  return { ...mark, start: mark.start + k * width, end: mark.start + (k + 1) * width }
}

/** Returns the outline of a cell that is one slot, drawn inside it. */
function outline({ start, end }: RingMark, { inner, outer, gap }: RingGeometry): string {
  const side = LINE / outer
  return slice({ start: start + side, end: end - side, inner: inner + LINE, outer: outer - LINE, gap }) ?? ''
}

/** Returns the share of a cell of many slots that waits for missing jobs, outside the parked share. */
function opening({ start, end, filled, open }: RingMark, { inner, outer, gap }: RingGeometry): string {
  const thick = Math.max(MIN_HOLE, (outer - inner) * open)
  const from = Math.min(inner + (outer - inner) * filled, outer - thick)
  return slice({ start, end, inner: from, outer: from + thick, gap }) ?? ''
}

function cross({ start, end, crossed }: RingMark, { inner, outer }: RingGeometry): string {
  if (!crossed) return ''
  const [x, y] = pointRadial((start + end) / 2, (inner + outer) / 2)
  const arm = Math.min(4, (outer - inner) * 0.22)
  return `M${(x - arm).toFixed(1)},${(y - arm).toFixed(1)}l${2 * arm},${2 * arm}m0,${-2 * arm}l${-2 * arm},${2 * arm}`
}

/** Returns a small triangle outside the ring that points at the slot of the tail. */
function arrow({ tail, slots }: Ring, { outer }: RingGeometry): string {
  const angle = tailAngle(tail, slots)
  const [tip, left, right] = [
    pointRadial(angle, outer + 1.5),
    pointRadial(angle - 0.055, outer + 8),
    pointRadial(angle + 0.055, outer + 8),
  ]
  return `${linePath([tip, left, right])}Z`
}

function ariaLabel({ slots, tail, parked, missing, trashed }: Ring): string {
  const values = { slots: count(slots), tail, parked, missing, trashed }
  return t(
    'Order buffer of {slots} slots: waiting for ticket {tail}; {parked} held, {missing} missing, {trashed} trashed',
    values,
  )
}

/** More cells than this have no room for outlines and gaps. */
const MAX_OUTLINED = 72

/** The sizes of the ring. Angles go clockwise from twelve o'clock, as in d3-shape. */
interface RingGeometry extends Readonly<Record<'size' | 'outer' | 'inner' | 'gap', number>> {
  /** Whether every cell is one slot and has room for an outline. */
  readonly outlined: boolean
}

/** What is drawn in a cell, from angle `start` to `end`. */
interface RingMark {
  readonly start: number
  readonly end: number
  /** The share of its slots that hold a parked job, 0 to 1. */
  readonly filled: number
  /** The share of its slots that wait for a missing job. */
  readonly open: number
  /** The stages where the parts of the missing job are; -1: before the first stage. Empty: no job is missing. */
  readonly missing: readonly number[]
  /** Whether it holds only trashed tickets. */
  readonly crossed: boolean
}

/** Returns the greatest number of cells that can be distinguished in a ring of this size. */
export const cellsFor = (size: number): number => Math.max(8, Math.floor(size * 0.9))

export function ringGeometry(size: number, cells: number, slots: number): RingGeometry {
  const outer = size / 2 - 9
  const inner = outer * 0.72
  const outlined = cells === slots && cells <= MAX_OUTLINED
  return { size, outer, inner, outlined, gap: outlined && cells > 1 ? Math.min(0.035, 1.4 / cells) : 0 }
}

/** Returns the cells around the circle, as wide as their slots. Slot 0 begins at twelve o'clock. */
export function ringMarks(cells: readonly RingCell[]): RingMark[] {
  const all = cells.reduce((sum, { slots }) => sum + slots, 0)
  let at = 0
  return cells.map(({ slots, parked, missing, trashed, stages }) => {
    const start = (at / all) * TURN
    at += slots
    return {
      start,
      end: (at / all) * TURN,
      filled: parked / slots,
      open: missing / slots,
      missing: missing === 0 ? [] : stages.length === 0 ? [-1] : stages,
      crossed: trashed > 0 && parked + missing === 0,
    }
  })
}

export const tailAngle = (tail: number, slots: number): number => (((tail % slots) + 0.5) / slots) * TURN
