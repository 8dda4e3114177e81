import { spanAt } from '../../measures/series/lanes.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { timeAtX, xOf } from './timelinePlot.ts'

/** An instant in the lane of a worker. */
export interface LanePlace {
  readonly worker: number
  readonly time: Micros
}

type Laned = Pick<TimelineData, 'range' | 'end' | 'workers' | 'lanes' | 'underway'>

/**
 * Returns the lane at a point of the timeline, and an instant of the bar there; null beside the lanes. A bar begins within its first
 * pixel, so the instant at that pixel may still be of the bar before: then it is the one at which the bar begins.
 */
export function laneAt(
  layout: Pick<TimelineLayout, 'plot' | 'workers'>,
  { range, end, workers, lanes, underway }: Laned,
  x: number,
  y: number,
): LanePlace | null {
  const { plot, workers: rows } = layout
  const worker = Math.floor((y - rows.y) / rows.pitch)
  if (!(worker >= 0 && worker < workers) || x < plot.x || x > plot.x + plot.width) return null
  const from = Math.floor(timeAtX(layout, range, x))
  const next = Math.round(timeAtX(layout, range, x + 1))
  // An instant is of the pixel in which it is drawn. Rounded edges would give some to a neighbour.
  const to = Math.max(from, xOf(layout, range, next) < x + 1 ? next : next - 1)
  if (from > end) return null
  const span = spanAt(lanes, worker, from, to)
  const began = span?.began ?? beganWithin(underway?.[worker], from, to)
  return { worker, time: Math.min(end, Math.max(from, began)) }
}

/** Returns when the batch under way began, if it did so between two instants; else the first of them. */
function beganWithin(now: { readonly stage: number; readonly since: Micros } | undefined, from: Micros, to: Micros): Micros {
  return now !== undefined && now.stage >= 0 && now.since >= from && now.since <= to ? now.since : from
}
