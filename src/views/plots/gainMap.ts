import { scaleLinear } from 'd3-scale'
import { t } from '../../language/translate.ts'
import { mix } from '../drawing/colour.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import type { Palette } from '../drawing/palette.ts'
import { appendSvg, createSvg, drawEach, setAttributes } from '../drawing/svg.ts'
import { type CostScale, cellAt, cellBeside, cornerOf, costScale, everyNth, type GainMapLayout, gainMapLayout, gainPoint } from './gainMapLayout.ts'

/** A pair of gains with a name. */
export interface GainMark {
  readonly kind: 'now' | 'least' | 'named'
  readonly name: string
  readonly kp: number
  readonly ki: number
}

export interface GainMapData {
  readonly palette: Palette
  /** Ascending; the first ki may be 0. */
  readonly kp: readonly number[]
  readonly ki: readonly number[]
  /** By cell, row by row from the least ki, in a row from the least kp. Null: not known yet; Infinity: jobs were left behind. */
  readonly costs: readonly (number | null)[]
  readonly marks: readonly GainMark[]
  /** The cell that the person looks at; -1: none. */
  readonly focus: number
}

export interface GainMapEvents {
  /** The person looks at a cell, by pointer or key. */
  look(cell: number): void
  /** The person chooses the gains of a cell. */
  choose(cell: number): void
}

const LEGEND_PARTS = 24

let maps = 0

