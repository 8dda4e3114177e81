import { t } from '../../language/translate.ts'
import { mix } from '../drawing/colour.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { count } from '../drawing/format.ts'
import type { Palette } from '../drawing/palette.ts'
import { element, set } from '../drawing/svg.ts'
import { type CostScale, cellAt, cellBeside, cornerOf, costScale, everyNth, type GainMapLayout, gainPoint, layOutGainMap } from './gainMapLayout.ts'

/** A pair of gains that has a name. */
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
  /** By cell, from the least ki upwards, in a row from the least kp on. Null: not known yet; Infinity: jobs were left behind. */
  readonly costs: readonly (number | null)[]
  readonly marks: readonly GainMark[]
  /** The cell that is looked at; -1: none. */
  readonly focus: number
}

export interface GainMapEvents {
  /** Somebody looks at a cell, by pointer or key. */
  look(cell: number): void
  /** Somebody takes the gains of a cell. */
  choose(cell: number): void
}

const LEGEND_PARTS = 24

/** What gains cost: an SVG of cells, the dearer the deeper, that one walks over by pointer or arrow keys and takes by a click or Enter. */
export function mountGainMap(host: HTMLElement, id: string, events: GainMapEvents): Drawing<GainMapData> {
  const svg = element(host, 'svg', { role: 'grid', tabindex: 0, width: '100%', 'aria-label': t('Cost by proportional and integral gain') })
  svg.style.display = 'block'
  svg.style.overflow = 'visible'
  const hatch = element(element(svg, 'defs'), 'pattern', {
    id: `${id}-hatch`,
    width: 5,
    height: 5,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  })
  const [hatchBed, hatchLine] = [element(hatch, 'rect', { width: 5, height: 5 }), element(hatch, 'rect', { width: 1.4, height: 5 })]
  const cells = element(svg, 'g')
  const names = element(svg, 'g', { 'font-size': 10, 'aria-hidden': 'true' })
  const legend = element(svg, 'g', { 'font-size': 10, 'aria-hidden': 'true' })
  const marks = element(svg, 'g', { 'pointer-events': 'none', 'aria-hidden': 'true' })
  const focus = element(svg, 'rect', { fill: 'none', 'stroke-width': 2, rx: 2, 'pointer-events': 'none' })
  let last: GainMapData | null = null
  let layout: GainMapLayout | null = null

  const under = (event: MouseEvent): number => {
    const box = svg.getBoundingClientRect()
    return layout === null ? -1 : cellAt(layout, event.clientX - box.left, event.clientY - box.top)
  }
  const onMove = (event: PointerEvent) => {
    const cell = under(event)
    if (cell >= 0 && cell !== last?.focus) events.look(cell)
  }
  const onClick = (event: MouseEvent) => {
    const cell = under(event)
    if (cell >= 0) events.choose(cell)
  }
  const onKey = (event: KeyboardEvent) => {
    if (last === null || layout === null) return
    const from = Math.max(0, last.focus)
    if ((event.key === 'Enter' || event.key === ' ') && last.focus >= 0) events.choose(last.focus)
    else if (/^(Arrow|Home$|End$)/.test(event.key)) events.look(cellBeside(layout, from, event.key))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocus = () => {
    if (last !== null && last.focus < 0) events.look(0)
  }
  svg.addEventListener('pointermove', onMove)
  svg.addEventListener('click', onClick)
  svg.addEventListener('keydown', onKey)
  svg.addEventListener('focus', onFocus)

  function update(data: GainMapData): void {
    last = data
    const { palette, kp, ki, costs } = data
    layout = layOutGainMap(layout?.width ?? (host.clientWidth || 320), kp.length, ki.length)
    const scale = costScale(costs)
    set(svg, {
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      height: layout.height,
      'font-family': palette.font,
      'aria-activedescendant': data.focus < 0 ? null : `${id}-${data.focus}`,
    })
    set(hatchBed, { fill: palette.bed })
    set(hatchLine, { fill: mix(palette.bed, palette.soft, 0.45) })
    drawCells(data, layout, scale)
    drawNames(data, layout)
    drawLegend(palette, layout, scale)
    drawMarks(data, layout)
    const [x, y] = cornerOf(layout, Math.max(0, data.focus))
    set(focus, { x, y, width: layout.across, height: layout.down, stroke: data.focus < 0 ? 'none' : palette.ink })
  }

  function drawCells({ palette, kp, ki, costs, focus: at }: GainMapData, map: GainMapLayout, scale: CostScale | null): void {
    while (cells.childElementCount > ki.length) cells.lastElementChild?.remove()
    while (cells.childElementCount < ki.length) element(cells, 'g', { role: 'row' })
    ki.forEach((each, r) => {
      const row = cells.children[r]
      while (row.childElementCount > kp.length) row.lastElementChild?.remove()
      while (row.childElementCount < kp.length) element(row, 'rect', { role: 'gridcell' })
      kp.forEach((gain, c) => {
        const cell = r * kp.length + c
        const [x, y] = cornerOf(map, cell)
        const cost = costs[cell]
        set(row.children[c], {
          id: `${id}-${cell}`,
          x: x + 0.5,
          y: y + 0.5,
          width: map.across - 1,
          height: map.down - 1,
          rx: 1.5,
          fill: cost === null || scale === null ? palette.bed : cost === Infinity ? `url(#${id}-hatch)` : colourOf(palette, scale.share(cost)),
          'aria-selected': `${cell === at}`,
          'aria-label': t('kp {gain}, ki {each}: {cost}', { gain, each, cost: costWords(cost) }),
        })
      })
    })
  }

  function drawNames({ palette, kp, ki }: GainMapData, map: GainMapLayout): void {
    names.replaceChildren()
    const base = map.top + map.rows * map.down
    const label = (text: string, x: number, y: number, anchor: string) => {
      element(names, 'text', { x, y, fill: palette.soft, 'text-anchor': anchor }).textContent = text
    }
    const nth = everyNth(map.across, 40)
    kp.forEach((gain, c) => {
      if (c % nth === 0) label(short(gain), map.left + (c + 0.5) * map.across, base + 13, 'middle')
    })
    const other = everyNth(map.down, 16)
    ki.forEach((gain, r) => {
      if (r % other === 0) label(short(gain), map.left - 5, base - (r + 0.5) * map.down + 3.5, 'end')
    })
    label('kp', map.left + (map.columns / 2) * map.across, base + 27, 'middle')
    label('ki', map.left - 5, base + 13, 'end')
  }

  function drawLegend(palette: Palette, map: GainMapLayout, scale: CostScale | null): void {
    legend.replaceChildren()
    if (scale === null) return
    const y = map.height - 28
    const wide = map.columns * map.across * 0.62
    for (let k = 0; k < LEGEND_PARTS; k++)
      element(legend, 'rect', {
        x: map.left + (k * wide) / LEGEND_PARTS,
        y,
        width: wide / LEGEND_PARTS + 0.5,
        height: 8,
        fill: colourOf(palette, k / (LEGEND_PARTS - 1)),
      })
    const word = (text: string, x: number, anchor: string) => {
      element(legend, 'text', { x, y: y + 20, fill: palette.soft, 'text-anchor': anchor }).textContent = text
    }
    word(amount(scale.least), map.left, 'start')
    if (scale.most > scale.least) {
      word(amount(scale.middle), map.left + wide / 2, 'middle')
      word(`${amount(scale.most)}${scale.beyond ? '+' : ''}`, map.left + wide, 'middle')
    }
    word('cost', map.left - 5, 'end')
    const right = map.left + map.columns * map.across
    element(legend, 'rect', { x: right - 14, y, width: 14, height: 8, fill: `url(#${id}-hatch)` })
    word(t('jobs left'), right, 'end')
  }

  function drawMarks({ palette, kp, ki, marks: list }: GainMapData, map: GainMapLayout): void {
    marks.replaceChildren()
    for (const mark of list) {
      const [x, y] = gainPoint(map, kp, ki, mark.kp, mark.ki)
      const halo = { stroke: palette.panel, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }
      if (mark.kind === 'least') {
        element(marks, 'circle', { cx: x, cy: y, r: 7, fill: 'none', stroke: palette.panel, 'stroke-width': 4.5 })
        element(marks, 'circle', { cx: x, cy: y, r: 7, fill: 'none', stroke: palette.ink, 'stroke-width': 2 })
      } else if (mark.kind === 'now') {
        element(marks, 'circle', { cx: x, cy: y, r: 3.5, fill: palette.accent, 'stroke-width': 3, ...halo })
      } else {
        const text = element(marks, 'text', {
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

  return {
    update,
    resize() {
      layout = null
      if (last !== null) update(last)
    },
    destroy() {
      svg.remove()
    },
  }
}

/** From nearly the panel to the deepest of one hue, by a share of the scale. */
function colourOf({ panel, ink, stages }: Palette, share: number): string {
  const { fill } = stages[0]
  return share < 0.7 ? mix(mix(panel, fill, 0.1), fill, share / 0.7) : mix(fill, ink, ((share - 0.7) / 0.3) * 0.45)
}

function costWords(cost: number | null): string {
  return cost === null ? t('not played yet') : cost === Infinity ? t('jobs are left behind') : t('cost {cost}', { cost: amount(cost) })
}

/** A gain beside its column or row: two figures are enough there. */
function short(gain: number): string {
  return String(Number(gain.toPrecision(2)))
}

/** A cost: three figures where it is small. */
export function amount(cost: number): string {
  return cost >= 100 ? count(cost) : String(Number(cost.toPrecision(3)))
}
