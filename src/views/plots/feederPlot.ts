import type { Drawing } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { appendSvg, dotsPath } from '../drawing/svg.ts'
import { type ColumnPlotData, type ColumnPlotEvents, drawBandEdges, mountColumnPlot, writeText } from './columnPlot.ts'
import { type FeederBand, type FeederColumn, type FeederCurve, type FeederPlotLayout, feederPlotLayout, xOfFeeders } from './feederPlotLayout.ts'

/** A column's name that is nearer than this to the present number is left out. */
const NEAR = 18

export interface FeederPlotData extends ColumnPlotData {
  readonly columns: readonly FeederColumn[]
  /** Whether a stage of the scenario is a resource of groups. */
  readonly resource: boolean
  /** The number of feeders in the scenario; null: none. */
  readonly now: number | null
}

/** Draws distances and losses over the number of feeders. */
export function mountFeederPlot(host: HTMLElement, events: ColumnPlotEvents): Drawing<FeederPlotData> {
  return mountColumnPlot<FeederPlotData, FeederPlotLayout>(host, events, {
    width: 290,
    layOut: ({ columns, resource }, width) => feederPlotLayout(columns, resource, width),
    key: () => null,
    drawBands(group, layout, { palette }) {
      for (const band of layout.bands) drawBand(appendSvg(group, 'g'), band, layout, palette)
    },
    now: ({ now, columns }, layout) => (now === null ? null : xOfFeeders(layout, columns, now)),
    names({ columns, now }, { x, named }, here) {
      const others = named
        .filter((column) => here === null || Math.abs(x[column] - here) >= NEAR)
        .map((column) => ({ x: x[column], text: `${columns[column].feeders}`, now: false }))
      return here === null ? others : [...others, { x: here, text: `${now}`, now: true }]
    },
  })
}

function drawBand(group: SVGGElement, band: FeederBand, { left, right }: FeederPlotLayout, palette: Palette): void {
  const { title, y, curves } = band
  drawBandEdges(group, palette, left, right, band)
  writeText(group, palette, 0, y - (curves.length > 1 ? 22 : 8), title, { 'font-size': 11, 'font-weight': 600, fill: palette.ink })
  let x = left
  for (const curve of curves) {
    drawCurve(group, curve, palette)
    if (curve.name === '') continue
    appendSvg(group, 'path', { d: `M${x},${y - 9.5}h14`, ...strokeOf(curve.style, palette, 2) })
    writeText(group, palette, x + 18, y - 6, curve.name, { 'font-size': 10 })
    // A letter is about half as wide as it is high.
    x += 18 + curve.name.length * 5.4 + 12
  }
}

function drawCurve(group: SVGGElement, { style, path, dots }: FeederCurve, palette: Palette): void {
  const stroke = strokeOf(style, palette, 1.6)
  appendSvg(group, 'path', { d: path, fill: 'none', 'stroke-linejoin': 'round', ...stroke })
  if (style === 'pale') return
  appendSvg(group, 'path', { d: dotsPath(dots), stroke: stroke.stroke, 'stroke-width': 4.5, 'stroke-linecap': 'round', fill: 'none' })
}

/** Returns the stroke of a curve and of its key. Pale curves lie under the others: thick, and mixed with the panel. */
function strokeOf(style: FeederCurve['style'], palette: Palette, width: number) {
  return {
    stroke: { main: palette.ink, second: palette.soft, warn: palette.accent, pale: palette.soft }[style],
    'stroke-width': style === 'pale' ? 4 : width,
    'stroke-dasharray': style === 'second' ? '4 3' : 'none',
    opacity: style === 'pale' ? 0.35 : 1,
  }
}
