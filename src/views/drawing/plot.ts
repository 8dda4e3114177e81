import { pointer } from 'd3-selection'
import { drawAmountAxis, type PixelScale } from './axis.ts'
import type { Palette } from './palette.ts'
import { appendSvg, childOf, drawEach, setAttributes, writeText } from './svg.ts'

/** A curve or an area of a plot: an SVG path and its style. With a name it is in the key above its band. */
export interface PlotSeries {
  readonly d: string
  readonly stroke?: string | undefined
  readonly fill?: string | undefined
  /** Of the stroke. */
  readonly width?: number
  readonly dash?: string | undefined
  readonly cap?: 'round'
  readonly opacity?: number
  readonly name?: string | undefined
  /** Its name in tests of the page. */
  readonly part?: string | undefined
}

/** A band of a plot: series over an axis of amounts. Bands one below the other share their other axis. */
export interface PlotBand {
  readonly title: string
  readonly note?: string | undefined
  readonly y: PixelScale
  readonly ticks: readonly number[]
  write(value: number): string
  /** From the back to the front. */
  readonly series: readonly PlotSeries[]
}

/** The height of the title above a band, and of the key below it. */
const HEAD = 26
const KEY = 15
/** From the lower one of them to the band. */
const ABOVE = 8
/** The length of a line in the key. A letter is about half as wide as it is high. */
const SAMPLE = 14
const LETTER = 5.4

/** Returns how high the text above a band is. */
export function headOf(band: Pick<PlotBand, 'series'>): number {
  return named(band).length > 0 ? HEAD + KEY : HEAD
}

/** Draws a band between two places across: its axis and grid, its title and key, and its series. */
export function drawBand(
  group: SVGGElement,
  palette: Palette,
  across: readonly [left: number, right: number],
  band: PlotBand,
): void {
  const { title, note = '', y, ticks, write, series } = band
  const [left, right] = across
  const top = Math.min(...y.range())
  drawAmountAxis(childOf(group, 0, 'g'), palette, y, across, ticks, write)
  drawEach(childOf(group, 1, 'g'), 'path', series, drawSeries)
  const keys = named(band)
  const heading = top - ABOVE - (keys.length > 0 ? KEY : 0)
  const halo = { stroke: palette.panel, 'stroke-width': 4, 'paint-order': 'stroke' }
  writeText(childOf(group, 2, 'text'), title, {
    x: left,
    y: heading,
    'font-size': 11,
    'font-weight': 600,
    fill: palette.ink,
    ...halo,
  })
  writeText(childOf(group, 3, 'text'), note, {
    x: right,
    y: heading,
    'font-size': 10.5,
    'text-anchor': 'end',
    fill: palette.soft,
  })
  let x = left
  drawEach(childOf(group, 4, 'g'), 'g', keys, (key, each) => {
    const name = each.name ?? ''
    drawSeries(childOf(key, 0, 'path'), { ...each, d: `M${x},${top - ABOVE - 3.5}h${SAMPLE}` })
    writeText(childOf(key, 1, 'text'), name, { x: x + SAMPLE + 4, y: top - ABOVE, 'font-size': 10, fill: palette.soft })
    x += SAMPLE + 4 + name.length * LETTER + 12
  })
}

function named({ series }: Pick<PlotBand, 'series'>): readonly PlotSeries[] {
  return series.filter(({ name }) => name !== undefined)
}

export function drawSeries(
  path: SVGPathElement,
  { d, stroke = 'none', fill = 'none', width = 1.6, dash, cap, opacity, part }: PlotSeries,
): void {
  setAttributes(path, {
    d,
    stroke,
    fill,
    'stroke-width': width,
    'stroke-dasharray': dash ?? null,
    'stroke-linejoin': 'round',
    'stroke-linecap': cap ?? null,
    opacity: opacity ?? null,
    'data-part': part ?? null,
  })
}

/** Appends a cursor to a plot. `draw` draws it along an SVG path; an empty one hides it. */
export function createCursor(svg: SVGSVGElement, style: Readonly<Record<string, string | number>> = {}) {
  const line = appendSvg(svg, 'path', { 'stroke-width': 1.5, ...style })
  return { draw: (d: string, stroke: string) => setAttributes(line, { d, stroke }) }
}

/** Returns a line across the bands of a plot as an SVG path; empty for null. */
export function acrossBands(x: number | null, bands: readonly Pick<PlotBand, 'y'>[]): string {
  return x === null ? '' : bands.map(({ y }) => `M${x.toFixed(1)},${y.range()[0]}V${y.range()[1]}`).join('')
}

/** The events of a plot with several places, such as columns or cells. */
export type PlaceEvents = { look(place: number): void; choose(place: number): void }

/** Lets a person look at places of a plot by pointer, and choose one by a click. `placeAt` returns the place at a point; -1: none. */
export function listenToPlaces(
  svg: SVGSVGElement,
  placeAt: (x: number, y: number) => number,
  { look, choose }: PlaceEvents,
): void {
  const listen = (type: 'pointermove' | 'click', tell: (place: number) => void) =>
    svg.addEventListener(type, (event) => {
      const place = placeAt(...pointer(event, svg))
      if (place >= 0) tell(place)
    })
  listen('pointermove', look)
  listen('click', choose)
}
