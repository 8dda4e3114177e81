import { bisectCenter } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { drawNames } from '../drawing/axis.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { type LookEvents, listenToLooks } from '../drawing/looking.ts'
import { acrossBands, createCursor, drawBand } from '../drawing/plot.ts'
import { appendSvg, createSvg, drawEach, setAttributes } from '../drawing/svg.ts'
import { type ColumnPlotData, columnPlotLayout } from './columnPlotLayout.ts'

/** The width in a host that has none yet. */
const WIDTH = 300

/** Draws bands over columns at even distances, of which one can be looked at and chosen. The host handles the keyboard. */
export function mountColumnPlot(host: HTMLElement, events: LookEvents): Drawing<ColumnPlotData> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  svg.style.cursor = 'pointer'
  const bands = appendSvg(svg, 'g')
  const focus = createCursor(svg, { 'stroke-width': 1, 'stroke-dasharray': '2 2' })
  const now = createCursor(svg, { opacity: 0.65 })
  const names = appendSvg(svg, 'g')
  let x: readonly number[] = []
  listenToLooks(svg, (at) => (x.length === 0 ? -1 : bisectCenter(x, at)), events)

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
