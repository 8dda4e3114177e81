import { extremes, greatest, means, type Steps, stepsWithin } from '../measures/steps.ts'
import type { Micros } from '../scenario/scenario.ts'
import { type Palette, stageColour } from './palette.ts'
import type { TimelineData } from './timelineData.ts'
import type { Rows, TimelineLayout } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

type Context = CanvasRenderingContext2D

/** Where a seat changes hands more often than this many pixels of the page can show, columns of time stand for their mean. */
const COLUMN = 6

/**
 * Paints the queues one below the other on one scale, so that they can be compared: a wash up to the longest in each
 * column, and on it a band from shortest to longest, which is a line where nothing moves.
 */
export function queuePainter(): (context: Context, plot: Plot, rows: Rows, data: TimelineData) => void {
  let min = new Int32Array(0)
  let max = new Int32Array(0)
  return (context, plot, rows, { queues, line: order, stages, palette }) => {
    if (min.length < plot.columns) {
      min = new Int32Array(plot.columns)
      max = new Int32Array(plot.columns)
    }
    const most = Math.max(1, ...queues.map(greatest))
    const height = Math.round(rows.row * plot.ratio)
    const line = rows.row < 8 ? 1 : Math.max(1, Math.round(1.25 * plot.ratio))
    order.forEach((s, row) => {
      const queue = queues[s]
      const foot = Math.round((rows.y + row * rows.pitch + rows.row) * plot.ratio)
      context.fillStyle = palette.rule
      context.fillRect(plot.x, foot - plot.hair, plot.columns, plot.hair)
      if (plot.used === 0) return
      // Where hardly a column stands still, columns of the page's pixels say as much as those of the screen's.
      const coarse = stepsWithin(queue, plot.t0, plot.t1) > plot.used * 2 ? plot.hair : 1
      const used = Math.ceil(plot.used / coarse)
      extremes(queue, plot.t0, plot.t0 + ((plot.t1 - plot.t0) / plot.used) * used * coarse, used, min, max)
      const scale = (height - line) / most
      for (let p = 0; p < used; p++) {
        min[p] = Math.round(min[p] * scale)
        max[p] = Math.round(max[p] * scale)
      }
      const colour = stageColour(palette, stages[s].colourIndex)
      fillRuns(context, plot.x, coarse, used, foot, null, max, 0, colour.wash)
      fillRuns(context, plot.x, coarse, used, foot, min, max, line, colour.fill)
    })
  }
}

/** Fills every column from `low` (the foot where there is none) to `high` and `line` beyond, a rectangle for each run of columns that are alike. */
function fillRuns(
  context: Context,
  x: number,
  width: number,
  used: number,
  foot: number,
  low: Int32Array | null,
  high: Int32Array,
  line: number,
  colour: string,
): void {
  context.fillStyle = colour
  for (let p = 0; p < used; ) {
    const from = p
    const bottom = low === null ? 0 : low[p]
    const top = high[p]
    do p++
    while (p < used && high[p] === top && (low === null || low[p] === bottom))
    if (top + line > bottom) context.fillRect(x + from * width, foot - top - line, (p - from) * width, top + line - bottom)
  }
}

/** Paints the seats of all stages on top of each other, the first at the bottom: together as high as there are workers. */
export function seatPainter(): (context: Context, plot: Plot, layout: TimelineLayout, data: TimelineData) => void {
  let mean = new Float64Array(0)
  let base = new Float64Array(0)
  return (context, plot, { seats: band }, { seats, line, stages, palette, workers }) => {
    const { columns, from, perColumn } = columnsOf(plot, seats)
    if (mean.length < columns) {
      mean = new Float64Array(columns)
      base = new Float64Array(columns)
    }
    base.fill(0)
    const foot = Math.round((band.y + band.height) * plot.ratio)
    const height = Math.round(band.height * plot.ratio)
    const perTime = plot.used / (plot.t1 - plot.t0)
    const edge = (column: number) => Math.round(Math.min(plot.used, Math.max(0, (from + column * perColumn - plot.t0) * perTime)))
    context.fillStyle = palette.bed
    context.fillRect(plot.x, foot - height, plot.columns, height)
    if (plot.used === 0) return
    for (const s of line) {
      means(seats[s], from, from + columns * perColumn, columns, mean)
      context.fillStyle = stageColour(palette, stages[s].colourIndex).fill
      context.beginPath()
      for (let c = 0; c < columns; ) {
        const start = c
        const [low, seatsHere] = [base[c], mean[c]]
        while (c < columns && base[c] === low && mean[c] === seatsHere) base[c++] += seatsHere
        const bottom = foot - Math.round((low / workers) * height)
        const top = foot - Math.round(((low + seatsHere) / workers) * height)
        const left = edge(start)
        if (top < bottom) context.rect(plot.x + left, top, edge(c) - left, bottom - top)
      }
      context.fill()
    }
  }
}

/** Columns that stand still under panning: their length is a power of two, and one begins at time 0. A pixel each where that shows everything. */
function columnsOf(plot: Plot, seats: readonly Steps[]): { columns: number; from: Micros; perColumn: Micros } {
  const { t0, t1, used, ratio } = plot
  const perPixel = (t1 - t0) / Math.max(1, used)
  const changes = seats.reduce((sum, steps) => sum + stepsWithin(steps, t0, t1), 0)
  if (changes * COLUMN * ratio < used) return { columns: used, from: t0, perColumn: perPixel }
  let perColumn = 1
  while (perColumn < perPixel * COLUMN * ratio) perColumn *= 2
  const from = Math.floor(t0 / perColumn) * perColumn
  return { columns: Math.max(1, Math.ceil((t1 - from) / perColumn)), from, perColumn }
}

/** Paints when it was decided, as ticks: at most one every two pixels of the page. */
export function paintDecisions(context: Context, plot: Plot, { decisions: band }: TimelineLayout, { decisions, palette }: TimelineData): void {
  const cell = plot.hair * 2
  const perCell = ((plot.t1 - plot.t0) / Math.max(1, plot.used)) * cell
  const first = Math.floor(plot.t0 / perCell)
  const height = Math.round(band.height * plot.ratio)
  const y = Math.round(band.y * plot.ratio)
  context.fillStyle = softened(palette)
  context.beginPath()
  let i = firstFrom(decisions, 0, plot.t0)
  while (i < decisions.length && decisions.time(i) < plot.t1) {
    const at = Math.floor(decisions.time(i) / perCell)
    const x = Math.round(((at * perCell - plot.t0) / perCell) * cell)
    if (at >= first && x + plot.hair <= plot.columns && x >= 0) context.rect(plot.x + x, y, plot.hair, height)
    i = firstFrom(decisions, i + 1, (at + 1) * perCell)
  }
  context.fill()
}

function softened(palette: Palette): string {
  return `${palette.accent}b8`
}

/** The first decision from index `from` on that is not before `time`; near ones are found soonest. */
function firstFrom(decisions: TimelineData['decisions'], from: number, time: Micros): number {
  let low = from
  let step = 1
  while (low + step <= decisions.length && decisions.time(low + step - 1) < time) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, decisions.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (decisions.time(middle) < time) low = middle + 1
    else high = middle
  }
  return low
}
