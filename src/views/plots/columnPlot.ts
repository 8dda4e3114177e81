import { bisectCenter, extent, range, sum } from 'd3-array'
import { scaleLinear, scalePoint } from 'd3-scale'
import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { amountScale, drawNames, type PixelScale } from '../drawing/axis.ts'
import { stackedPaths } from '../drawing/curves.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { count, duration, percent } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import {
  acrossBands,
  createCursor,
  drawBand,
  headOf,
  listenToPlaces,
  type PlaceEvents,
  type PlotBand,
  type PlotSeries,
} from '../drawing/plot.ts'
import { appendSvg, circlePath, createSvg, dotsPath, drawEach, linePath, setAttributes } from '../drawing/svg.ts'

/** A value for each column; null is not known yet. */
type Values = readonly (number | null)[]

export interface ColumnCurve {
  readonly style: 'main' | 'second' | 'warn' | 'pale'
  readonly values: Values
  /** Its name in the key; a single curve needs none. */
  readonly name?: string | undefined
}

/** A band over all columns. Its lower edge is zero. */
export interface ColumnBand {
  readonly title: string
  /** The value of the upper edge; by default a round one. */
  readonly most?: number
  readonly curves: readonly ColumnCurve[]
  /** By stage, the lowest first, each on top of the one before. */
  readonly areas?: readonly { readonly stage: number; readonly values: Values }[]
  /** A value to compare with, drawn dashed; its note names it. */
  readonly baseline?: { readonly value: number; readonly note: string } | null
  /** The column whose dot has a ring; -1: none. */
  readonly ringed?: number
  write(value: number): string
}

export interface ColumnPlotData {
  readonly palette: Palette
  /** The value of each column, in ascending order. */
  readonly values: readonly number[]
  readonly bands: readonly ColumnBand[]
  /** The value of the scenario; null: none. It may lie between two columns. */
  readonly now: number | null
  readonly focus: number
  write(value: number): string
}

const LEFT = 52
const RIGHT = 14
const BOTTOM = 22
/** The height of a band, in a narrow plot and in a wide one. */
const BAND = [46, 66] as const
const WIDE = 330
/** The width of a letter of a value below, and the least gap between two values. */
const LETTER = 6.5
const GAP = 8

/** Returns the layout of a plot in a width. Columns whose value is not known are left out of curves and areas. */
export function columnPlotLayout({ palette, values, bands, now: value, write }: ColumnPlotData, width: number) {
  const across = [LEFT, width - RIGHT] as const
  const x = range(values.length).map(scalePoint(range(values.length), across)) as number[]
  const [least, most] = extent(values)
  const now =
    value === null || least === undefined || value < least || value > most ? null : scaleLinear(values, x)(value)
  const height = width < WIDE ? BAND[0] : BAND[1]
  let foot = 0
  const drawn = bands.map((band): PlotBand => {
    const curves = band.curves.map((curve) => curveSeries(curve, palette))
    const top = foot + headOf({ series: curves })
    foot = top + height
    const y = scaleOf(band, top, foot)
    const dots = band.curves.flatMap(({ style, values }, k) =>
      style === 'pale' ? [] : [dotSeries(pointsOf(values, x, y), curves[k].stroke)],
    )
    const series = [
      ...areaSeries(band, x, y, palette),
      ...(band.baseline
        ? [{ d: `M${LEFT},${y(band.baseline.value)}H${across[1]}`, stroke: palette.soft, width: 1.4, dash: '5 4' }]
        : []),
      ...curves.map((curve, k) => ({ ...curve, d: linePath(pointsOf(band.curves[k].values, x, y)) })),
      ...dots,
      ...ringSeries(band, x, y, palette),
    ]
    return {
      title: band.title,
      note: band.baseline?.note,
      y,
      ticks: ticksOf(y),
      write: (value) => (value === 0 ? '0' : band.write(value)),
      series,
    }
  })
  return {
    height: foot + BOTTOM,
    foot,
    across,
    bands: drawn,
    x,
    /** The x of the scenario's value; null if it is outside the columns. */
    now,
    /** The values below the bands, by their x. */
    names: namesOf(values.map(write), x, now, value === null ? '' : write(value)),
  }
}

function scaleOf({ most, curves, areas = [], baseline }: ColumnBand, top: number, foot: number): PixelScale {
  if (most !== undefined) return scaleLinear([0, most], [foot, top])
  const known = [...curves, ...areas].flatMap(({ values }) => values.filter((value) => value !== null))
  return amountScale(baseline ? [baseline.value, ...known] : known, foot, top, 2)
}

/** Returns the values of an axis. The upper edge has its value even where it is not round; then no other is close to it. */
function ticksOf(y: PixelScale): readonly number[] {
  const [, most] = y.domain()
  return [...y.ticks(2).filter((value) => most - value > most / 4), most]
}

type Point = [x: number, y: number]

function pointsOf(values: Values, x: readonly number[], y: PixelScale): Point[] {
  return values.flatMap((value, k): Point[] => (value === null ? [] : [[x[k], y(value)]]))
}

