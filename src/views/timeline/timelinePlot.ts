import { type ZoomTransform, zoomIdentity } from 'd3-zoom'
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
  return {
    ratio,
    x: Math.round(layout.plot.x * ratio),
    columns,
    used,
    t0: from,
    t1: from + used * perColumn,
    hair: Math.max(1, Math.round(ratio)),
  }
}

/** Returns how a range lies on the plot: its `x` takes microseconds to pixels of the page. */
export function transformOf({ plot }: Pick<TimelineLayout, 'plot'>, [from, to]: TimeRange): ZoomTransform {
  return zoomIdentity
    .translate(plot.x, 0)
    .scale(plot.width / (to - from))
    .translate(-from, 0)
}

/** Returns the x of an instant, in pixels of the page. */
export function xOf(room: Pick<TimelineLayout, 'plot'>, range: TimeRange, time: Micros): number {
  return transformOf(room, range).applyX(time)
}

/** Returns the instant at `x`; beside the plot, the one at its edge. */
export function timeAtX(room: Pick<TimelineLayout, 'plot'>, range: TimeRange, x: number): Micros {
  const [from, to] = range
  return Math.min(to, Math.max(from, transformOf(room, range).invertX(x)))
}
