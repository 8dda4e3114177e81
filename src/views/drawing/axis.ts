import { bisectLeft, bisectRight, max, min, range } from 'd3-array'
import { type AxisScale, axisBottom, axisLeft } from 'd3-axis'
import { type ScaleContinuousNumeric, type ScaleLinear, scaleLinear, scaleLog } from 'd3-scale'
import { select } from 'd3-selection'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Palette } from './palette.ts'
import { timeTicks } from './timeTicks.ts'

/** From a number, or a time in microseconds, to pixels of the page. */
export type PixelScale = ScaleLinear<number, number>

/** Returns a scale that shows 0 and all values from `foot` to `top`. Both ends are round, with about `parts` parts between the ticks. */
export function amountScale(values: Iterable<number>, foot: number, top: number, parts: number): PixelScale {
  const least = Math.min(0, min(values) ?? 0)
  const most = Math.max(0, max(values) ?? 0)
  return scaleLinear([least, most > least ? most : 1], [foot, top])
    .nice(parts)
    .clamp(true)
}

/** Returns a scale from amounts to shares of an axis between two ends, 0 to 1. With `log` equal ratios are equal shares. */
export function shareScale(from: number, to: number, log: boolean): ScaleContinuousNumeric<number, number> {
  return log ? scaleLog([from, to], [0, 1]) : scaleLinear([from, to], [0, 1])
}

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
  styleAxis(group, palette)
}

/** Draws the axis of time at `y`, with the labels of the timeline unless `ticks` has others. */
export function drawTimeAxis(
  group: SVGGElement,
  palette: Palette,
  scale: PixelScale,
  y: number,
  ticks = timeTicks,
): void {
  const [from, to] = scale.domain()
  const [left, right] = scale.range()
  const labels = new Map(
    ticks(from, to, Math.max(2, Math.floor((right - left) / LABEL))).map(({ time, label }) => [time, label]),
  )
  drawNames(group, palette, 'below', scale, y, labels)
  // At the edge half of the last label would be cut off.
  select(group)
    .selectAll<SVGTextElement, Micros>('text')
    .attr('text-anchor', (time) => (scale(time) > right - HALF_LABEL ? 'end' : null))
}

/** Draws the names of columns or values below a plot, or of rows beside it, without lines. The name of `strong` is bold. */
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
  styleAxis(group, palette)
  const text = select(group).selectAll<SVGTextElement, number>('text').attr('font-weight', null)
  text
    .filter((value) => value === strong)
    .attr('fill', palette.accent)
    .attr('font-weight', 700)
}

function styleAxis(group: SVGGElement, { rule, soft }: Palette): void {
  const axis = select(group).attr('font-family', null)
  axis.select('.domain').remove()
  axis.selectAll('line').attr('stroke', rule)
  axis.selectAll('text').attr('fill', soft)
}

// Written out, since a power of ten that is calculated may differ in its last digit.
const powers = range(-9, 30).map((power) => Number(`1e${power}`))
const rounds = powers.flatMap((power) => [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((digit) => digit * power))

/** Returns the greatest power of ten that is not above a number. */
export function powerBelow(value: number): number {
  return powers[Math.max(0, bisectRight(powers, value) - 1)]
}

/** Returns the next of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten. */
export function roundAbove(value: number): number {
  return rounds[bisectLeft(rounds, value)]
}
