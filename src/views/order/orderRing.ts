import { arc } from 'd3-shape'
import { t } from '../../language/translate.ts'
import type { Ring } from '../../measures/order/order.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { element, set } from '../drawing/svg.ts'
import { type RingGeometry, type RingMark, ringGeometry, ringMarks, ringPoint, tailAngle } from './orderRingLayout.ts'

export interface OrderRingData {
  readonly palette: Palette
  readonly ring: Ring
}

/** Half the thickness of a hole's outline: it is drawn inside its cell. */
const LINE = 0.8
const slice = arc<{ readonly start: number; readonly end: number; readonly inner: number; readonly outer: number; readonly gap: number }>()
  .startAngle(({ start }) => start)
  .endAngle(({ end }) => end)
  .innerRadius(({ inner }) => inner)
  .outerRadius(({ outer }) => outer)
  .padAngle(({ gap }) => gap)
  .cornerRadius(({ gap }) => (gap > 0 ? 1.5 : 0))
const TURN = 2 * Math.PI
/** The least that a hole shows of itself among many slots of one cell. */
const SEEN = 2

/**
 * The ring of the order buffer as an SVG that fills the width of `host`: a slot a cell, parked jobs filled, holes outlined in the colour of the
 * stage where the missing job is, one beside the other where it is in several parts, trashed tickets crossed, a pointer at the tail, and in the middle how many are held.
 * All cells of a kind are one path, so that a frame costs the page a handful of attributes.
 */
export function mountOrderRing(host: HTMLElement): Drawing<OrderRingData> {
  const svg = element(host, 'svg', { role: 'img', width: '100%', height: '100%' })
  Object.assign(svg.style, { display: 'block', overflow: 'visible' })
  const bed = element(svg, 'path')
  const parked = element(svg, 'path')
  const crosses = element(svg, 'path', { fill: 'none', 'stroke-width': 1.3, 'stroke-linecap': 'round' })
  const holes = element(svg, 'g', { 'stroke-width': 2 * LINE })
  const pointer = element(svg, 'path')
  const number = element(svg, 'text', { 'text-anchor': 'middle', 'font-weight': 700 })
  const caption = element(svg, 'text', { 'text-anchor': 'middle' })
  let size = 0
  let last: OrderRingData | null = null

  function update(data: OrderRingData): void {
    const { palette, ring } = data
    if (size === 0) size = Math.min(host.clientWidth, host.clientHeight) || 148
    last = data
    const geometry = ringGeometry(size, ring.cells.length, ring.slots)
    const marks = ringMarks(ring.cells)
    set(svg, { viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, 'font-family': palette.font, 'aria-label': inWords(ring) })
    set(bed, { d: bedOf(marks, geometry), fill: palette.bed, stroke: palette.rule, 'stroke-width': 0.6 })
    set(parked, { d: marks.map((mark) => filling(mark, geometry)).join(''), fill: palette.ink })
    set(crosses, { d: marks.map((mark) => cross(mark, geometry)).join(''), stroke: palette.accent })
    drawHoles(marks, geometry, palette)
    set(pointer, { d: arrow(ring, geometry), fill: palette.accent })
    // A figure is about three fifths as wide as it is high: a great number keeps clear of the ring.
    const held = count(ring.parked)
    const large = Math.min(size * 0.19, (geometry.inner * 1.7) / (held.length * 0.6))
    set(number, { y: (size * 0.045).toFixed(1), 'font-size': large.toFixed(1), fill: palette.ink })
    set(caption, { y: (size * 0.14).toFixed(1), 'font-size': 11, fill: palette.soft })
    write(number, held)
    write(caption, t('held'))
  }

  /** A path a stage. */
  function drawHoles(marks: readonly RingMark[], geometry: RingGeometry, palette: Palette): void {
    const stages = [...new Set(marks.flatMap(({ missing }) => missing))]
    while (holes.childElementCount > stages.length) holes.lastElementChild?.remove()
    while (holes.childElementCount < stages.length) element(holes, 'path')
    stages.forEach((stage, k) => {
      const colour = stage < 0 ? { fill: palette.soft, wash: palette.panel } : stageColour(palette, stage)
      const here = marks.flatMap((mark) => (mark.missing.includes(stage) ? [partOf(mark, mark.missing.indexOf(stage))] : []))
      const shape = geometry.rims ? outline : opening
      set(holes.children[k], {
        d: here.map((mark) => shape(mark, geometry)).join(''),
        fill: geometry.rims ? colour.wash : colour.fill,
        stroke: geometry.rims ? colour.fill : 'none',
      })
    })
  }

  return {
    update,
    resize() {
      size = 0
      if (last !== null) update(last)
    },
    destroy() {
      svg.remove()
    },
  }
}

/** The empty slots: a cell each, or one band where they are too many. */
function bedOf(marks: readonly RingMark[], { inner, outer, gap, rims }: RingGeometry): string {
  if (!rims) return slice({ start: 0, end: TURN, inner, outer, gap }) ?? ''
  return marks.map(({ start, end }) => slice({ start, end, inner, outer, gap })).join('')
}

/** As much of the cell, from inside outwards, as is parked. */
function filling({ start, end, filled }: RingMark, { inner, outer, gap }: RingGeometry): string {
  return filled === 0 ? '' : (slice({ start, end, inner, outer: inner + (outer - inner) * filled, gap }) ?? '')
}

/** The k-th part of a cell whose job is missing in several. */
function partOf(mark: RingMark, k: number): RingMark {
  const wide = (mark.end - mark.start) / mark.missing.length
  return { ...mark, start: mark.start + k * wide, end: mark.start + (k + 1) * wide }
}

/** The rim of a cell that is one slot, drawn inside it. */
function outline({ start, end }: RingMark, { inner, outer, gap }: RingGeometry): string {
  const side = LINE / outer
  return slice({ start: start + side, end: end - side, inner: inner + LINE, outer: outer - LINE, gap }) ?? ''
}

/** The part of a narrow cell, beyond what is filled, that waits for missing jobs. */
function opening({ start, end, filled, open }: RingMark, { inner, outer, gap }: RingGeometry): string {
  const thick = Math.max(SEEN, (outer - inner) * open)
  const from = Math.min(inner + (outer - inner) * filled, outer - thick)
  return slice({ start, end, inner: from, outer: from + thick, gap }) ?? ''
}

function cross({ start, end, crossed }: RingMark, { inner, outer }: RingGeometry): string {
  if (!crossed) return ''
  const [x, y] = ringPoint((start + end) / 2, (inner + outer) / 2)
  const arm = Math.min(4, (outer - inner) * 0.22)
  return `M${(x - arm).toFixed(1)},${(y - arm).toFixed(1)}l${2 * arm},${2 * arm}m0,${-2 * arm}l${-2 * arm},${2 * arm}`
}

/** A small triangle outside the ring that points at the tail's slot. */
function arrow({ tail, slots }: Ring, { outer }: RingGeometry): string {
  const angle = tailAngle(tail, slots)
  const [tip, left, right] = [ringPoint(angle, outer + 1.5), ringPoint(angle - 0.055, outer + 8), ringPoint(angle + 0.055, outer + 8)]
  return `M${[tip, left, right].map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}Z`
}

function write(text: SVGTextElement, words: string): void {
  if (text.textContent !== words) text.textContent = words
}

function inWords({ slots, tail, parked, missing, trashed }: Ring): string {
  return t('Order buffer of {slots} slots: waiting for ticket {tail}; {parked} held, {missing} missing, {trashed} trashed', {
    slots: count(slots),
    tail,
    parked,
    missing,
    trashed,
  })
}
