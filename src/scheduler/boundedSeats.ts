import type { Core } from './core.ts'
import { fillSeats } from './dispatch.ts'

/** What a stage has now, and what a decision must keep to. */
export interface StageBounds {
  /** Workers that are busy here, of those to share out. */
  readonly busy?: number
  /** The target of the decision before. */
  readonly seats?: number
  /** At least so many workers, also while no job waits. */
  readonly min?: number
  /** At most so many workers. */
  readonly max?: number
  /** Keeps the workers that it has now, within `min` and `max`: `seats`, or `busy` if that is more; 1 if the view has neither. */
  readonly hold?: boolean
}

/** The least and the most seats of each stage, in tie order. */
interface SeatBounds {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/** Returns the bounds that stages set, null if none does. Throws RangeError if they are not valid. */
export function boundsOf(
  { scenario, stageOf }: Core,
  { stages }: { readonly stages: readonly (StageBounds & { readonly id: string })[] },
): SeatBounds | null {
  if (stages.every(({ min, max, hold }) => (min ?? max ?? hold) === undefined)) return null
  const byId = new Map(stages.map((stage) => [stage.id, rangeOf(stage)]))
  const ranges = Array.from(stageOf, (stage) => byId.get(scenario.stages[stage].id) ?? [0, Infinity])
  return { low: ranges.map(([low]) => low), high: ranges.map(([, high]) => high) }
}

function rangeOf({
  id,
  busy,
  seats,
  min = 0,
  max = Infinity,
  hold = false,
}: StageBounds & { readonly id: string }): readonly [number, number] {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
  if (!isCount(min) || !(isCount(max) || max === Infinity) || min > max || typeof hold !== 'boolean')
    throw new RangeError(
      `stage ${id}: min and max must be whole numbers from 0 up, min at most max, and hold true or false, not ${min}, ${max} and ${hold}`,
    )
  if (!hold) return [min, max]
  const now = seats === undefined && busy === undefined ? 1 : Math.max(seats ?? 0, busy ?? 0)
  const kept = Math.max(min, Math.min(now, max))
  return [kept, kept]
}

/**
 * Fills in the seats within bounds, whatever the policy: asks it, gives stages beyond a bound that bound, and asks again for the other stages and workers.
 * Where more seats are missing than are too many, the stages with too few are settled, otherwise those with too many (Bitran and Hax 1981).
 * Throws RangeError if there are too few workers.
 */
export function fillWithin(core: Core, { low, high }: SeatBounds): void {
  const { ballot, seats } = core
  const needed = low.reduce((sum, n) => sum + n, 0)
  if (needed > ballot.workers)
    throw new RangeError(
      `workers: found ${ballot.workers}; allowed: at least ${needed}, which the stages must have by min and hold`,
    )
  const before = seats.slice()
  const settled = new Map<number, number>()
  for (;;) {
    seats.set(before)
    fillSeats(core, 0)
    limitTo(ballot.workers, seats)
    let missing = 0
    let surplus = 0
    for (let k = 0; k < seats.length; k++) {
      if (settled.has(k)) continue
      missing += Math.max(0, low[k] - seats[k])
      surplus += Math.max(0, seats[k] - high[k])
    }
    if (missing === 0 && surplus === 0) break
    for (let k = 0; k < seats.length; k++) {
      const isLow = seats[k] < low[k] && missing >= surplus
      const isHigh = seats[k] > high[k] && surplus >= missing
      if (settled.has(k) || !(isLow || isHigh)) continue
      const bound = isLow ? low[k] : high[k]
      settled.set(k, bound)
      settle(core, k, bound)
    }
  }
  for (const [k, bound] of settled) seats[k] = bound
}

/** Takes a stage and its workers out of what the policy sees: it gets no more seats. */
function settle({ ballot, assignments, stageOf, state }: Core, k: number, bound: number): void {
  ballot.workers -= bound
  ballot.eligible[k] = 0
  // What a score of all stages counts for it.
  ballot.votes[k] /= bound + 1
  assignments.runnable[k] = 0
  state.counts.busy[stageOf[k]] = 0
}

/** Policies that leave busy workers where they are may give more seats than workers are left. */
function limitTo(workers: number, seats: Int32Array): void {
  let left = workers
  for (let k = 0; k < seats.length; k++) {
    seats[k] = Math.max(0, Math.min(seats[k], left))
    left -= seats[k]
  }
}
