import { t } from '../../language/translate.ts'
import { type Marks, markAt, markTimes } from '../../measures/series/marks.ts'
import { greatest, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { count, duration, ticks } from '../drawing/format.ts'
import type { Palette } from '../drawing/palette.ts'
import { element, set } from '../drawing/svg.ts'
import { heightOf, rimOf, roundBounds, type SignedBand, valuePath, xOfTime } from './overlayPlotLayout.ts'
import { meanPath } from './trajectoryLayout.ts'

export interface OverlayPlotData {
  readonly palette: Palette
  /** Of both lines. */
  readonly colour: string
  /** On threads, and simulated: solid and dashed. */
  readonly real: Steps
  readonly simulated: Steps
  /** When each of them ends. */
  readonly ends: readonly [real: Micros, simulated: Micros]
  /** When jobs left on threads, and by how much later than foretold. */
  readonly departures: Marks
  readonly lag: Float64Array
  /** Instants to be marked, by number from 1. */
  readonly marks: readonly Micros[]
  readonly playhead: Micros
}

const LEFT = 46
const RIGHT = 10
const TOP = 22
const GAP = 30
const BOTTOM = 20
const UPPER = 112
const LOWER = 72
const HEIGHT = TOP + UPPER + GAP + LOWER + BOTTOM
const TICK_ROOM = 84
const CLOSE = 12
const DISC = 15

/** A real run over its simulation: how many jobs there are in both, and below by how much later each job left. An SVG that fills the width of `host`. */
export function mountOverlayPlot(host: HTMLElement, events: { seek(time: Micros): void }): Drawing<OverlayPlotData> {
  const svg = element(host, 'svg', { width: '100%', height: HEIGHT, 'aria-hidden': 'true' })
  Object.assign(svg.style, { display: 'block', cursor: 'ew-resize', touchAction: 'pan-y' })
  const frame = element(svg, 'path', { fill: 'none' })
  const simulated = element(svg, 'path', { fill: 'none', 'stroke-width': 1.5, 'stroke-dasharray': '4 3', 'data-part': 'simulated' })
  const real = element(svg, 'path', { fill: 'none', 'stroke-width': 1.75, 'stroke-linejoin': 'round', 'data-part': 'real' })
  const area = element(svg, 'path', { 'data-part': 'area' })
  const lagged = element(svg, 'path', { fill: 'none', 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'data-part': 'lag' })
  const values = element(svg, 'g', { 'font-size': 10, 'text-anchor': 'end' })
  const axis = element(svg, 'g', { 'font-size': 10, 'text-anchor': 'middle' })
  const flags = element(svg, 'g', { 'font-size': 10, 'font-weight': 600, 'text-anchor': 'middle' })
  const title = element(svg, 'text', { 'font-size': 11, 'stroke-width': 4, 'paint-order': 'stroke' })
  title.textContent = t('later than foretold, job by job as they leave')
  const playhead = element(svg, 'path', { 'stroke-width': 1.5 })
  let width = 0
  let last: OverlayPlotData | null = null
  let drawn: readonly unknown[] = []

  function update(data: OverlayPlotData): void {
    if (width === 0) width = host.clientWidth || 480
    last = data
    const band = bandOf(data)
    const { palette, colour, lag, marks } = data
    const key = [data.real, data.simulated, palette, colour, lag, marks, width]
    if (key.some((part, k) => part !== drawn[k])) {
      drawn = key
      draw(data, band)
    }
    const x = xOfTime(band, data.playhead)
    set(playhead, { d: `M${x.toFixed(1)},${TOP - 4}V${HEIGHT - BOTTOM}`, stroke: palette.accent })
  }

  function draw(data: OverlayPlotData, upper: SignedBand): void {
    const { palette, colour, ends, departures, lag, marks } = data
    const lower: SignedBand = { ...upper, y: TOP + UPPER + GAP, height: LOWER, ...roundBounds(lag) }
    const zero = heightOf(lower, 0)
    const right = LEFT + upper.width
    set(svg, { viewBox: `0 0 ${width} ${HEIGHT}`, 'font-family': palette.font })
    set(frame, { d: `M${LEFT},${TOP + UPPER}H${right}M${LEFT},${zero.toFixed(1)}H${right}`, stroke: palette.rule })
    set(real, { d: meanPath(data.real, upper, ends[0]), stroke: colour })
    set(simulated, { d: meanPath(data.simulated, upper, ends[1]), stroke: colour })
    const path = valuePath(markTimes(departures), lag, lower)
    const [from, to] = [0, lag.length - 1].map((k) => xOfTime(lower, markAt(departures, k)).toFixed(1))
    set(area, { d: path === '' ? '' : `${path}L${to},${zero.toFixed(1)}L${from},${zero.toFixed(1)}Z`, fill: palette.bed })
    set(lagged, { d: path, stroke: palette.ink })
    set(title, { x: LEFT, y: lower.y - 7, fill: palette.soft, stroke: palette.panel })
    const written: [number, string][] = [
      [TOP, count(upper.most)],
      [TOP + UPPER, '0'],
      [zero, '0'],
      // What stands too close to the zero line would cover its own.
      ...[lower.most, lower.least]
        .filter((time) => Math.abs(heightOf(lower, time) - zero) > CLOSE)
        .map((time): [number, string] => [heightOf(lower, time), duration(time)]),
    ]
    fill(values, 'text', written, (label, [y, text]) => {
      set(label, { x: LEFT - 6, y: (y + 3.5).toFixed(1), fill: palette.soft })
      label.textContent = text
    })
    fill(axis, 'text', ticks(0, upper.end, Math.max(2, Math.floor(upper.width / TICK_ROOM))), (label, { time, label: text }) => {
      set(label, { x: Math.min(xOfTime(upper, time), right - 12).toFixed(1), y: HEIGHT - 5, fill: palette.soft })
      label.textContent = text
    })
    let beside = -Infinity
    fill(flags, 'g', marks, (flag, time, k) => {
      const x = xOfTime(upper, time)
      // Discs of instants that are close stand side by side.
      beside = Math.max(x, beside + DISC)
      drawFlag(flag, x, beside, k + 1, palette)
    })
  }

  function bandOf({ real: one, simulated: other, ends }: OverlayPlotData): SignedBand {
    return {
      x: LEFT,
      y: TOP,
      width: Math.max(1, width - LEFT - RIGHT),
      height: UPPER,
      least: 0,
      most: rimOf(Math.max(1, greatest(one), greatest(other))),
      end: Math.max(1, ...ends),
    }
  }

  const seek = (event: PointerEvent) => {
    if (event.buttons !== 1 || last === null) return
    const { x, width: wide, end } = bandOf(last)
    events.seek(Math.min(1, Math.max(0, (event.clientX - svg.getBoundingClientRect().left - x) / wide)) * end)
  }
  const down = (event: PointerEvent) => {
    svg.setPointerCapture(event.pointerId)
    seek(event)
  }
  svg.addEventListener('pointerdown', down)
  svg.addEventListener('pointermove', seek)
  return {
    update,
    resize() {
      width = 0
      drawn = []
      if (last !== null) update(last)
    },
    destroy() {
      svg.remove()
    },
  }
}

/** A hairline over both plots, and a numbered disc on top at `disced`. */
function drawFlag(flag: Element, x: number, disced: number, number: number, palette: Palette): void {
  if (flag.childElementCount === 0) {
    element(flag, 'path', { 'stroke-width': 1, 'stroke-dasharray': '1 2' })
    element(flag, 'circle', { r: 7 })
    element(flag, 'text')
  }
  const [line, disc, label] = flag.children
  set(line, { d: `M${x.toFixed(1)},${TOP - 6}V${HEIGHT - BOTTOM}`, stroke: palette.soft })
  set(disc, { cx: disced.toFixed(1), cy: TOP - 13, fill: palette.ink })
  set(label, { x: disced.toFixed(1), y: TOP - 9.5, fill: palette.panel })
  label.textContent = `${number}`
}

/** An element for each item, set by `draw`. */
function fill<Item>(group: SVGElement, name: 'text' | 'g', items: readonly Item[], draw: (target: Element, item: Item, k: number) => void): void {
  while (group.childElementCount > items.length) group.lastElementChild?.remove()
  while (group.childElementCount < items.length) element(group, name)
  items.forEach((item, k) => {
    draw(group.children[k], item, k)
  })
}
