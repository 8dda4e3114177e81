import { scaleLinear } from 'd3-scale'
import type { Micros } from '../../scenario/model/scenario.ts'
import { amountScale, type PixelScale } from '../drawing/amountScale.ts'
import { drawTimeAxis } from '../drawing/axis.ts'
import { listenToScrub } from '../drawing/dragging.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { acrossBands, createCursor, drawBand, headOf, type PlotBand, type PlotSeries } from '../drawing/plot.ts'
import { appendSvg, childOf, createSvg, drawEach, setAttributes, writeText } from '../drawing/svg.ts'
import { timeTicks } from '../drawing/timeTicks.ts'
import type { TimePlot } from './timePaths.ts'

/** A band over time. */
export interface TimeBand {
  readonly title: string
  readonly height: number
  /** What its axis must reach, besides 0, in about `parts` parts. `whole`: nothing lies between two whole numbers. */
  readonly values: Iterable<number>
  readonly parts: number
  readonly whole?: boolean
  write(value: number): string
  series(plot: TimePlot): readonly PlotSeries[]
}

export interface TimePlotData {
  readonly palette: Palette
  /** Of the axis, which begins at 0. */
  readonly end: Micros
  /** null: there is none. */
  readonly playhead: Micros | null
  /** Instants to be marked, numbered from 1. */
  readonly flags?: readonly Micros[]
  /** The labels of the axis; those of the timeline unless it has others. */
  readonly ticks?: typeof timeTicks
  /** The bands are asked for again when one of these is another. */
  readonly parts: readonly unknown[]
  bands(): readonly TimeBand[]
}

const LEFT = 46
const RIGHT = 10
const BOTTOM = 20
/** The least distance of two discs, and where they are. */
const DISC = 15
const DISC_Y = 9

/** Draws bands one below the other over the same time, and the playhead. With `seek` it is moved by pointer. */
export function mountTimePlot(host: HTMLElement, { seek }: { seek?(time: Micros): void } = {}): Drawing<TimePlotData> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  // Behind the titles.
  const flags = appendSvg(svg, 'g', { 'font-size': 10, 'font-weight': 600, 'text-anchor': 'middle' })
  const bands = appendSvg(svg, 'g')
  const axis = appendSvg(svg, 'g')
  const playhead = createCursor(svg)
  let x = scaleLinear([0, 1], [LEFT, LEFT + 1])
  let placed: readonly PlotBand[] = []
  let foot = 0
  let drawn: readonly unknown[] = []

  function drawBands(data: TimePlotData, across: readonly [number, number]): void {
    const { palette } = data
    foot = 0
    placed = data.bands().map(({ values, parts, whole = false, title, height, write, series }) => {
      foot += headOf({ series: [] }) + height
      const y = amountScale(values, foot, foot - height, parts)
      return { title, y, ticks: y.ticks(parts).filter((value) => !whole || Number.isInteger(value)), write, series: series({ x, y }) }
    })
    drawEach(bands, 'g', placed, (group, band) => drawBand(group, palette, across, band))
    drawTimeAxis(axis, palette, x, foot, data.ticks ?? timeTicks)
    let beside = -Infinity
    drawEach(flags, 'g', data.flags ?? [], (flag, time, k) => {
      // Discs of close instants are drawn side by side.
      beside = Math.max(x(time), beside + DISC)
      drawFlag(flag, x, time, beside, `${k + 1}`, palette)
    })
  }

  function drawFlag(flag: Element, at: PixelScale, time: Micros, discX: number, number: string, palette: Palette): void {
    const d = `M${at(time).toFixed(1)},${DISC_Y + 7}V${foot}`
    setAttributes(childOf(flag, 0, 'path'), { d, stroke: palette.soft, 'stroke-width': 1, 'stroke-dasharray': '1 2' })
    setAttributes(childOf(flag, 1, 'circle'), { r: 7, cx: discX.toFixed(1), cy: DISC_Y, fill: palette.ink })
    writeText(childOf(flag, 2, 'text'), number, { x: discX.toFixed(1), y: DISC_Y + 3.5, fill: palette.panel })
  }

  if (seek !== undefined) {
    svg.style.cursor = 'ew-resize'
    listenToScrub(svg, (at) => seek(x.invert(at)))
  }
  return createDrawing(host, (data: TimePlotData, size: HostSize) => {
    const width = size.width || 320
    const across = [LEFT, Math.max(LEFT + 1, width - RIGHT)] as const
    x = scaleLinear([0, Math.max(1, data.end)], across).clamp(true)
    const parts = [data.palette, data.end, data.flags, data.ticks, width, ...data.parts]
    if (!sameParts(parts, drawn)) {
      drawn = parts
      drawBands(data, across)
      setAttributes(svg, { viewBox: `0 0 ${width} ${foot + BOTTOM}`, height: foot + BOTTOM, 'font-family': data.palette.font })
    }
    playhead.draw(acrossBands(data.playhead === null ? null : x(data.playhead), placed), data.palette.accent)
  })
}
