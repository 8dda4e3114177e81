/** The workers that a timeline shows, from `from` to `to - 1`, and how many of them share a lane: a team. The last team may be smaller. */
export interface Teams {
  readonly from: number
  readonly to: number
  readonly each: number
}

/** So many workers have a lane each. */
const MOST_LANES = 256
/** The most teams at once. */
const MOST_TEAMS = 25

/** Returns the lanes of some neighbouring workers: one each, or teams of 2, 5 or 10 times a power of ten where they are too many. */
export function teamsOf(from: number, to: number): Teams {
  const workers = to - from
  if (workers <= MOST_LANES) return { from, to, each: 1 }
  for (let power = 1; ; power *= 10) for (const digit of [2, 5, 10]) if (workers <= MOST_TEAMS * digit * power) return { from, to, each: digit * power }
}

/** Returns the lanes of what is opened, or of all workers. */
export function teamsIn({ workers, opened }: { readonly workers: number; readonly opened?: readonly [from: number, to: number] | null }): Teams {
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
