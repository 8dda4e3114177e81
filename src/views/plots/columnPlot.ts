import type { Drawing } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { element, set } from '../drawing/svg.ts'
import { type ColumnBand, type ColumnLayout, columnAt } from './columnPlotLayout.ts'

/** What every plot over columns is told, whatever its bands show. */
export interface ColumnPlotData {
  readonly palette: Palette
  /** The column that is looked at; -1: none. */
  readonly focus: number
}

export interface ColumnPlotEvents {
  /** Somebody looks at a column, by pointer. */
  look(column: number): void
  /** Somebody takes the value of a column. */
  choose(column: number): void
}

/** A value below the bands: `now` where the scenario stands. */
export interface ColumnName {
  readonly place: number
  readonly text: string
  readonly now: boolean
}

interface Content<Data, Layout> {
  /** In a host that has no width yet. */
  readonly width: number
  layOut(data: Data, width: number): Layout
  /** Draws the bands anew, when anything in the layout or in what `key` gives is another. */
  key(data: Data): unknown
  drawBands(group: SVGGElement, layout: Layout, data: Data): void
  /** Where the scenario stands; null: in no column and between none. */
  now(data: Data, layout: Layout): number | null
  names(data: Data, layout: Layout, now: number | null): readonly ColumnName[]
}

/** Bands over columns at even distances, one of which can be looked at and taken: an SVG that fills the width of `host`. Keys are the host's business. */
export function mountColumnPlot<Data extends ColumnPlotData, Layout extends ColumnLayout>(
  host: HTMLElement,
  events: ColumnPlotEvents,
  content: Content<Data, Layout>,
): Drawing<Data> {
  const svg = element(host, 'svg', { width: '100%', 'aria-hidden': 'true' })
  Object.assign(svg.style, { display: 'block', overflow: 'visible', cursor: 'pointer' })
  const bands = element(svg, 'g')
  const focus = element(svg, 'path', { 'stroke-width': 1, 'stroke-dasharray': '2 2' })
  const now = element(svg, 'path', { 'stroke-width': 1.5, opacity: 0.65 })
  const names = element(svg, 'g', { 'font-size': 10.5, 'text-anchor': 'middle' })
  let width = 0
  let last: Data | null = null
  let layout: Layout | null = null
  let drawn = ''

  const under = (event: MouseEvent): number => (layout === null ? -1 : columnAt(layout.x, event.clientX - svg.getBoundingClientRect().left))
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

  function update(data: Data): void {
    if (width === 0) width = host.clientWidth || content.width
    last = data
    const { palette } = data
    const present = content.layOut(data, width)
    layout = present
    set(svg, { viewBox: `0 0 ${width} ${present.height}`, height: present.height, 'font-family': palette.font })
    const key = JSON.stringify([present, palette.theme, palette.ink, content.key(data)])
    if (key !== drawn) {
      drawn = key
      bands.replaceChildren()
      content.drawBands(bands, present, data)
    }
    const through = (place: number) => present.bands.map(({ y, height }) => `M${place.toFixed(1)},${y}v${height}`).join('')
    const here = content.now(data, present)
    set(now, { d: here === null ? '' : through(here), stroke: palette.accent })
    set(focus, { d: data.focus < 0 ? '' : through(present.x[data.focus]), stroke: palette.ink })
    drawNames(content.names(data, present, here), present.height, palette)
  }

  function drawNames(shown: readonly ColumnName[], height: number, palette: Palette): void {
    while (names.childElementCount > shown.length) names.lastElementChild?.remove()
    while (names.childElementCount < shown.length) element(names, 'text')
    shown.forEach(({ place, text, now: mine }, n) => {
      const name = names.children[n]
      set(name, { x: place.toFixed(1), y: height - 5, fill: mine ? palette.accent : palette.soft, 'font-weight': mine ? 700 : 400 })
      name.textContent = text
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

/** Writes into a band. */
export function writeWords(
  group: SVGGElement,
  palette: Palette,
  x: number,
  y: number,
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): void {
  const made = element(group, 'text', { x, y, 'font-size': 10.5, fill: palette.soft, ...values })
  made.textContent = text
}

/** The rims of a band from `left` to `right`, and what its upper and its lower one stand for. */
export function drawRims(group: SVGGElement, palette: Palette, left: number, right: number, { y, height, most }: ColumnBand): void {
  element(group, 'path', { d: `M${left},${y}H${right}M${left},${y + height}H${right}`, stroke: palette.rule, fill: 'none' })
  writeWords(group, palette, left - 6, y + 4, most, { 'text-anchor': 'end' })
  writeWords(group, palette, left - 6, y + height + 4, '0', { 'text-anchor': 'end' })
}
