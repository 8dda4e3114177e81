import { type Eligible, type Seats, score, type Votes } from '../../src/allocation/apportion.ts'

/**
 * Tries every allocation among the eligible stages, in colexicographic order, and keeps the first with the least score, in floating point as in the
 * article. An oracle for `leastScore`. `seats` receives the result.
 */
export function exhaustive(votes: Votes, eligible: Eligible, workers: number, seats: Seats): void {
  const open = Array.from(votes, (_, s) => s).filter((s) => eligible[s] !== 0)
  const trial = new Int32Array(votes.length)
  for (let s = 0; s < votes.length; s++) seats[s] = 0
  if (open.length === 0) return
  trial[open[0]] = workers
  let least = Infinity
  do {
    const total = score(votes, trial)
    if (total < least) {
      least = total
      for (let s = 0; s < votes.length; s++) seats[s] = trial[s]
    }
  } while (next(trial, open))
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
