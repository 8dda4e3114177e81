import { countMarks } from '../../measures/series/marks.ts'
import { extremes, greatest, means, type Steps, stepsWithin } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Context } from '../drawing/canvas.ts'
import { stageColour } from '../drawing/palette.ts'
import type { TimelineData } from './timelineData.ts'
import type { LaneRows, TimelineLayout } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

/** Where seats change more than once in this many pixels of the page, columns of time show their mean. */
const COLUMN = 6

export type QueuesData = Pick<TimelineData, 'queues' | 'ghost' | 'stageOrder' | 'stages' | 'palette'> & {
  /** Returns how high a queue of this length is drawn where `full` is the height of a row. By default the longest queue fills it. */
  heightOf?(length: number, full: number): number
}

/** Returns a painter of queues on one scale: in each column an area up to the longest, and a band from the shortest to the longest. */
export function queuePainter(): (context: Context, plot: Plot, rows: LaneRows, data: QueuesData) => void {
  let min = new Int32Array(0)
  let max = new Int32Array(0)
  return (context, plot, rows, { queues, ghost, stageOrder, stages, palette, heightOf }) => {
    const most = Math.max(1, ...queues.map(greatest))
    if (min.length < plot.columns) {
      min = new Int32Array(plot.columns)
      max = new Int32Array(plot.columns)
    }
    const height = Math.round(rows.row * plot.ratio)
    const line = rows.row < 8 ? 1 : Math.max(1, Math.round(1.25 * plot.ratio))
    stageOrder.forEach((s, row) => {
      const queue = queues[s]
      const colour = stageColour(palette, stages[s].colourIndex)
      const foot = Math.round((rows.y + row * rows.pitch + rows.row) * plot.ratio)
      context.fillStyle = palette.rule
      context.fillRect(plot.x, foot - plot.hair, plot.columns, plot.hair)
      // The other end of the scale, as dots.
      if (rows.row >= 16)
        for (let x = 0; x < plot.columns; x += 6 * plot.hair)
          context.fillRect(plot.x + x, foot - height, plot.hair, plot.hair)
      if (plot.used === 0) return
      // Where nearly every column changes, pixels of the page show as much as those of the screen.
      const coarse = stepsWithin(queue, plot.t0, plot.t1) > plot.used * 2 ? plot.hair : 1
      const used = Math.ceil(plot.used / coarse)
      const full = height - line
      const at = (length: number) => Math.round(Math.min(full, heightOf?.(length, full) ?? (length * full) / most))
      const read = (steps: Steps) => {
        extremes(steps, plot.t0, plot.t0 + ((plot.t1 - plot.t0) / plot.used) * used * coarse, used, min, max)
        for (let p = 0; p < used; p++) {
          min[p] = at(min[p])
          max[p] = at(max[p])
        }
      }
      read(queue)
      fillColumns(context, plot.x, coarse, used, foot, null, max, 0, colour.wash)
      fillColumns(context, plot.x, coarse, used, foot, min, max, line, colour.fill)
      if (ghost == null) return
      read(ghost[s])
      fillColumns(context, plot.x, coarse, used, foot, max, max, plot.hair, palette.soft)
    })
  }
}

/** Fills every column from `low` (the foot if null) to `high` plus `line`, as one outline: along the top and back along the bottom. */
function fillColumns(
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
  context.beginPath()
  context.moveTo(x, foot - (low === null ? 0 : low[0]))
  for (let p = 0; p < used; ) {
    const from = p
    const top = high[p]
    do p++
    while (p < used && high[p] === top)
    context.lineTo(x + from * width, foot - top - line)
    context.lineTo(x + p * width, foot - top - line)
  }
  if (low === null) context.lineTo(x + used * width, foot)
  else
    for (let p = used; p > 0; ) {
      const to = p
      const bottom = low[p - 1]
      do p--
      while (p > 0 && low[p - 1] === bottom)
      context.lineTo(x + to * width, foot - bottom)
      context.lineTo(x + p * width, foot - bottom)
    }
  context.fill()
}

type SeatsData = Pick<TimelineData, 'seats' | 'stageOrder' | 'stages' | 'palette' | 'workers' | 'highlight'>

/** Returns a function that paints the seats of all stages as a stack, the first at the bottom. All workers are the full height. */
export function seatPainter(): (
  context: Context,
  plot: Plot,
  layout: Pick<TimelineLayout, 'seats'>,
  data: SeatsData,
) => void {
  let mean = new Float64Array(0)
  let base = new Float64Array(0)
  return (context, plot, { seats: band }, { seats, stageOrder, stages, palette, workers, highlight }) => {
    const { columns, from, perColumn } = columnsOf(plot, seats)
    if (mean.length < columns) {
      mean = new Float64Array(columns)
      base = new Float64Array(columns)
    }
    base.fill(0)
    const foot = Math.round((band.y + band.height) * plot.ratio)
    const height = Math.round(band.height * plot.ratio)
    const perTime = plot.used / (plot.t1 - plot.t0)
    const edge = (column: number) =>
      Math.round(Math.min(plot.used, Math.max(0, (from + column * perColumn - plot.t0) * perTime)))
    context.fillStyle = palette.bed
    context.fillRect(plot.x, foot - height, plot.columns, height)
    if (plot.used === 0) return
    for (const s of stageOrder) {
      const colour = stageColour(palette, stages[s].colourIndex)
      means(seats[s], from, from + columns * perColumn, columns, mean)
      context.fillStyle = highlight?.kind === 'stage' && highlight.stage !== s ? colour.wash : colour.fill
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

/** Returns columns that stay in place under panning: their length is a power of two, and one begins at time 0. Where it shows all, each is a pixel. */
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

/** Returns a function that paints decisions as ticks: at most one in two pixels of the page, in cells that stay in place under panning. */
export function decisionPainter(): (
  context: Context,
  plot: Plot,
  layout: Pick<TimelineLayout, 'decisions'>,
  data: Pick<TimelineData, 'decisions' | 'palette'>,
) => void {
  let counts = new Int32Array(0)
  return (context, plot, { decisions: band }, { decisions, palette }) => {
    const cell = plot.hair * 2
    const perCell = ((plot.t1 - plot.t0) / Math.max(1, plot.used)) * cell
    const first = Math.floor(plot.t0 / perCell)
    const cells = Math.ceil(plot.used / cell) + 1
    if (counts.length < cells) counts = new Int32Array(cells)
    countMarks(decisions, first * perCell, (first + cells) * perCell, cells, counts)
    const height = Math.round(band.height * plot.ratio)
    const y = Math.round(band.y * plot.ratio)
    context.fillStyle = `${palette.accent}b8`
    context.beginPath()
    for (let c = 0; c < cells; c++) {
      if (counts[c] === 0) continue
      const x = Math.round(((first + c) * perCell - plot.t0) / (perCell / cell))
      if (x >= 0 && x + plot.hair <= plot.columns) context.rect(plot.x + x, y, plot.hair, height)
    }
    context.fill()
  }
}
