import type { Eligible, Seats, Votes } from './apportion.ts'
import { score } from './score.ts'

/**
 * Tries every allocation of all workers among the eligible stages and keeps the first with the least score. This is the article's way,
 * and the reference for `leastScore`. The order is colexicographic; for two workers and three stages
 *
 *   (2,0,0) (1,1,0) (0,2,0) (1,0,1) (0,1,1) (0,0,2)
 *
 * Scores are compared as floating point gives them, as in the article. Of two equally good allocations rounding may prefer the later.
 *
 * @param seats receives the result; all 0 if no stage is eligible
 * @returns how many allocations were tried: C(W + S - 1, S - 1), so count them before you wait for them
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
    if (total < least) {
      least = total
      for (let s = 0; s < votes.length; s++) seats[s] = trial[s]
    }
  } while (next(trial, open))
  return tried
}

/** Makes the next allocation: of the first stage with seats, one seat goes to the next stage and the rest go back to the start. */
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
