import type { Eligible, Seats, Votes } from './apportion.ts'
import { score } from './score.ts'

/**
 * Tries every allocation of all workers among the eligible stages and keeps the first of least score: the article's own
 * way, and the yardstick for `leastScore`. The order is colexicographic; for two workers and three stages
 *
 *   (2,0,0) (1,1,0) (0,2,0) (1,0,1) (0,1,1) (0,0,2)
 *
 * Scores are compared as they come out of floating point, as the article does: where two allocations are exactly as good,
 * rounding may prefer a later one.
 *
 * @param seats receives the result; all 0 if no stage is eligible
 * @returns how many allocations were tried; ask `countAllocations` first whether you can wait for them
 */
export function exhaustive(votes: Votes, eligible: Eligible, workers: number, seats: Seats): number {
  const open = Array.from(votes, (_, s) => s).filter((s) => eligible[s] !== 0)
  const trial = new Int32Array(votes.length)
  for (let s = 0; s < votes.length; s++) seats[s] = 0
  if (open.length === 0) return 0
  trial[open[0]] = workers
  let least = Infinity
  let tried = 0
  do {
    const total = score(votes, trial)
    tried++
    if (total < least || tried === 1) {
      least = total
      for (let s = 0; s < votes.length; s++) seats[s] = trial[s]
    }
  } while (next(trial, open))
  return tried
}

/** The following allocation: of the first stage with seats, one goes to the stage after it, the rest back to the start. */
function next(trial: Int32Array, open: readonly number[]): boolean {
  for (let i = 0; i < open.length - 1; i++) {
    const seats = trial[open[i]]
    if (seats === 0) continue
    trial[open[i]] = 0
    trial[open[0]] = seats - 1
    trial[open[i + 1]]++
    return true
  }
  return false
}

/**
 * How many ways there are to seat `workers` at `stages` stages: C(W + S - 1, S - 1). Exact as far as numbers are (below 2^53),
 * Infinity above. Without stages there is one way to seat nobody and none to seat anybody.
 */
export function countAllocations(workers: number, stages: number): number {
  if (stages === 0) return workers === 0 ? 1 : 0
  const chosen = Math.min(workers, stages - 1)
  const rest = BigInt(workers) + BigInt(stages - 1 - chosen)
  let count = 1n
  for (let i = 1n; i <= chosen; i++) {
    count = (count * (rest + i)) / i
    if (count > Number.MAX_SAFE_INTEGER) return Infinity
  }
  return Number(count)
}
