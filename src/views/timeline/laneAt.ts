import { spanAt } from '../../measures/series/lanes.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { laneCount, teamsIn, workersOf } from './teams.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { timeAtX, xOf } from './timelinePlot.ts'

/** An instant in the lane of a worker, or in that of a team: then `worker` is the first of it. */
export interface LanePlace {
  readonly worker: number
  /** How many workers share the lane. */
  readonly team: number
  readonly time: Micros
}

type Laned = Pick<TimelineData, 'range' | 'end' | 'workers' | 'opened' | 'lanes' | 'underway'>

/**
 * Returns the lane at a point of the timeline, and an instant of the bar there; null beside the lanes. A bar begins within its first
 * pixel, so the instant at that pixel may still be of the bar before: then it is the one at which the bar begins.
 */
export function laneAt(
  layout: Pick<TimelineLayout, 'plot' | 'workers'>,
  { range, end, lanes, underway, ...shown }: Laned,
  x: number,
  y: number,
): LanePlace | null {
  const { plot, workers: rows } = layout
  const teams = teamsIn(shown)
  const lane = Math.floor((y - rows.y) / rows.pitch)
  if (!(lane >= 0 && lane < laneCount(teams)) || x < plot.x || x > plot.x + plot.width) return null
  const from = Math.floor(timeAtX(layout, range, x))
  const after = Math.round(timeAtX(layout, range, x + 1))
  // An instant is of the pixel in which it is drawn. Rounded edges would give some to a neighbour.
  const to = Math.max(from, xOf(layout, range, after) < x + 1 ? after : after - 1)
  if (from > end) return null
  const [worker, next] = workersOf(teams, lane)
  if (teams.each > 1) return { worker, team: next - worker, time: Math.min(end, from) }
  const span = spanAt(lanes, worker, from, to)
  const began = span?.began ?? beganWithin(underway?.[worker], from, to)
  return { worker, team: 1, time: Math.min(end, Math.max(from, began)) }
}

/** Returns when the batch under way began, if it did so between two instants; else the first of them. */
function beganWithin(now: { readonly stage: number; readonly since: Micros } | undefined, from: Micros, to: Micros): Micros {
  return now !== undefined && now.stage >= 0 && now.since >= from && now.since <= to ? now.since : from
}
