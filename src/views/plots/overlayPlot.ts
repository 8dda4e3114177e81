import { t } from '../../language/translate.ts'
import { type Marks, markAt, markTimes } from '../../measures/series/marks.ts'
import { greatest, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import { count, duration, ticks } from '../drawing/format.ts'
import type { Palette } from '../drawing/palette.ts'
import { listenToScrub } from '../drawing/scrub.ts'
import { appendSvg, createSvg, drawEach, setAttributes, setText } from '../drawing/svg.ts'
import { roundLimit, roundLimits, type SignedTimePlot, valuePath, xOfTime, yOfValue } from './overlayPlotLayout.ts'
import { meanPath } from './trajectoryLayout.ts'

export interface OverlayPlotData {
  readonly palette: Palette
  /** Of both lines. */
  readonly colour: string
  /** The real run (solid) and the simulation (dashed). */
  readonly real: Steps
  readonly simulated: Steps
  /** The ends of both. */
  readonly ends: readonly [real: Micros, simulated: Micros]
  /** When jobs left the real run, and how much later than in the simulation. */
  readonly departures: Marks
  readonly lag: Float64Array
  /** Instants to be marked, numbered from 1. */
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
/** The least distance of two values on the axis, and the distance of two discs. */
const CLOSE = 12
const DISC = 15

/** Draws a real run over its simulation: the jobs in both, and below how much later each job left. */
export function mountOverlayPlot(host: HTMLElement, events: { seek(time: Micros): void }): Drawing<OverlayPlotData> {
  const svg = createSvg(host, { height: HEIGHT, 'aria-hidden': 'true' }, 'hidden')
  Object.assign(svg.style, { cursor: 'ew-resize', touchAction: 'pan-y' })
  const frame = appendSvg(svg, 'path', { fill: 'none' })
  const simulated = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1.5, 'stroke-dasharray': '4 3', 'data-part': 'simulated' })
  const real = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1.75, 'stroke-linejoin': 'round', 'data-part': 'real' })
  const area = appendSvg(svg, 'path', { 'data-part': 'area' })
  const lagged = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1.5, 'stroke-linejoin': 'round', 'data-part': 'lag' })
  const values = appendSvg(svg, 'g', { 'font-size': 10, 'text-anchor': 'end' })
  const axis = appendSvg(svg, 'g', { 'font-size': 10, 'text-anchor': 'middle' })
  const flags = appendSvg(svg, 'g', { 'font-size': 10, 'font-weight': 600, 'text-anchor': 'middle' })
  const title = appendSvg(svg, 'text', { 'font-size': 11, 'stroke-width': 4, 'paint-order': 'stroke' })
  title.textContent = t('later than foretold, job by job as they leave')
  const playhead = appendSvg(svg, 'path', { 'stroke-width': 1.5 })
  let shown: SignedTimePlot | null = null
  let drawn: readonly unknown[] = []

  function draw(data: OverlayPlotData, size: HostSize): void {
    const width = size.width || 480
    const plot = plotOfJobs(data, width)
    shown = plot
    const { palette, colour, lag, marks } = data
    const parts = [data.real, data.simulated, palette, colour, lag, marks, width]
    if (!sameParts(parts, drawn)) {
      drawn = parts
      drawPlots(data, plot, width)
    }
    const x = xOfTime(plot, data.playhead)
    setAttributes(playhead, { d: `M${x.toFixed(1)},${TOP - 4}V${HEIGHT - BOTTOM}`, stroke: palette.accent })
  }

  function drawPlots(data: OverlayPlotData, upper: SignedTimePlot, width: number): void {
    const { palette, colour, ends, departures, lag, marks } = data
    const lower: SignedTimePlot = { ...upper, y: TOP + UPPER + GAP, height: LOWER, ...roundLimits(lag) }
    const zero = yOfValue(lower, 0)
    const right = LEFT + upper.width
    setAttributes(svg, { viewBox: `0 0 ${width} ${HEIGHT}`, 'font-family': palette.font })
    setAttributes(frame, { d: `M${LEFT},${TOP + UPPER}H${right}M${LEFT},${zero.toFixed(1)}H${right}`, stroke: palette.rule })
    setAttributes(real, { d: meanPath(data.real, upper, ends[0]), stroke: colour })
    setAttributes(simulated, { d: meanPath(data.simulated, upper, ends[1]), stroke: colour })
    const path = valuePath(markTimes(departures), lag, lower)
    const [from, to] = [0, lag.length - 1].map((k) => xOfTime(lower, markAt(departures, k)).toFixed(1))
    setAttributes(area, { d: path === '' ? '' : `${path}L${to},${zero.toFixed(1)}L${from},${zero.toFixed(1)}Z`, fill: palette.bed })
    setAttributes(lagged, { d: path, stroke: palette.ink })
    setAttributes(title, { x: LEFT, y: lower.y - 7, fill: palette.soft, stroke: palette.panel })
    const labels: [number, string][] = [
      [TOP, count(upper.most)],
      [TOP + UPPER, '0'],
      [zero, '0'],
      // Too close to the zero line they would cover its label.
      ...[lower.most, lower.least]
        .filter((time) => Math.abs(yOfValue(lower, time) - zero) > CLOSE)
        .map((time): [number, string] => [yOfValue(lower, time), duration(time)]),
    ]
    drawEach(values, 'text', labels, (label, [y, text]) => {
      setAttributes(label, { x: LEFT - 6, y: (y + 3.5).toFixed(1), fill: palette.soft })
      setText(label, text)
    })
    drawEach(axis, 'text', ticks(0, upper.end, Math.max(2, Math.floor(upper.width / TICK_ROOM))), (label, { time, label: text }) => {
      setAttributes(label, { x: Math.min(xOfTime(upper, time), right - 12).toFixed(1), y: HEIGHT - 5, fill: palette.soft })
      setText(label, text)
    })
    let beside = -Infinity
    drawEach(flags, 'g', marks, (flag, time, k) => {
      const x = xOfTime(upper, time)
      // Discs of close instants are drawn side by side.
      beside = Math.max(x, beside + DISC)
      drawFlag(flag, x, beside, k + 1, palette)
    })
  }

  listenToScrub(svg, (x) => {
    if (shown !== null) events.seek(Math.min(1, Math.max(0, (x - shown.x) / shown.width)) * shown.end)
  })
  return createDrawing(host, draw)
}

