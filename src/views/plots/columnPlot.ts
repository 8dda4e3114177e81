import { bisectCenter } from 'd3-array'
import { pointer } from 'd3-selection'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { createCursor, drawBand } from '../drawing/plot.ts'
import { appendSvg, createSvg, drawEach, setAttributes, writeText } from '../drawing/svg.ts'
import { type ColumnPlotData, type ColumnPlotLayout, columnPlotLayout } from './columnPlotLayout.ts'

export interface ColumnPlotEvents {
  /** The person looks at a column, by pointer. */
  look(column: number): void
  /** The person chooses the value of a column. */
  choose(column: number): void
}

/** The width in a host that has none yet. */
const WIDTH = 300

/** Draws bands over columns at even distances, of which one can be looked at and chosen. The host handles the keyboard. */
export function mountColumnPlot(host: HTMLElement, events: ColumnPlotEvents): Drawing<ColumnPlotData> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  svg.style.cursor = 'pointer'
  const bands = appendSvg(svg, 'g')
  const focus = createCursor(svg, { 'stroke-width': 1, 'stroke-dasharray': '2 2' })
  const now = createCursor(svg, { opacity: 0.65 })
  const names = appendSvg(svg, 'g', { 'font-size': 10.5, 'text-anchor': 'middle' })
  let focused = -1
  let layout: ColumnPlotLayout | null = null

  const columnUnder = (event: MouseEvent): number => (layout === null ? -1 : bisectCenter(layout.x, pointer(event, svg)[0]))
  svg.addEventListener('pointermove', (event) => {
    const column = columnUnder(event)
    if (column >= 0 && column !== focused) events.look(column)
  })
  svg.addEventListener('click', (event) => {
    const column = columnUnder(event)
    if (column >= 0) events.choose(column)
  })

  return createDrawing(host, (data: ColumnPlotData, size: HostSize) => {
    const width = size.width || WIDTH
    const { palette } = data
    const present = columnPlotLayout(data, width)
    const { height, across, bands: drawn, x, now: here, names: texts } = present
    layout = present
    focused = data.focus
    setAttributes(svg, { viewBox: `0 0 ${width} ${height}`, height, 'font-family': palette.font })
    drawEach(bands, 'g', drawn, (group, band) => drawBand(group, palette, across, band))
    focus.place(data.focus < 0 ? null : x[data.focus], drawn, palette.ink)
    now.place(here, drawn, palette.accent)
    drawEach(names, 'text', texts, (name, { x, text, now }) =>
      writeText(name, text, { x: x.toFixed(1), y: height - 5, fill: now ? palette.accent : palette.soft, 'font-weight': now ? 700 : 400 }),
    )
  })
}
