import type { Seats, Votes } from './apportion.ts'

/**
 * Returns what `leastScore` and `exhaustive` minimise: the sum over stages of votes / (seats + 1), in the unit of the votes. It is the
 * article's expected time until the waiting work is done. A done stage counts with its votes.
 */
export function score(votes: Votes, seats: Seats): number {
  let sum = 0
  for (let s = 0; s < votes.length; s++) sum += votes[s] / (seats[s] + 1)
  return sum
}