/** Returns the upper plot: the jobs of both runs. */
function plotOfJobs({ real, simulated, ends }: OverlayPlotData, width: number): SignedTimePlot {
  return {
    x: LEFT,
    y: TOP,
    width: Math.max(1, width - LEFT - RIGHT),
    height: UPPER,
    least: 0,
    most: roundLimit(Math.max(1, greatest(real), greatest(simulated))),
    end: Math.max(1, ...ends),
  }
}

/** Draws a hairline over both plots, and a numbered disc above it at `discX`. */
function drawFlag(flag: Element, x: number, discX: number, number: number, palette: Palette): void {
  if (flag.childElementCount === 0) {
    appendSvg(flag, 'path', { 'stroke-width': 1, 'stroke-dasharray': '1 2' })
    appendSvg(flag, 'circle', { r: 7 })
    appendSvg(flag, 'text')
  }
  const [line, disc, label] = flag.children
  setAttributes(line, { d: `M${x.toFixed(1)},${TOP - 6}V${HEIGHT - BOTTOM}`, stroke: palette.soft })
  setAttributes(disc, { cx: discX.toFixed(1), cy: TOP - 13, fill: palette.ink })
  setAttributes(label, { x: discX.toFixed(1), y: TOP - 9.5, fill: palette.panel })
  setText(label, `${number}`)
}
