import { t } from '../../language/translate.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { stageColour } from '../drawing/palette.ts'
import { element } from '../drawing/svg.ts'
import { type ColumnPlotData, type ColumnPlotEvents, drawRims, mountColumnPlot, writeWords } from './columnPlot.ts'
import { type SweepBand, type SweepColumn, type SweepPlotLayout, sweepPlotLayout } from './sweepPlotLayout.ts'

export interface SweepPlotData extends ColumnPlotData {
  readonly columns: readonly SweepColumn[]
  /** The stages by number in the order of the pipeline. */
  readonly line: readonly number[]
  /** The makespan that is to be beaten; null: not known. */
  readonly baseline: Micros | null
  /** The column where the scenario stands, and the first that beats the baseline; -1: none. */
  readonly now: number
  readonly first: number
  write(value: number): string
}

/** What a scenario comes to over the values of one of its numbers. */
export function mountSweepPlot(host: HTMLElement, events: ColumnPlotEvents): Drawing<SweepPlotData> {
  return mountColumnPlot<SweepPlotData, SweepPlotLayout>(host, events, {
    width: 320,
    layOut: ({ columns, line, baseline, write }, width) => sweepPlotLayout(columns, line, baseline, write, width),
    key: ({ first }) => first,
    drawBands(group, layout, data) {
      for (const band of layout.bands) drawBand(element(group, 'g'), band, layout, data)
    },
    now: ({ now }, { x }) => (now < 0 ? null : x[now]),
    names({ columns, now, write }, { x, named }) {
      const text = (column: number) => write(columns[column].value)
      const clear = (column: number) => now < 0 || Math.abs(x[column] - x[now]) >= (text(column).length + text(now).length) * 3.6
      const shown = [...named.filter((column) => column !== now && clear(column)), ...(now < 0 ? [] : [now])]
      return shown.map((column) => ({ place: x[column], text: text(column), now: column === now }))
    },
  })
}

/** Width from which on the baseline is named in full. */
const ROOM_FOR_WORDS = 420

function drawBand(group: SVGGElement, band: SweepBand, { left, right, x }: SweepPlotLayout, { palette, first, columns }: SweepPlotData): void {
  const { title, y, areas, baseline, path, dots } = band
  writeWords(group, palette, left, y - 7, title, { 'font-size': 11.5, 'font-weight': 600, fill: palette.ink })
  drawRims(group, palette, left, right, band)
  for (const area of areas) element(group, 'path', { d: area.path, fill: stageColour(palette, area.stage).fill })
  if (baseline !== null) {
    element(group, 'path', { d: `M${left},${baseline}H${right}`, stroke: palette.soft, 'stroke-width': 1.4, 'stroke-dasharray': '5 4' })
    const dashed = right - left > ROOM_FOR_WORDS ? t('dashed: one worker who runs each job to its end') : t('dashed: one worker alone')
    writeWords(group, palette, right, y - 7, dashed, { 'text-anchor': 'end' })
  }
  element(group, 'path', { d: path, fill: 'none', stroke: palette.ink, 'stroke-width': 1.6, 'stroke-linejoin': 'round' })
  const points = dots.map(([at, high]) => `M${at.toFixed(1)},${high.toFixed(1)}h.01`).join('')
  element(group, 'path', { d: points, stroke: palette.ink, 'stroke-width': 4.5, 'stroke-linecap': 'round', fill: 'none' })
  if (baseline === null || first < 0 || columns[first].run === null) return
  // The first that beats the baseline.
  const beat = dots.find(([at]) => at === x[first])
  if (beat !== undefined) element(group, 'circle', { cx: beat[0], cy: beat[1], r: 6, fill: 'none', stroke: palette.ink, 'stroke-width': 1.5 })
}
