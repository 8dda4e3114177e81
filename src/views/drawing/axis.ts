import { type AxisScale, axisBottom, axisLeft } from 'd3-axis'
import { select } from 'd3-selection'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { PixelScale } from './amountScale.ts'
import type { Palette } from './palette.ts'
import { timeTicks } from './timeTicks.ts'

/** The room for a label on the axis of time, and for half of the last one, in pixels of the page. */
const LABEL = 50
const HALF_LABEL = 16

/** Draws values beside a plot from `left` to `right`, and a line across it at each. */
export function drawAmountAxis(
  group: SVGGElement,
  palette: Palette,
  scale: AxisScale<number>,
  [left, right]: readonly [number, number],
  values: readonly number[],
  write: (value: number) => string,
): void {
  const axis = axisLeft<number>(scale)
    .tickValues(values)
    .tickFormat(write)
    .tickSize(left - right)
    .tickPadding(6)
  select(group).attr('transform', `translate(${left},0)`).call(axis)
  dress(group, palette)
}

/** Draws the axis of time at `y`, in the words of the timeline unless `ticks` has others. */
export function drawTimeAxis(group: SVGGElement, palette: Palette, scale: PixelScale, y: number, ticks = timeTicks): void {
  const [from, to] = scale.domain()
  const [left, right] = scale.range()
  const labels = new Map(ticks(from, to, Math.max(2, Math.floor((right - left) / LABEL))).map(({ time, label }) => [time, label]))
  drawNames(group, palette, 'below', scale, y, labels)
  // At the edge half of the last label would be cut off.
  select(group)
    .selectAll<SVGTextElement, Micros>('text')
    .attr('text-anchor', (time) => (scale(time) > right - HALF_LABEL ? 'end' : null))
}

/** Draws the names of columns or values below a plot, or of rows beside it, without lines. The one of `strong` stands out. */
export function drawNames(
  group: SVGGElement,
  palette: Palette,
  side: 'below' | 'beside',
  scale: AxisScale<number>,
  at: number,
  names: ReadonlyMap<number, string>,
  strong: number | null = null,
): void {
  const [axis, place] = side === 'below' ? [axisBottom(scale), `0,${at}`] : [axisLeft(scale), `${at},0`]
  axis.tickValues([...names.keys()]).tickFormat((value) => names.get(value) ?? '')
  select(group).attr('transform', `translate(${place})`).call(axis.tickSize(0).tickPadding(6))
  dress(group, palette)
  const text = select(group).selectAll<SVGTextElement, number>('text').attr('font-weight', null)
  text
    .filter((value) => value === strong)
    .attr('fill', palette.accent)
    .attr('font-weight', 700)
}

/** Gives an axis the font of its plot, which d3 replaces, and the colours of the palette. */
function dress(group: SVGGElement, { rule, soft }: Palette): void {
  const axis = select(group).attr('font-family', null)
  axis.select('.domain').remove()
  axis.selectAll('line').attr('stroke', rule)
  axis.selectAll('text').attr('fill', soft)
}
