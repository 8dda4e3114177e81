import { max, min } from 'd3-array'
import { type ScaleContinuousNumeric, type ScaleLinear, scaleLinear, scaleLog } from 'd3-scale'

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
