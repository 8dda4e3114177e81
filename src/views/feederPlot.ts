import type { Drawing } from './drawing.ts'
import { columnAt, type FeederBand, type FeederColumn, type FeederCurve, type FeederPlotLayout, feederPlotLayout, placeOf } from './feederPlotLayout.ts'
import type { Palette } from './palette.ts'
import { element, set } from './svg.ts'

export interface FeederPlotData {
  readonly palette: Palette
  readonly columns: readonly FeederColumn[]
  /** A stage of the scenario holds groups. */
  readonly resource: boolean
  /** The number of feeders there are now; null where none are. */
  readonly now: number | null
  /** The column that is looked at; -1: none. */
  readonly focus: number
}

export interface FeederPlotEvents {
  /** Somebody looks at a column, by pointer. */
  look(column: number): void
  /** Somebody takes the number of feeders of a column. */
  choose(column: number): void
}

/** Distances and losses over the number of feeders: an SVG that fills the width of `host`. Keys are the host's business. */
export function mountFeederPlot(host: HTMLElement, events: FeederPlotEvents): Drawing<FeederPlotData> {
  const svg = element(host, 'svg', { width: '100%', 'aria-hidden': 'true' })
  Object.assign(svg.style, { display: 'block', overflow: 'visible', cursor: 'pointer' })
  const focus = element(svg, 'path', { 'stroke-width': 1 })
  const now = element(svg, 'path', { 'stroke-width': 1.5 })
  const bands = element(svg, 'g')
  const names = element(svg, 'g', { 'font-size': 10, 'text-anchor': 'middle' })
  let width = 0
  let last: FeederPlotData | null = null
  let layout: FeederPlotLayout | null = null
  let drawn = ''

  const under = (event: MouseEvent): number => (layout === null ? -1 : columnAt(layout, event.clientX - svg.getBoundingClientRect().left))
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

  function update(data: FeederPlotData): void {
    if (width === 0) width = host.clientWidth || 290
    const { palette, columns, resource } = data
    if (layout === null || last === null || last.columns !== columns || last.resource !== resource || layout.width !== width) {
      layout = feederPlotLayout(columns, resource, width)
    }
    last = data
    set(svg, { viewBox: `0 0 ${width} ${layout.height}`, height: layout.height, 'font-family': palette.font })
    const key = JSON.stringify([layout.bands, palette.theme, palette.ink])
    if (key !== drawn) {
      drawn = key
      bands.replaceChildren()
      for (const band of layout.bands) drawBand(element(bands, 'g'), band, layout.width, palette)
    }
    drawNames(data, layout)
  }

  function drawNames({ columns, palette, now: present, focus: at }: FeederPlotData, plot: FeederPlotLayout): void {
    const { x, named, height, bands: all } = plot
    const through = (place: number) => all.map(({ y, height: high }) => `M${place.toFixed(1)},${y}v${high}`).join('')
    const here = present === null ? null : placeOf(plot, columns, present)
    set(now, { d: here === null ? '' : through(here), stroke: palette.accent, opacity: 0.55 })
    set(focus, { d: at < 0 ? '' : through(x[at]), stroke: palette.soft, 'stroke-dasharray': '2 2' })
    const others = named
      .filter((column) => here === null || Math.abs(x[column] - here) >= 18)
      .map((column) => ({ place: x[column], text: columns[column].feeders, now: false }))
    const shown = here === null ? others : [...others, { place: here, text: present, now: true }]
    while (names.childElementCount > shown.length) names.lastElementChild?.remove()
    while (names.childElementCount < shown.length) element(names, 'text')
    shown.forEach(({ place, text, now: mine }, n) => {
      const name = names.children[n]
      set(name, { x: place.toFixed(1), y: height - 4, fill: mine ? palette.accent : palette.soft, 'font-weight': mine ? 700 : 400 })
      name.textContent = `${text}`
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

function drawBand(group: SVGGElement, { title, y, height, most, curves }: FeederBand, width: number, palette: Palette): void {
  const left = 40
  element(group, 'path', { d: `M${left},${y}H${width - 10}M${left},${y + height}H${width - 10}`, stroke: palette.rule, fill: 'none' })
  const words = (x: number, at: number, text: string, values: Readonly<Record<string, string | number>> = {}) => {
    const made = element(group, 'text', { x, y: at, 'font-size': 10, fill: palette.soft, ...values })
    made.textContent = text
    return made
  }
  words(0, y - (curves.length > 1 ? 22 : 8), title, { 'font-size': 11, 'font-weight': 600, fill: palette.ink })
  words(left - 5, y + 4, most, { 'text-anchor': 'end' })
  words(left - 5, y + height + 4, '0', { 'text-anchor': 'end' })
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
    words(x + 18, y - 6, curve.name)
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
