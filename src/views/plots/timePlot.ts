import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { extremes, means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { amountScale, drawTimeAxis, type PixelScale } from '../drawing/axis.ts'
import { listenToScrub } from '../drawing/dragging.ts'
import { createChangeCheck, createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { acrossBands, createCursor, drawBand, headOf, type PlotBand, type PlotSeries } from '../drawing/plot.ts'
import { appendSvg, childOf, createSvg, drawEach, setAttributes, writeText } from '../drawing/svg.ts'
import { timeTicks } from '../drawing/timeTicks.ts'

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

interface TimePlotData {
  readonly palette: Palette
  /** Of the axis, which begins at 0. */
  readonly end: Micros
  /** null: there is none. */
  readonly playhead: Micros | null
  /** Instants to be marked, numbered from 1. */
  readonly flags?: readonly Micros[]
  /** The labels of the axis; those of the timeline unless it has others. */
  readonly ticks?: typeof timeTicks
  /** The bands are computed again when one of these changes. */
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
  const hasChanged = createChangeCheck()

  function drawBands(data: TimePlotData, across: readonly [number, number]): void {
    const { palette } = data
    foot = 0
    placed = data.bands().map(({ values, parts, whole = false, title, height, write, series }) => {
      foot += headOf({ series: [] }) + height
      const y = amountScale(values, foot, foot - height, parts)
      return {
        title,
        y,
        ticks: y.ticks(parts).filter((value) => !whole || Number.isInteger(value)),
        write,
        series: series({ x, y }),
      }
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

  function drawFlag(
    flag: Element,
    at: PixelScale,
    time: Micros,
    discX: number,
    number: string,
    palette: Palette,
  ): void {
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
    if (hasChanged(data.palette, data.end, data.flags, data.ticks, width, ...data.parts)) {
      drawBands(data, across)
      setAttributes(svg, {
        viewBox: `0 0 ${width} ${foot + BOTTOM}`,
        height: foot + BOTTOM,
        'font-family': data.palette.font,
      })
    }
    playhead.draw(acrossBands(data.playhead === null ? null : x(data.playhead), placed), data.palette.accent)
  })
}

/** A plot over time from 0 on: `x` places times, and `y` amounts. */
export type TimePlot = { readonly x: PixelScale; readonly y: PixelScale }

/** Returns the mean in each pixel column up to `until` as an SVG path; empty if there is none. */
export function meanPath(steps: Steps, { x, y }: TimePlot, until: Micros): string {
  const columns = columnsUntil(x, until)
  const mean = new Float64Array(columns)
  if (columns > 0) means(steps, 0, endOf(x, columns), columns, mean)
  const path = line<number>().x(middleOf(x)).y(y).digits(1)
  return path(mean) ?? ''
}

/** Returns the area from the least to the greatest value in each pixel column up to `until` as a closed SVG path. */
export function rangePath(steps: Steps, { x, y }: TimePlot, until: Micros): string {
  const columns = columnsUntil(x, until)
  const least = new Int32Array(columns)
  const most = new Int32Array(columns)
  if (columns > 0) extremes(steps, 0, endOf(x, columns), columns, least, most)
  const path = area<number>()
    .x(middleOf(x))
    .y0((_, column) => y(least[column]))
    .y1(y)
    .digits(1)
  return path(most) ?? ''
}

/** Returns an SVG path through samples that were taken every `every` from time 0. */
export function samplePath(samples: readonly number[], every: Micros, { x, y }: TimePlot): string {
  const path = line<number>()
    .x((_, k) => x(k * every))
    .y(y)
    .digits(1)
  return path(samples) ?? ''
}

/** Returns the points of values at ascending times. Of several in one pixel column they are the first, the least, the greatest and the last. */
export function valuePoints(
  time: ArrayLike<Micros>,
  value: ArrayLike<number>,
  { x, y }: TimePlot,
): (readonly [x: number, y: number])[] {
  const [left, right] = x.range()
  const columnOf = (k: number) => Math.min(Math.floor(right - left) - 1, Math.floor(x(time[k]) - left))
  const points: (readonly [x: number, y: number])[] = []
  for (let k = 0; k < value.length; ) {
    const column = columnOf(k)
    const first = value[k]
    let [least, most, last] = [first, first, first]
    for (; k < value.length && columnOf(k) === column; k++) {
      last = value[k]
      least = Math.min(least, last)
      most = Math.max(most, last)
    }
    for (const each of new Set([first, least, most, last])) points.push([left + column + 0.5, y(each)])
  }
  return points
}

function columnsUntil(x: PixelScale, until: Micros): number {
  const [left, right] = x.range()
  return Math.min(Math.floor(right - left), Math.ceil(x(until) - left))
}

/** Returns the instant at which this many pixel columns end. */
function endOf(x: PixelScale, columns: number): Micros {
  return x.invert(x.range()[0] + columns)
}

function middleOf(x: PixelScale): (value: number, column: number) => number {
  const [left] = x.range()
  return (_, column) => left + column + 0.5
}
