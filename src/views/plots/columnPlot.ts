import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { appendSvg, createSvg, drawEach, setAttributes, setText } from '../drawing/svg.ts'
import { type ColumnBand, type ColumnLayout, columnAt } from './columnPlotLayout.ts'

/** What every plot over columns gets, whatever its bands show. */
export interface ColumnPlotData {
  readonly palette: Palette
  /** The column that the person looks at; -1: none. */
  readonly focus: number
}

export interface ColumnPlotEvents {
  /** The person looks at a column, by pointer. */
  look(column: number): void
  /** The person chooses the value of a column. */
  choose(column: number): void
}

/** A value below the bands. `now`: it is that of the scenario. */
export interface ColumnName {
  readonly x: number
  readonly text: string
  readonly now: boolean
}

/** How a plot over columns differs from the others. */
interface ColumnPlotContent<Data, Layout> {
  /** The width in a host that has none yet. */
  readonly width: number
  layOut(data: Data, width: number): Layout
  /** The bands are drawn anew when the layout or this key has changed. */
  key(data: Data): unknown
  drawBands(group: SVGGElement, layout: Layout, data: Data): void
  /** Returns the x of the scenario's value; null if it is outside the columns. */
  now(data: Data, layout: Layout): number | null
  names(data: Data, layout: Layout, now: number | null): readonly ColumnName[]
}

/** Draws bands over columns at even distances, of which one can be looked at and chosen. The host handles the keyboard. */
export function mountColumnPlot<Data extends ColumnPlotData, Layout extends ColumnLayout>(
  host: HTMLElement,
  events: ColumnPlotEvents,
  content: ColumnPlotContent<Data, Layout>,
): Drawing<Data> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  svg.style.cursor = 'pointer'
  const bands = appendSvg(svg, 'g')
  const focus = appendSvg(svg, 'path', { 'stroke-width': 1, 'stroke-dasharray': '2 2' })
  const now = appendSvg(svg, 'path', { 'stroke-width': 1.5, opacity: 0.65 })
  const names = appendSvg(svg, 'g', { 'font-size': 10.5, 'text-anchor': 'middle' })
  let focused = -1
  let layout: Layout | null = null
  let drawn = ''

  const columnUnder = (event: MouseEvent): number => (layout === null ? -1 : columnAt(layout.x, event.clientX - svg.getBoundingClientRect().left))
  svg.addEventListener('pointermove', (event) => {
    const column = columnUnder(event)
    if (column >= 0 && column !== focused) events.look(column)
  })
  svg.addEventListener('click', (event) => {
    const column = columnUnder(event)
    if (column >= 0) events.choose(column)
  })

  function draw(data: Data, size: HostSize): void {
    const width = size.width || content.width
    const { palette } = data
    focused = data.focus
    const present = content.layOut(data, width)
    layout = present
    setAttributes(svg, { viewBox: `0 0 ${width} ${present.height}`, height: present.height, 'font-family': palette.font })
    const key = JSON.stringify([present, palette.theme, palette.ink, content.key(data)])
    if (key !== drawn) {
      drawn = key
      bands.replaceChildren()
      content.drawBands(bands, present, data)
    }
    const through = (x: number) => present.bands.map(({ y, height }) => `M${x.toFixed(1)},${y}v${height}`).join('')
    const here = content.now(data, present)
    setAttributes(now, { d: here === null ? '' : through(here), stroke: palette.accent })
    setAttributes(focus, { d: data.focus < 0 ? '' : through(present.x[data.focus]), stroke: palette.ink })
    drawEach(names, 'text', content.names(data, present, here), (name, { x, text, now: isNow }) => {
      setAttributes(name, {
        x: x.toFixed(1),
        y: present.height - 5,
        fill: isNow ? palette.accent : palette.soft,
        'font-weight': isNow ? 700 : 400,
      })
      setText(name, text)
    })
  }

  return createDrawing(host, draw)
}

/** Writes a text into a band. */
export function writeText(
  group: SVGGElement,
  palette: Palette,
  x: number,
  y: number,
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): void {
  const made = appendSvg(group, 'text', { x, y, 'font-size': 10.5, fill: palette.soft, ...values })
  made.textContent = text
}

/** Draws the upper and lower edge of a band from `left` to `right`, with their values. */
export function drawBandEdges(group: SVGGElement, palette: Palette, left: number, right: number, { y, height, most }: ColumnBand): void {
  appendSvg(group, 'path', { d: `M${left},${y}H${right}M${left},${y + height}H${right}`, stroke: palette.rule, fill: 'none' })
  writeText(group, palette, left - 6, y + 4, most, { 'text-anchor': 'end' })
  writeText(group, palette, left - 6, y + height + 4, '0', { 'text-anchor': 'end' })
}
