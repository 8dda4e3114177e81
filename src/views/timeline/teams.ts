import { spanAt } from '../../measures/series/lanes.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'
import { timeAtX, xOf } from './timelinePlot.ts'

/** The workers that a timeline shows, from `from` to `to - 1`, and how many of them share a lane: a team. The last team may be smaller. */
export type Teams = { readonly from: number; readonly to: number; readonly each: number }

/** Up to this many workers have a lane each. */
const MAX_LANES = 256
/** At most this many teams are shown at once. */
const MAX_TEAMS = 25

/** Returns the lanes of some neighbouring workers: one each, or teams of 2, 5 or 10 times a power of ten where they are too many. */
export function teamsOf(from: number, to: number): Teams {
  const workers = to - from
  if (workers <= MAX_LANES) return { from, to, each: 1 }
  for (let power = 1; ; power *= 10)
    for (const digit of [2, 5, 10]) if (workers <= MAX_TEAMS * digit * power) return { from, to, each: digit * power }
}

/** Returns the lanes of what is opened, or of all workers. */
export function teamsIn({
  workers,
  opened,
}: {
  readonly workers: number
  readonly opened?: readonly [from: number, to: number] | null
}): Teams {
  return opened ? teamsOf(opened[0], Math.min(workers, opened[1])) : teamsOf(0, workers)
}

export function laneCount({ from, to, each }: Teams): number {
  return Math.ceil((to - from) / each)
}

/** Returns the workers of a lane, up to the second. */
export function workersOf({ from, to, each }: Teams, lane: number): readonly [from: number, to: number] {
  return [from + lane * each, Math.min(to, from + (lane + 1) * each)]
}

/** Returns the lane of a worker; -1 if it is not shown. */
export function laneWith({ from, to, each }: Teams, worker: number): number {
  return worker >= from && worker < to ? Math.floor((worker - from) / each) : -1
}

/** Returns the smallest team that shows a worker in a lane of its own; null: all workers have one. */
export function openedFor(workers: number, worker: number): readonly [from: number, to: number] | null {
  let teams = teamsOf(0, workers)
  let opened: readonly [from: number, to: number] | null = null
  while (teams.each > 1) {
    opened = workersOf(teams, laneWith(teams, worker))
    teams = teamsOf(...opened)
  }
  return opened
}

/** An instant in the lane of a worker, or in that of a team: then `worker` is the first of it. */
export interface LanePlace {
  readonly worker: number
  /** How many workers share the lane. */
  readonly team: number
  readonly time: Micros
}

type Laned = Pick<TimelineData, 'range' | 'end' | 'workers' | 'opened' | 'lanes' | 'underway'>

/** Returns the lane at a point, and an instant of its bar; null beside the lanes. Where a bar begins within the pixel, the instant is its begin. */
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

/** Returns when the current batch began, if it did so between two instants; else the first of them. */
function beganWithin(
  now: { readonly stage: number; readonly since: Micros } | undefined,
  from: Micros,
  to: Micros,
): Micros {
  return now !== undefined && now.stage >= 0 && now.since >= from && now.since <= to ? now.since : from
}
