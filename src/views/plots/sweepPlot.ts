import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { stageColour } from '../drawing/palette.ts'
import { appendSvg, dotsPath } from '../drawing/svg.ts'
import { type ColumnPlotData, type ColumnPlotEvents, drawBandEdges, mountColumnPlot, writeText } from './columnPlot.ts'
import { type SweepBand, type SweepColumn, type SweepPlotLayout, sweepPlotLayout } from './sweepPlotLayout.ts'

export interface SweepPlotData extends ColumnPlotData {
  readonly columns: readonly SweepColumn[]
  /** The stage numbers in the order of the pipeline. */
  readonly stageOrder: readonly number[]
  /** The makespan of the baseline; null: not known. */
  readonly baseline: Micros | null
  /** The column of the scenario's value, and the first column that beats the baseline; -1: none. */
  readonly now: number
  readonly first: number
  write(value: number): string
}

/** Draws the results of a scenario over the values of one of its numbers. */
export function mountSweepPlot(host: HTMLElement, events: ColumnPlotEvents): Drawing<SweepPlotData> {
  return mountColumnPlot<SweepPlotData, SweepPlotLayout>(host, events, {
    width: 320,
    layOut: ({ columns, stageOrder, baseline, write }, width) => sweepPlotLayout(columns, stageOrder, baseline, write, width),
    key: ({ first }) => first,
    drawBands(group, layout, data) {
      for (const band of layout.bands) drawBand(appendSvg(group, 'g'), band, layout, data)
    },
    now: ({ now }, { x }) => (now < 0 ? null : x[now]),
    names({ columns, now, write }, { x, named }) {
      const text = (column: number) => write(columns[column].value)
      const clear = (column: number) => now < 0 || Math.abs(x[column] - x[now]) >= (text(column).length + text(now).length) * 3.6
      const shown = [...named.filter((column) => column !== now && clear(column)), ...(now < 0 ? [] : [now])]
      return shown.map((column) => ({ x: x[column], text: text(column), now: column === now }))
    },
  })
}

/** From this width on the baseline has its full name. */
const ROOM_FOR_NAME = 420

function drawBand(group: SVGGElement, band: SweepBand, { left, right, x }: SweepPlotLayout, { palette, first, columns }: SweepPlotData): void {
  const { title, y, areas, baseline, path, dots } = band
  writeText(group, palette, left, y - 7, title, { 'font-size': 11.5, 'font-weight': 600, fill: palette.ink })
  drawBandEdges(group, palette, left, right, band)
  for (const area of areas) appendSvg(group, 'path', { d: area.path, fill: stageColour(palette, area.stage).fill })
  if (baseline !== null) {
    appendSvg(group, 'path', { d: `M${left},${baseline}H${right}`, stroke: palette.soft, 'stroke-width': 1.4, 'stroke-dasharray': '5 4' })
    const dashed = right - left > ROOM_FOR_NAME ? t('dashed: one worker who runs each job to its end') : t('dashed: one worker alone')
    writeText(group, palette, right, y - 7, dashed, { 'text-anchor': 'end' })
  }
  appendSvg(group, 'path', { d: path, fill: 'none', stroke: palette.ink, 'stroke-width': 1.6, 'stroke-linejoin': 'round' })
  appendSvg(group, 'path', { d: dotsPath(dots), stroke: palette.ink, 'stroke-width': 4.5, 'stroke-linecap': 'round', fill: 'none' })
  if (baseline === null || first < 0 || columns[first].run === null) return
  const beat = dots.find(([at]) => at === x[first])
  if (beat !== undefined) appendSvg(group, 'circle', { cx: beat[0], cy: beat[1], r: 6, fill: 'none', stroke: palette.ink, 'stroke-width': 1.5 })
}