/** Returns the style of a curve. Pale curves lie under the others: thick, and mixed with the panel. */
function curveSeries({ style, name }: ColumnCurve, { ink, soft, accent }: Palette): PlotSeries {
  const stroke = { main: ink, second: soft, warn: accent, pale: soft }[style]
  if (style === 'pale') return { d: '', stroke, width: 4, opacity: 0.35, name }
  return { d: '', stroke, dash: style === 'second' ? '4 3' : undefined, name }
}

function dotSeries(points: readonly Point[], stroke: string | undefined): PlotSeries {
  return { d: dotsPath(points), stroke, width: 4.5, cap: 'round' }
}

function ringSeries(
  { ringed = -1, curves: [curve] }: ColumnBand,
  x: readonly number[],
  y: PixelScale,
  { ink }: Palette,
): readonly PlotSeries[] {
  const value = curve?.values[ringed] ?? null
  if (value === null) return []
  return [{ d: circlePath(x[ringed], y(value), 6), stroke: ink, width: 1.5, part: 'ring' }]
}

/** Returns the areas one on top of the other. A single known column would have no width. */
function areaSeries(
  { areas = [] }: ColumnBand,
  x: readonly number[],
  y: PixelScale,
  palette: Palette,
): readonly PlotSeries[] {
  const known = range(x.length).filter((k) => areas.every(({ values }) => values[k] !== null))
  const shown =
    known.length === 1
      ? [-4, 4].map((aside) => ({ k: known[0], x: x[known[0]] + aside }))
      : known.map((k) => ({ k, x: x[k] }))
  const rows = areas.map(({ values }) => shown.map(({ k }) => values[k] ?? 0))
  const paths = stackedPaths(rows, (k) => shown[k].x, y)
  return areas.map(({ stage }, row) => ({ d: paths[row], fill: stageColour(palette, stage).fill }))
}

/** Returns the name of the scenario's value, and as many others as have room, from the first one on. */
function namesOf(
  texts: readonly string[],
  x: readonly number[],
  now: number | null,
  nowText: string,
): ReadonlyMap<number, string> {
  const wide = (text: string) => text.length * LETTER + GAP
  const names = new Map(now === null ? [] : [[now, nowText]])
  texts.forEach((text, k) => {
    if ([...names].every(([other, name]) => Math.abs(other - x[k]) >= (wide(text) + wide(name)) / 2))
      names.set(x[k], text)
  })
  return names
}

/** The width in a host that has none yet. */
const WIDTH = 300

/** Draws bands over columns at even distances, of which one can be looked at and chosen. The host handles the keyboard. */
export function mountColumnPlot(host: HTMLElement, events: PlaceEvents): Drawing<ColumnPlotData> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  svg.style.cursor = 'pointer'
  const bands = appendSvg(svg, 'g')
  const focus = createCursor(svg, { 'stroke-width': 1, 'stroke-dasharray': '2 2' })
  const now = createCursor(svg, { opacity: 0.65 })
  const names = appendSvg(svg, 'g')
  let x: readonly number[] = []
  listenToPlaces(svg, (at) => (x.length === 0 ? -1 : bisectCenter(x, at)), events)

  return createDrawing(host, (data: ColumnPlotData, size: HostSize) => {
    const width = size.width || WIDTH
    const { palette } = data
    const { height, foot, across, bands: drawn, x: columns, now: here, names: texts } = columnPlotLayout(data, width)
    x = columns
    setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, height, 'font-family': palette.font })
    drawEach(bands, 'g', drawn, (group, band) => drawBand(group, palette, across, band))
    focus.draw(acrossBands(data.focus < 0 ? null : x[data.focus], drawn), palette.ink)
    now.draw(acrossBands(here, drawn), palette.accent)
    drawNames(names, palette, 'below', scaleLinear(), foot, texts, here)
  })
}

/** What the plot shows for one value. `run` is null while it is not known, or if it cannot run. */
export interface SweepColumn {
  readonly value: number
  readonly run: { readonly makespan: Micros; readonly utilisation: number; readonly seats: readonly number[] } | null
}

/** Returns three bands over the values of one number: the makespan with a ring around the `first` column that beats the baseline, utilisation, seats. */
export function sweepBands(
  columns: readonly SweepColumn[],
  stageOrder: readonly number[],
  baseline: Micros | null,
  first: number,
): readonly ColumnBand[] {
  const values = (of: (run: NonNullable<SweepColumn['run']>) => number) =>
    columns.map(({ run }) => (run === null ? null : of(run)))
  // Rounded up to all workers: a sum of means may exceed a whole number by a rounding error.
  const seats = Math.max(1, ...values((run) => Math.ceil(sum(run.seats) - 1e-6)).map(Number))
  return [
    {
      title: t('All done after'),
      write: duration,
      curves: [{ style: 'main', values: values(({ makespan }) => makespan) }],
      baseline: baseline === null ? null : { value: baseline, note: t('dashed: one worker alone') },
      ringed: baseline === null ? -1 : first,
    },
    {
      title: t('Workers busy'),
      write: (share) => percent(share, 0),
      most: 1,
      curves: [{ style: 'main', values: values(({ utilisation }) => utilisation) }],
    },
    {
      title: t('Mean seats by stage'),
      write: count,
      most: seats,
      curves: [],
      areas: stageOrder.map((stage) => ({ stage, values: values((run) => run.seats[stage]) })),
    },
  ]
}
