import { bisectRight } from 'd3-array'
import type { Source } from '../../../scenario/model/scenario.ts'
import type { GroupOrder } from '../../../scenario/model/sources.ts'
import { groupsOf } from '../../../workload/groups.ts'

/**
 * How a source of grouped jobs emits them, as far as it is known without a run: which jobs are fetched together, and which
 * groups are open meanwhile on which feeder. Read off the order itself.
 *
 *     spread, 2 feeders    jobs    a b | a c | a c | c     rounds 0 2 4 6; the last one is short: the tail begins at 6
 *                          feeder  0 1 | 0 1 | 0 1 | 1
 */
export interface Spreading {
  readonly order: GroupOrder
  /** 0 for orders without feeders. */
  readonly feeders: number
  readonly jobs: number
  /** By job. */
  readonly group: Int32Array
  /** By group: its number of jobs, and the feeder that opens it (0 without feeders). */
  readonly sizes: readonly number[]
  readonly feeder: Uint8Array
  /** The groups that have jobs, in the order in which they are opened. */
  readonly opening: Int32Array
  /** By round: its first job, and how many groups were opened before it; one more entry at the end. */
  readonly rounds: Int32Array
  readonly openedBefore: Int32Array
  /** The first job of the first round with fewer jobs than feeders. From there on jobs of one group may be closer. Null without feeders. */
  readonly tail: number | null
  /** The jobs of group g in order: places[starts[g]] to places[starts[g + 1] - 1]. */
  readonly starts: Int32Array
  readonly places: Int32Array
}

/** An open group: `left` of its jobs have not been emitted. */
export type OpenGroup = { readonly feeder: number; readonly group: number; readonly left: number }

/** The state of a spreader after a number of jobs. */
export interface SpreadState {
  readonly emitted: number
  /** The jobs fetched together, `from` to `to` - 1, of which the next is emitted; none before the first is asked for. */
  readonly from: number
  readonly to: number
  /** The groups of that round; in an order without feeders at most as many as asked for. */
  readonly open: readonly OpenGroup[]
  /** How many groups are open, and how many were opened so far: the next is `opening[opened]`. */
  readonly openGroups: number
  readonly opened: number
  readonly inTail: boolean
}

/** Returns the number of feeders; null for a source whose order has none. */
export function feedersOf(source: Source): number | null {
  return source.kind === 'groups' && (source.order === 'spread' || source.order === 'largestFirst')
    ? source.feeders
    : null
}

/** Returns null for a source without groups. Takes a quarter of a second and 12 MB for a million jobs. */
export function spreadingOf(source: Source, seed: number): Spreading | null {
  if (source.kind !== 'groups') return null
  const group = groupsOf(source, seed) ?? new Int32Array(0)
  const feeders = feedersOf(source)
  const sizes = source.groups
  const { starts, places } = placesOf(group, sizes)
  const isFirst = (job: number) => places[starts[group[job]]] === job
  const feeder = new Uint8Array(sizes.length)
  const rounds =
    feeders !== null
      ? feedersRounds(group, feeders, sizes, isFirst, feeder)
      : windowRounds(sizes, source.order, source.window)
  const opening =
    feeders !== null
      ? group.filter((_, job) => isFirst(job))
      : Int32Array.from(sizes.keys()).filter((each) => sizes[each] > 0)
  const short = rounds.findIndex((from, r) => r + 1 < rounds.length && rounds[r + 1] - from < (feeders ?? 0))
  return {
    order: source.order,
    feeders: feeders ?? 0,
    jobs: group.length,
    group,
    sizes,
    feeder,
    opening,
    rounds: Int32Array.from(rounds),
    openedBefore: openedBefore(rounds, opening, places, starts, feeders !== null ? null : sizes),
    tail: feeders === null ? null : short < 0 ? group.length : rounds[short],
    starts,
    places,
  }
}

