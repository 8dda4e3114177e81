import { range } from 'd3-array'
import { scaleLinear, scalePoint } from 'd3-scale'
import { t } from '../../../language/translate.ts'
import { drawNames } from '../../../views/drawing/axis.ts'
import { createDrawing, type Drawing, type HostSize } from '../../../views/drawing/drawing.ts'
import { count } from '../../../views/drawing/format.ts'
import { mix, type Palette } from '../../../views/drawing/palette.ts'
import {
  createCursor,
  drawSeries,
  listenToPlaces,
  type PlaceEvents,
  type PlotSeries,
} from '../../../views/drawing/plot.ts'
import {
  appendSvg,
  childOf,
  circlePath,
  createSvg,
  drawEach,
  setAttributes,
  writeText,
} from '../../../views/drawing/svg.ts'
import {
  type CostScale,
  cellAt,
  cellBeside,
  cornerOf,
  costScale,
  gainMapLayout,
  gainScale,
  namedBands,
} from './gainMapLayout.ts'

export type GainMark = {
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

const LEGEND_PARTS = 24
/** From the lower end of the map to the legend, and the size of its swatch. */
const LEGEND_BELOW = 40
const SWATCH = { width: 14, height: 8 }

let maps = 0

/** Draws what gains cost as a grid, a darker cell for a higher cost. Pointer or arrow keys look at a cell, a click or Enter chooses it. */
export function mountGainMap(host: HTMLElement, events: PlaceEvents): Drawing<GainMapData> {
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
  const [hatchBed, hatchLine] = [
    appendSvg(hatch, 'rect', { width: 5, height: 5 }),
    appendSvg(hatch, 'rect', { width: 1.4, height: 5 }),
  ]
  const cells = appendSvg(svg, 'g')
  const silent = { 'aria-hidden': 'true', 'pointer-events': 'none' }
  const names = appendSvg(svg, 'g', silent)
  const legend = appendSvg(svg, 'g', { 'font-size': 10, ...silent })
  const marks = appendSvg(svg, 'g', silent)
  const focus = createCursor(svg, {
    fill: 'none',
    'stroke-width': 2,
    'stroke-linejoin': 'round',
    'pointer-events': 'none',
  })
  let layout = gainMapLayout(0, 0, 0)
  let focused = -1
  listenToPlaces(svg, (x, y) => cellAt(layout, x, y), events)
  svg.addEventListener('keydown', (event) => {
    if ((event.key === 'Enter' || event.key === ' ') && focused >= 0) events.choose(focused)
    else if (/^(Arrow|Home$|End$)/.test(event.key)) events.look(cellBeside(layout, Math.max(0, focused), event.key))
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  svg.addEventListener('focus', () => {
    if (focused < 0) events.look(0)
  })

  function draw(data: GainMapData, size: HostSize): void {
    const { palette, kp, ki, costs } = data
    const width = size.width || 320
    layout = gainMapLayout(width, kp.length, ki.length)
    focused = data.focus
    const scale = costScale(costs)
    setAttributes(svg, {
      viewBox: `0 0 ${width} ${layout.height}`,
      height: layout.height,
      'font-family': palette.font,
      'aria-activedescendant': data.focus < 0 ? null : `${id}-${data.focus}`,
    })
    setAttributes(hatchBed, { fill: palette.bed })
    setAttributes(hatchLine, { fill: mix(palette.bed, palette.soft, 0.45) })
    drawCells(data, scale)
    drawGains(data)
    drawLegend(palette, scale)
    drawMarks(data)
    const [x, y] = cornerOf(layout, data.focus)
    focus.draw(data.focus < 0 ? '' : `M${x},${y}h${layout.x.bandwidth()}v${layout.y.bandwidth()}H${x}Z`, palette.ink)
  }

  function drawCells({ palette, kp: columns, ki: rows, costs, focus: at }: GainMapData, scale: CostScale | null): void {
    const colourOf = coloursOf(palette)
    drawEach(cells, 'g', rows, (row, ki, r) => {
      setAttributes(row, { role: 'row' })
      drawEach(row, 'rect', columns, (rect, kp, c) => {
        const cell = r * columns.length + c
        const [x, y] = cornerOf(layout, cell)
        const cost = costs[cell]
        setAttributes(rect, {
          role: 'gridcell',
          id: `${id}-${cell}`,
          x: x + 0.5,
          y: y + 0.5,
          width: layout.x.bandwidth() - 1,
          height: layout.y.bandwidth() - 1,
          rx: 1.5,
          fill:
            cost === null || scale === null
              ? palette.bed
              : cost === Infinity
                ? `url(#${id}-hatch)`
                : colourOf(scale.share(cost)),
          'aria-selected': `${cell === at}`,
          'aria-label': `${gainsText({ kp, ki })}: ${costText(cost)}`,
        })
      })
    })
  }

  function drawGains({ palette, kp, ki }: GainMapData): void {
    const { x, y } = layout
    const [[left, right], [foot]] = [x.range(), y.range()]
    const named = (bands: typeof x, length: number, gains: readonly number[]) =>
      new Map(namedBands(bands, length).map((k) => [k, short(gains[k])]))
    drawNames(childOf(names, 0, 'g'), palette, 'below', x, foot, named(x, 40, kp))
    drawNames(childOf(names, 1, 'g'), palette, 'beside', y, left, named(y, 16, ki))
    const word = { fill: palette.soft, 'font-size': 10 }
    writeText(childOf(names, 2, 'text'), 'kp', {
      ...word,
      x: (left + right) / 2,
      y: foot + 27,
      'text-anchor': 'middle',
    })
    writeText(childOf(names, 3, 'text'), 'ki', { ...word, x: left - 6, y: foot + 13, 'text-anchor': 'end' })
  }

  /** Draws the colours of the costs with their scale, and beside them the hatching of those that are infinite. */
  function drawLegend(palette: Palette, scale: CostScale | null): void {
    setAttributes(legend, { display: scale === null ? 'none' : null })
    if (scale === null) return
    const [left, right] = layout.x.range()
    const y = layout.y.range()[0] + LEGEND_BELOW
    const colourOf = coloursOf(palette)
    const width = (right - left) * 0.62
    const partWidth = width / LEGEND_PARTS
    drawEach(childOf(legend, 0, 'g'), 'rect', range(LEGEND_PARTS), (rect, _, k) =>
      setAttributes(rect, {
        x: left + k * partWidth,
        y,
        width: partWidth + 0.5,
        height: SWATCH.height,
        fill: colourOf(k / (LEGEND_PARTS - 1)),
      }),
    )
    const { least, middle, most, beyond } = scale
    const costs = new Map([[least, costNumber(least)]])
    if (most > least) costs.set(middle, costNumber(middle)).set(most, `${costNumber(most)}${beyond ? '+' : ''}`)
    drawNames(
      childOf(legend, 1, 'g'),
      palette,
      'below',
      scalePoint([least, middle, most], [left, left + width]),
      y + SWATCH.height,
      costs,
    )
    setAttributes(childOf(legend, 2, 'rect'), { ...SWATCH, x: right - SWATCH.width, y, fill: `url(#${id}-hatch)` })
    const word = { fill: palette.soft, 'text-anchor': 'end' }
    writeText(childOf(legend, 3, 'text'), t('cost'), { ...word, x: left - 6, y: y + 8 })
    writeText(childOf(legend, 4, 'text'), t('jobs left'), { ...word, x: right, y: y + 20 })
  }

  function drawMarks({ palette, kp, ki, marks: list }: GainMapData): void {
    const [x, y] = [gainScale(layout.x, kp), gainScale(layout.y, ki)]
    const circles = list.flatMap((mark) =>
      circlesOf(mark, (radius) => circlePath(x(mark.kp), y(mark.ki), radius), palette),
    )
    drawEach(childOf(marks, 0, 'g'), 'path', circles, drawSeries)
    const named = list.filter(({ kind }) => kind === 'named')
    const halo = { stroke: palette.panel, 'stroke-width': 3, 'stroke-linejoin': 'round', 'paint-order': 'stroke' }
    const word = { fill: palette.ink, 'font-size': 10.5, 'font-weight': 700, 'text-anchor': 'middle', ...halo }
    drawEach(childOf(marks, 1, 'g'), 'text', named, (text, mark) =>
      writeText(text, mark.name, { ...word, x: x(mark.kp), y: y(mark.ki) + 3.5 }),
    )
  }

  return createDrawing(host, draw)
}

/** Returns the circles of a mark, each with a rim in the colour of the panel: a ring around the least cost, a dot for the present gains. */
function circlesOf(
  { kind }: GainMark,
  circle: (radius: number) => string,
  { panel, ink, accent }: Palette,
): readonly PlotSeries[] {
  if (kind === 'least') return [4.5, 2].map((width, k) => ({ d: circle(7), stroke: k === 0 ? panel : ink, width }))
  if (kind === 'now') return [5, 3.5].map((radius, k) => ({ d: circle(radius), fill: k === 0 ? panel : accent }))
  return []
}

/** Returns the colours of the scale, 0 to 1: from nearly that of the panel to the darkest of one hue. */
function coloursOf({ panel, ink, stages: [{ fill }] }: Palette): (share: number) => string {
  return scaleLinear([0, 0.7, 1], [mix(panel, fill, 0.1), fill, mix(fill, ink, 0.45)])
}

function costText(cost: number | null): string {
  if (cost === null) return t('not played yet')
  return cost === Infinity ? t('jobs left') : `${t('cost')} ${costNumber(cost)}`
}

export const gainsText = ({ kp, ki }: Pick<GainMark, 'kp' | 'ki'>): string => `kp ${kp}, ki ${ki}`

/** Returns a gain in two digits, for the label of a column or row. */
const short = (gain: number): string => String(Number(gain.toPrecision(2)))

/** Returns a cost, in three digits if it is small. */
export const costNumber = (cost: number): string => (cost >= 100 ? count(cost) : String(Number(cost.toPrecision(3))))
