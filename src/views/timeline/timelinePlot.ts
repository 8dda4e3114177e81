import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import type { TimeRange } from './timelineRange.ts'

/** The plot of a timeline in pixels of the screen: columns from `x` on. The first `used` of them show the time from `t0` to `t1`. */
export interface Plot {
  readonly ratio: number
  readonly x: number
  readonly columns: number
  readonly used: number
  readonly t0: Micros
  readonly t1: Micros
  /** One pixel of the page, in whole pixels of the screen. */
  readonly hair: number
}

/** Returns the plot for a range. Columns after `end` stay unused. */
export function plotOf(layout: Pick<TimelineLayout, 'plot'>, [from, to]: TimeRange, end: Micros, ratio: number): Plot {
  const columns = Math.max(1, Math.round(layout.plot.width * ratio))
  const perColumn = Math.max(to - from, 1e-9) / columns
  const used = Math.max(0, Math.min(columns, Math.ceil((end - from) / perColumn)))
  return { ratio, x: Math.round(layout.plot.x * ratio), columns, used, t0: from, t1: from + used * perColumn, hair: Math.max(1, Math.round(ratio)) }
}

/** Returns the x of an instant, in pixels of the page. */
export function xOf({ plot }: Pick<TimelineLayout, 'plot'>, [from, to]: TimeRange, time: Micros): number {
  return plot.x + ((time - from) / (to - from)) * plot.width
}

/** Returns the instant at `x`; beside the plot, the one at its edge. */
export function timeAtX({ plot }: Pick<TimelineLayout, 'plot'>, [from, to]: TimeRange, x: number): Micros {
  return from + Math.min(1, Math.max(0, (x - plot.x) / plot.width)) * (to - from)
}
