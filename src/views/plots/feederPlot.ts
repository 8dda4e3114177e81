import type { Drawing } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { element } from '../drawing/svg.ts'
import { type ColumnPlotData, type ColumnPlotEvents, drawRims, mountColumnPlot, writeWords } from './columnPlot.ts'
import { type FeederBand, type FeederColumn, type FeederCurve, type FeederPlotLayout, feederPlotLayout, xOfFeeders } from './feederPlotLayout.ts'

/** Names of columns that are nearer to the present number than this give way to it. */
const NEAR = 18

export interface FeederPlotData extends ColumnPlotData {
  readonly columns: readonly FeederColumn[]
  /** A stage of the scenario holds groups. */
  readonly resource: boolean
  /** The number of feeders there are now; null where none are. */
  readonly now: number | null
}

/** Distances and losses over the number of feeders. */
export function mountFeederPlot(host: HTMLElement, events: ColumnPlotEvents): Drawing<FeederPlotData> {
  return mountColumnPlot<FeederPlotData, FeederPlotLayout>(host, events, {
    width: 290,
    layOut: ({ columns, resource }, width) => feederPlotLayout(columns, resource, width),
    key: () => null,
    drawBands(group, layout, { palette }) {
      for (const band of layout.bands) drawBand(element(group, 'g'), band, layout, palette)
    },
    now: ({ now, columns }, layout) => (now === null ? null : xOfFeeders(layout, columns, now)),
    names({ columns, now }, { x, named }, here) {
      const others = named
        .filter((column) => here === null || Math.abs(x[column] - here) >= NEAR)
        .map((column) => ({ place: x[column], text: `${columns[column].feeders}`, now: false }))
      return here === null ? others : [...others, { place: here, text: `${now}`, now: true }]
    },
  })
}

function drawBand(group: SVGGElement, band: FeederBand, { left, right }: FeederPlotLayout, palette: Palette): void {
  const { title, y, curves } = band
  drawRims(group, palette, left, right, band)
  writeWords(group, palette, 0, y - (curves.length > 1 ? 22 : 8), title, { 'font-size': 11, 'font-weight': 600, fill: palette.ink })
  let x = left
  for (const curve of curves) {
    drawCurve(group, curve, palette)
    if (curve.name === '') continue
    const { stroke, dash } = styleOf(curve.style, palette)
    element(group, 'path', {
      d: `M${x},${y - 9.5}h14`,
      stroke,
      'stroke-width': curve.style === 'pale' ? 4 : 2,
      'stroke-dasharray': dash,
      opacity: curve.style === 'pale' ? PALE : 1,
    })
    writeWords(group, palette, x + 18, y - 6, curve.name, { 'font-size': 10 })
    // A letter is about half as wide as it is high.
    x += 18 + curve.name.length * 5.4 + 12
  }
}

/** How thick lines that lie under others are mixed with the panel. */
const PALE = 0.35

function drawCurve(group: SVGGElement, { style, path, dots }: FeederCurve, palette: Palette): void {
  const { stroke, dash } = styleOf(style, palette)
  element(group, 'path', {
    d: path,
    fill: 'none',
    stroke,
    'stroke-width': style === 'pale' ? 4 : 1.6,
    'stroke-dasharray': dash,
    'stroke-linejoin': 'round',
    opacity: style === 'pale' ? PALE : 1,
  })
  const points = dots.map(([x, y]) => `M${x.toFixed(1)},${y.toFixed(1)}h.01`).join('')
  if (style !== 'pale') element(group, 'path', { d: points, stroke, 'stroke-width': 4.5, 'stroke-linecap': 'round', fill: 'none' })
}

function styleOf(style: FeederCurve['style'], palette: Palette): { readonly stroke: string; readonly dash: string } {
  switch (style) {
    case 'main':
      return { stroke: palette.ink, dash: 'none' }
    case 'second':
      return { stroke: palette.soft, dash: '4 3' }
    case 'warn':
      return { stroke: palette.accent, dash: 'none' }
    case 'pale':
      return { stroke: palette.soft, dash: 'none' }
  }
}
