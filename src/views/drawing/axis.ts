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

/** Draws the axis of time at `y`, in the words of the timeline. */
export function drawTimeAxis(group: SVGGElement, palette: Palette, scale: PixelScale, y: number): void {
  const [from, to] = scale.domain()
  const [left, right] = scale.range()
  const labels = new Map(timeTicks(from, to, Math.max(2, Math.floor((right - left) / LABEL))).map(({ time, label }) => [time, label]))
  const axis = axisBottom<Micros>(scale)
    .tickValues([...labels.keys()])
    .tickFormat((time) => labels.get(time) ?? '')
    .tickSize(0)
    .tickPadding(6)
  select(group).attr('transform', `translate(0,${y})`).call(axis)
  dress(group, palette)
  // At the edge half of the last label would be cut off.
  select(group)
    .selectAll<SVGTextElement, Micros>('text')
    .attr('text-anchor', (time) => (scale(time) > right - HALF_LABEL ? 'end' : null))
}

/** Gives an axis the font of its plot, which d3 replaces, and the colours of the palette. */
function dress(group: SVGGElement, { rule, soft }: Palette): void {
  const axis = select(group).attr('font-family', null)
  axis.select('.domain').remove()
  axis.selectAll('line').attr('stroke', rule)
  axis.selectAll('text').attr('fill', soft)
}