/** Draws what gains cost as a grid, a darker cell for a higher cost. Pointer or arrow keys look at a cell, a click or Enter chooses it. */
export function mountGainMap(host: HTMLElement, events: GainMapEvents): Drawing<GainMapData> {
  // Cells and hatching are referred to by id, which must differ between two maps on a page.
  const id = `gain-map-${maps++}`
  const svg = createSvg(host, { role: 'grid', tabindex: 0, 'aria-label': t('Cost by proportional and integral gain') })
  const hatch = appendSvg(appendSvg(svg, 'defs'), 'pattern', {
    id: `${id}-hatch`,
    width: 5,
    height: 5,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  })
  const [hatchBed, hatchLine] = [appendSvg(hatch, 'rect', { width: 5, height: 5 }), appendSvg(hatch, 'rect', { width: 1.4, height: 5 })]
  const cells = appendSvg(svg, 'g')
  const names = appendSvg(svg, 'g', { 'font-size': 10, 'aria-hidden': 'true' })
  const legend = appendSvg(svg, 'g', { 'font-size': 10, 'aria-hidden': 'true' })
  const marks = appendSvg(svg, 'g', { 'pointer-events': 'none', 'aria-hidden': 'true' })
  const focus = appendSvg(svg, 'rect', { fill: 'none', 'stroke-width': 2, rx: 2, 'pointer-events': 'none' })
  let focused = -1
  let layout: GainMapLayout | null = null

  const cellUnder = (event: MouseEvent): number => {
    const box = svg.getBoundingClientRect()
    return layout === null ? -1 : cellAt(layout, event.clientX - box.left, event.clientY - box.top)
  }
  svg.addEventListener('pointermove', (event) => {
    const cell = cellUnder(event)
    if (cell >= 0 && cell !== focused) events.look(cell)
  })
  svg.addEventListener('click', (event) => {
    const cell = cellUnder(event)
    if (cell >= 0) events.choose(cell)
  })
  svg.addEventListener('keydown', (event) => {
    if (layout === null) return
    if ((event.key === 'Enter' || event.key === ' ') && focused >= 0) events.choose(focused)
    else if (/^(Arrow|Home$|End$)/.test(event.key)) events.look(cellBeside(layout, Math.max(0, focused), event.key))
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  svg.addEventListener('focus', () => {
    if (layout !== null && focused < 0) events.look(0)
  })

  function draw(data: GainMapData, size: HostSize): void {
    const { palette, kp, ki, costs } = data
    focused = data.focus
    layout = gainMapLayout(size.width || 320, kp.length, ki.length)
    const scale = costScale(costs)
    setAttributes(svg, {
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      height: layout.height,
      'font-family': palette.font,
      'aria-activedescendant': data.focus < 0 ? null : `${id}-${data.focus}`,
    })
    setAttributes(hatchBed, { fill: palette.bed })
    setAttributes(hatchLine, { fill: mix(palette.bed, palette.soft, 0.45) })
    drawCells(data, layout, scale)
    drawNames(data, layout)
    drawLegend(palette, layout, scale)
    drawMarks(data, layout)
    const [x, y] = cornerOf(layout, Math.max(0, data.focus))
    setAttributes(focus, { x, y, width: layout.across, height: layout.down, stroke: data.focus < 0 ? 'none' : palette.ink })
  }

  function drawCells({ palette, kp, ki, costs, focus: at }: GainMapData, map: GainMapLayout, scale: CostScale | null): void {
    const colourOf = coloursOf(palette)
    drawEach(cells, 'g', ki, (row, each, r) => {
      setAttributes(row, { role: 'row' })
      drawEach(row, 'rect', kp, (rect, gain, c) => {
        const cell = r * kp.length + c
        const [x, y] = cornerOf(map, cell)
        const cost = costs[cell]
        setAttributes(rect, {
          role: 'gridcell',
          id: `${id}-${cell}`,
          x: x + 0.5,
          y: y + 0.5,
          width: map.across - 1,
          height: map.down - 1,
          rx: 1.5,
          fill: cost === null || scale === null ? palette.bed : cost === Infinity ? `url(#${id}-hatch)` : colourOf(scale.share(cost)),
          'aria-selected': `${cell === at}`,
          'aria-label': t('kp {gain}, ki {each}: {cost}', { gain, each, cost: costText(cost) }),
        })
      })
    })
  }

  function drawNames({ palette, kp, ki }: GainMapData, map: GainMapLayout): void {
    names.replaceChildren()
    const base = map.top + map.rows * map.down
    const label = (text: string, x: number, y: number, anchor: string) => {
      appendSvg(names, 'text', { x, y, fill: palette.soft, 'text-anchor': anchor }).textContent = text
    }
    const nthColumn = everyNth(map.across, 40)
    kp.forEach((gain, c) => {
      if (c % nthColumn === 0) label(short(gain), map.left + (c + 0.5) * map.across, base + 13, 'middle')
    })
    const nthRow = everyNth(map.down, 16)
    ki.forEach((gain, r) => {
      if (r % nthRow === 0) label(short(gain), map.left - 5, base - (r + 0.5) * map.down + 3.5, 'end')
    })
    label('kp', map.left + (map.columns / 2) * map.across, base + 27, 'middle')
    label('ki', map.left - 5, base + 13, 'end')
  }

  function drawLegend(palette: Palette, map: GainMapLayout, scale: CostScale | null): void {
    legend.replaceChildren()
    if (scale === null) return
    const colourOf = coloursOf(palette)
    const y = map.height - 28
    const wide = map.columns * map.across * 0.62
    for (let k = 0; k < LEGEND_PARTS; k++)
      appendSvg(legend, 'rect', {
        x: map.left + (k * wide) / LEGEND_PARTS,
        y,
        width: wide / LEGEND_PARTS + 0.5,
        height: 8,
        fill: colourOf(k / (LEGEND_PARTS - 1)),
      })
    const word = (text: string, x: number, anchor: string) => {
      appendSvg(legend, 'text', { x, y: y + 20, fill: palette.soft, 'text-anchor': anchor }).textContent = text
    }
    word(costNumber(scale.least), map.left, 'start')
    if (scale.most > scale.least) {
      word(costNumber(scale.middle), map.left + wide / 2, 'middle')
      word(`${costNumber(scale.most)}${scale.beyond ? '+' : ''}`, map.left + wide, 'middle')
    }
    word('cost', map.left - 5, 'end')
    const right = map.left + map.columns * map.across
    appendSvg(legend, 'rect', { x: right - 14, y, width: 14, height: 8, fill: `url(#${id}-hatch)` })
    word(t('jobs left'), right, 'end')
  }

  function drawMarks({ palette, kp, ki, marks: list }: GainMapData, map: GainMapLayout): void {
    marks.replaceChildren()
    for (const mark of list) {
      const [x, y] = gainPoint(map, kp, ki, mark.kp, mark.ki)
      const halo = { stroke: palette.panel, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }
      if (mark.kind === 'least') {
        appendSvg(marks, 'circle', { cx: x, cy: y, r: 7, fill: 'none', stroke: palette.panel, 'stroke-width': 4.5 })
        appendSvg(marks, 'circle', { cx: x, cy: y, r: 7, fill: 'none', stroke: palette.ink, 'stroke-width': 2 })
      } else if (mark.kind === 'now') {
        appendSvg(marks, 'circle', { cx: x, cy: y, r: 3.5, fill: palette.accent, 'stroke-width': 3, ...halo })
      } else {
        const text = appendSvg(marks, 'text', {
          x,
          y: y + 3.5,
          fill: palette.ink,
          'font-size': 10.5,
          'font-weight': 700,
          'text-anchor': 'middle',
          'stroke-width': 3,
          ...halo,
        })
        text.textContent = mark.name
      }
    }
  }

  return createDrawing(host, draw)
}

/** Returns the colours of the scale, 0 to 1: from nearly that of the panel to the darkest of one hue. */
function coloursOf({ panel, ink, stages: [{ fill }] }: Palette): (share: number) => string {
  return scaleLinear([0, 0.7, 1], [mix(panel, fill, 0.1), fill, mix(fill, ink, 0.45)])
}

function costText(cost: number | null): string {
  return cost === null ? t('not played yet') : cost === Infinity ? t('jobs are left behind') : t('cost {cost}', { cost: costNumber(cost) })
}

/** Returns a gain in two digits, for the label of a column or row. */
function short(gain: number): string {
  return String(Number(gain.toPrecision(2)))
}

/** Returns a cost, in three digits if it is small. */
export function costNumber(cost: number): string {
  return cost >= 100 ? count(cost) : String(Number(cost.toPrecision(3)))
}
