import type { Core } from './core.ts'
import { fillSeats } from './dispatch.ts'

/** What a stage has now, and the bounds of what it gets. */
export interface BoundedStage {
  readonly id: string
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

/**
 * Fills in the seats within the bounds of the stages: asks the policy, gives stages beyond a bound that bound, and asks again for the other stages and
 * workers. Where more seats are missing than are too many, stages with too few are settled, otherwise those with too many (Bitran and Hax 1981).
 * Throws RangeError if bounds are not valid, or there are too few workers.
 */
export function fillWithin(core: Core, stages: readonly BoundedStage[]): void {
  if (stages.every(({ min, max, hold }) => (min ?? max ?? hold) === undefined)) {
    fillSeats(core, 0)
    return
  }
  const { ballot, seats, stageOf } = core
  const ranges = Array.from(stageOf, (stage) => rangeOf(stages[stage]))
  const needed = sumOf(ranges.map(([low]) => low))
  if (needed > ballot.workers)
    throw new RangeError(
      `workers: found ${ballot.workers}; allowed: at least ${needed}, for min and hold of the stages`,
    )
  const previousSeats = seats.slice()
  const settled = new Map<number, number>()
  for (;;) {
    seats.set(previousSeats)
    fillSeats(core, 0)
    // Policies that leave busy workers where they are may give more seats than workers are left.
    let left = ballot.workers
    for (let k = 0; k < seats.length; left -= seats[k++]) seats[k] = Math.max(0, Math.min(seats[k], left))
    const missing = ranges.map(([low, high], k) =>
      settled.has(k) ? 0 : Math.max(low, Math.min(seats[k], high)) - seats[k],
    )
    if (missing.every((n) => n === 0)) break
    const balance = sumOf(missing)
    for (const [k, n] of missing.entries()) {
      if (n === 0 || n * balance < 0) continue
      settled.set(k, seats[k] + n)
      settle(core, k, seats[k] + n)
    }
  }
  for (const [k, n] of settled) seats[k] = n
}

function rangeOf({ id, busy, seats, min = 0, max = Infinity, hold = false }: BoundedStage): readonly [number, number] {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
  if (!isCount(min) || !(isCount(max) || max === Infinity) || min > max || typeof hold !== 'boolean')
    throw new RangeError(
      `stage ${id}: min and max must be whole numbers from 0 up, min at most max, and hold true or false, not ${min}, ${max} and ${hold}`,
    )
  if (!hold) return [min, max]
  const now = seats === undefined && busy === undefined ? 1 : Math.max(seats ?? 0, busy ?? 0)
  const count = Math.max(min, Math.min(now, max))
  return [count, count]
}

const sumOf = (values: readonly number[]) => values.reduce((sum, n) => sum + n, 0)

/** Takes a stage and its workers out of what the policy sees: it gets no more seats. */
function settle({ ballot, assignments, stageOf, state }: Core, k: number, given: number): void {
  ballot.workers -= given
  ballot.eligible[k] = 0
  assignments.runnable[k] = 0
  state.counts.busy[stageOf[k]] = 0
}
