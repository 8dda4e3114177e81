import type { Eligible, Seats, Votes } from './apportion.ts'

/** What is left of each stage's quota. Kept between calls to save memory. */
let remainders = new Float64Array(256)
/** In place of a remainder: no seat is due. */
const DEALT = -1

/**
 * Hamilton's rule (1792), the method of largest remainders. Each eligible stage gets the whole part of its quota, workers x votes / all
 * votes. The rest goes to the largest remainders, one seat each, ties to the lowest index. Without votes the first eligible stage
 * gets every seat, as under the divisor rules.
 *
 * It stays within the quota but has paradoxes: one more worker may cost a stage a seat (Alabama, 1880), and so may votes that grow
 * faster than another's (population). Remainders are (workers x votes) mod (all votes), exact for whole numbers below 2^53.
 */
export function hamilton(votes: Votes, eligible: Eligible, workers: number, seats: Seats): void {
  const stages = votes.length
  if (remainders.length < stages) remainders = new Float64Array(stages)
  const total = totalOf(votes, eligible)
  let left = workers
  for (let s = 0; s < stages; s++) {
    seats[s] = 0
    remainders[s] = eligible[s] === 0 ? DEALT : 0
    if (eligible[s] === 0 || total === 0) continue
    const share = votes[s] * workers
    remainders[s] = share % total
    seats[s] = Math.round((share - remainders[s]) / total)
    left -= seats[s]
  }
  for (; left > 0; left--) {
    let best = -1
    for (let s = 0; s < stages; s++) if (remainders[s] > (best < 0 ? DEALT : remainders[best])) best = s
    if (best < 0) return
    seats[best]++
    if (total > 0) remainders[best] = DEALT
  }
}

/** Returns the exact share of each stage, workers x votes / all votes; NaN for a stage that is done. */
export function quotasOf(votes: Votes, eligible: Eligible, workers: number): number[] {
  const total = totalOf(votes, eligible)
  return Array.from(votes, (v, s) => (eligible[s] === 0 ? Number.NaN : total === 0 ? 0 : (v * workers) / total))
}

function totalOf(votes: Votes, eligible: Eligible): number {
  let total = 0
  for (let s = 0; s < votes.length; s++) if (eligible[s] !== 0) total += votes[s]
  return total
}