/** Returns the state after `emitted` jobs. A round is fetched when its first job is asked for. Costs a few steps a group shown. */
export function spreadAt(spreading: Spreading, emitted: number, maxOpen = Infinity): SpreadState {
  const { rounds, openedBefore: before, opening, group, feeder, tail } = spreading
  if (emitted === 0)
    return { emitted, from: 0, to: 0, open: [], openGroups: 0, opened: 0, inTail: tail === 0 && spreading.jobs > 0 }
  const r = bisectRight(rounds, emitted - 1) - 1
  const [from, to] = [rounds[r], rounds[r + 1]]
  const here = spreading.feeders > 0 ? group.subarray(from, to) : opening.subarray(before[r], before[r + 1])
  const open = Array.from(here.subarray(0, Math.min(maxOpen, here.length)), (group) => ({
    feeder: feeder[group],
    group,
    left: leftOf(spreading, group, emitted),
  }))
  return {
    emitted,
    from,
    to,
    open,
    openGroups: here.length,
    opened: before[r + 1],
    inTail: tail !== null && from >= tail,
  }
}

/** Returns how many jobs of a group are not among the first `emitted`. */
export function leftOf({ starts, places }: Spreading, group: number, emitted: number): number {
  const jobs = places.subarray(starts[group], starts[group + 1])
  return jobs.length - bisectRight(jobs, emitted - 1)
}

function placesOf(group: Int32Array, sizes: readonly number[]): Pick<Spreading, 'starts' | 'places'> {
  const starts = new Int32Array(sizes.length + 1)
  for (const [g, size] of sizes.entries()) starts[g + 1] = starts[g] + size
  const next = starts.slice()
  const places = new Int32Array(group.length)
  group.forEach((g, job) => {
    places[next[g]++] = job
  })
  return { starts, places }
}

/** A feeder whose group has ended opens a new one if the next job is the first of its group. Otherwise no group is left for it. */
function feedersRounds(
  group: Int32Array,
  feeders: number,
  sizes: readonly number[],
  isFirst: (job: number) => boolean,
  feederOf: Uint8Array,
): number[] {
  const left = sizes.slice()
  const rounds = [0]
  let feeding: { readonly feeder: number; group: number }[] = []
  let job = 0
  while (job < group.length) {
    feeding = feeding.filter((each) => {
      if (left[each.group] === 0) {
        if (job === group.length || !isFirst(job)) return false
        each.group = group[job]
        feederOf[each.group] = each.feeder
      }
      left[each.group]--
      job++
      return true
    })
    // Only in the first round. A feeder is absent if no group was left for it.
    while (rounds.length === 1 && feeding.length < feeders && job < group.length && isFirst(job)) {
      feederOf[group[job]] = feeding.length
      left[group[job]]--
      feeding.push({ feeder: feeding.length, group: group[job++] })
    }
    rounds.push(job)
  }
  return rounds
}

function windowRounds(sizes: readonly number[], order: GroupOrder, window: number): readonly number[] {
  const wide = order === 'asProduced' ? 1 : order === 'window' ? window : sizes.length
  const rounds = [0]
  let job = 0
  sizes.forEach((size, g) => {
    job += size
    const ends = (g + 1) % wide === 0 || g === sizes.length - 1
    if (ends && job > rounds[rounds.length - 1]) rounds.push(job)
  })
  return rounds
}

/** Returns by round how many groups were opened before it. */
function openedBefore(
  rounds: readonly number[],
  opening: Int32Array,
  places: Int32Array,
  starts: Int32Array,
  produced: readonly number[] | null,
): Int32Array {
  const before = new Int32Array(rounds.length)
  let opened = 0
  let made = 0
  rounds.forEach((from, r) => {
    if (produced === null) while (opened < opening.length && places[starts[opening[opened]]] < from) opened++
    else while (opened < opening.length && made < from) made += produced[opening[opened++]]
    before[r] = opened
  })
  return before
}
