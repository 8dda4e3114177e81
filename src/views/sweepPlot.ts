import type { Micros } from '../scenario/scenario.ts'
import type { Drawing } from './drawing.ts'
import { type Palette, stageColour } from './palette.ts'
import { element, set } from './svg.ts'
import { type SweepBand, type SweepColumn, type SweepPlotLayout, sweepColumnAt, sweepPlotLayout } from './sweepPlotLayout.ts'

export interface SweepPlotData {
  readonly palette: Palette
  readonly columns: readonly SweepColumn[]
  /** The stages by number in the order of the pipeline. */
  readonly line: readonly number[]
  /** The makespan that is to be beaten; null: not known. */
  readonly baseline: Micros | null
  /** The column where the scenario stands, the one that is looked at, and the first that beats the baseline; -1: none. */
  readonly now: number
  readonly focus: number
  readonly first: number
  write(value: number): string
}

export interface SweepPlotEvents {
  /** Somebody looks at a column, by pointer. */
  look(column: number): void
  /** Somebody takes the value of a column. */
  choose(column: number): void
}

/** What a scenario comes to over the values of one of its numbers: an SVG that fills the width of `host`. Keys are the host's business. */
export function mountSweepPlot(host: HTMLElement, events: SweepPlotEvents): Drawing<SweepPlotData> {
  const svg = element(host, 'svg', { width: '100%', 'aria-hidden': 'true' })
  Object.assign(svg.style, { display: 'block', overflow: 'visible', cursor: 'pointer' })
  const bands = element(svg, 'g')
  const focus = element(svg, 'path', { 'stroke-width': 1, 'stroke-dasharray': '2 2' })
  const now = element(svg, 'path', { 'stroke-width': 1.5 })
  const names = element(svg, 'g', { 'font-size': 10.5, 'text-anchor': 'middle' })
  let width = 0
  let last: SweepPlotData | null = null
  let layout: SweepPlotLayout | null = null
  let drawn = ''

  const under = (event: MouseEvent): number => (layout === null ? -1 : sweepColumnAt(layout, event.clientX - svg.getBoundingClientRect().left))
  const onMove = (event: MouseEvent) => {
    const column = under(event)
    if (column >= 0 && column !== last?.focus) events.look(column)
  }
  const onClick = (event: MouseEvent) => {
    const column = under(event)
    if (column >= 0) events.choose(column)
  }
  svg.addEventListener('pointermove', onMove)
  svg.addEventListener('click', onClick)

  function update(data: SweepPlotData): void {
    if (width === 0) width = host.clientWidth || 320
    last = data
    const { palette, columns, line, baseline } = data
    layout = sweepPlotLayout(columns, line, baseline, data.write, width)
    set(svg, { viewBox: `0 0 ${width} ${layout.height}`, height: layout.height, 'font-family': palette.font })
    const key = JSON.stringify([layout, palette.theme, palette.ink, data.first])
    if (key !== drawn) {
      drawn = key
      bands.replaceChildren()
      for (const band of layout.bands) drawBand(element(bands, 'g'), band, layout, data)
    }
    drawNames(data, layout)
  }

  function drawNames({ columns, palette, now: present, focus: at, write }: SweepPlotData, plot: SweepPlotLayout): void {
    const { x, named, height, bands: all } = plot
    const across = (column: number) => (column < 0 ? '' : all.map(({ y, height: high }) => `M${x[column].toFixed(1)},${y}v${high}`).join(''))
    set(now, { d: across(present), stroke: palette.accent, opacity: 0.7 })
    set(focus, { d: across(at), stroke: palette.ink })
    const clear = (column: number) =>
      present < 0 || Math.abs(x[column] - x[present]) >= (write(columns[column].value).length + write(columns[present].value).length) * 3.6
    const shown = [...named.filter((column) => column !== present && clear(column)), ...(present < 0 ? [] : [present])]
    while (names.childElementCount > shown.length) names.lastElementChild?.remove()
    while (names.childElementCount < shown.length) element(names, 'text')
    shown.forEach((column, n) => {
      const name = names.children[n]
      const mine = column === present
      set(name, { x: x[column].toFixed(1), y: height - 6, fill: mine ? palette.accent : palette.soft, 'font-weight': mine ? 700 : 400 })
      name.textContent = write(columns[column].value)
    })
  }

  return {
    update,
    resize() {
      width = 0
      if (last !== null) update(last)
    },
    destroy() {
      svg.removeEventListener('pointermove', onMove)
      svg.removeEventListener('click', onClick)
      svg.remove()
    },
  }
}

/** Width from which on the baseline is named in full. */
const ROOM_FOR_WORDS = 420

function drawBand(group: SVGGElement, band: SweepBand, { left, right, x }: SweepPlotLayout, { palette, first, columns }: SweepPlotData): void {
  const { title, y, height, most, areas, baseline, path, dots } = band
  const words = (at: number, foot: number, text: string, values: Readonly<Record<string, string | number>> = {}) => {
    const made = element(group, 'text', { x: at, y: foot, 'font-size': 10.5, fill: palette.soft, ...values })
    made.textContent = text
  }
  element(group, 'path', { d: `M${left},${y}H${right}M${left},${y + height}H${right}`, stroke: palette.rule, fill: 'none' })
  words(left, y - 7, title, { 'font-size': 11.5, 'font-weight': 600, fill: palette.ink })
  words(left - 6, y + 4, most, { 'text-anchor': 'end' })
  words(left - 6, y + height + 4, '0', { 'text-anchor': 'end' })
  for (const area of areas) element(group, 'path', { d: area.path, fill: stageColour(palette, area.stage).fill })
  if (baseline !== null) {
    element(group, 'path', { d: `M${left},${baseline}H${right}`, stroke: palette.soft, 'stroke-width': 1.4, 'stroke-dasharray': '5 4' })
    words(right, y - 7, right - left > ROOM_FOR_WORDS ? 'dashed: one worker who runs each job to its end' : 'dashed: one worker alone', {
      'text-anchor': 'end',
    })
  }
  element(group, 'path', { d: path, fill: 'none', stroke: palette.ink, 'stroke-width': 1.6, 'stroke-linejoin': 'round' })
  const points = dots.map(([at, high]) => `M${at.toFixed(1)},${high.toFixed(1)}h.01`).join('')
  element(group, 'path', { d: points, stroke: palette.ink, 'stroke-width': 4.5, 'stroke-linecap': 'round', fill: 'none' })
  if (baseline === null || first < 0 || columns[first].run === null) return
  // The first that beats the baseline.
  const beat = dots.find(([at]) => at === x[first])
  if (beat !== undefined) element(group, 'circle', { cx: beat[0], cy: beat[1], r: 6, fill: 'none', stroke: palette.ink, 'stroke-width': 1.5 })
}
