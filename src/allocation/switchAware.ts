import { type Divisors, type Eligible, quotient, score, type Votes } from './apportion.ts'

/**
 * Moves seats of the previous allocation in `seats` towards the least total time T, while a move pays (switching costs: Hofri and Ross 1987):
 *
 *   saving = votes[to] / ((m + 1) (m + 2)) - votes[from] / (n (n + 1))
 *   saving x min(1, horizon / T) > cost
 *
 * A stage with votes and no seat gets one of a stage without votes at any cost. `divisors`: of `leastScore`.
 */
export function moveSeatsThatPay(
  votes: Votes,
  eligible: Eligible,
  workers: number,
  divisors: Divisors,
  horizon: number,
  cost: number,
  seats: Int32Array,
): void {
  let assigned = 0
  for (let s = 0; s < seats.length; s++) {
    if (eligible[s] === 0) seats[s] = 0
    assigned += seats[s]
  }
  for (; assigned > workers; assigned--) seats[leastHeld(votes, divisors, seats)]--
  for (; assigned < workers; assigned++) {
    const to = mostClaimed(votes, eligible, divisors, seats, -1)
    if (to < 0) return
    seats[to]++
  }
  for (;;) {
    const from = leastHeld(votes, divisors, seats)
    const to = from < 0 ? -1 : mostClaimed(votes, eligible, divisors, seats, from)
    if (to < 0) return
    const held = quotient(votes[from], divisors, seats[from] - 1)
    const saved = quotient(votes[to], divisors, seats[to]) - held
    const needed = seats[to] === 0 && held === 0 && saved > 0
    if (!needed && savedWithin(horizon, saved, score(votes, seats)) <= cost) return
    seats[from]--
    seats[to]++
  }
}

/** Returns how much of a saving falls within the horizon, if all work takes `total`. */
export function savedWithin(horizon: number, saved: number, total: number): number {
  return total > horizon ? (saved * horizon) / total : saved
}

/** Returns the eligible stage, other than `from`, with the highest quotient for one more seat, of equals the first; -1 if there is none. */
function mostClaimed(votes: Votes, eligible: Eligible, divisors: Divisors, seats: Int32Array, from: number): number {
  let best = -1
  let greatest = -1
  for (let s = 0; s < seats.length; s++) {
    if (eligible[s] === 0 || s === from) continue
    const claim = quotient(votes[s], divisors, seats[s])
    if (claim <= greatest) continue
    best = s
    greatest = claim
  }
  return best
}

/** Returns the stage with the lowest quotient for its last seat, of equals the last; -1 if none has a seat. */
function leastHeld(votes: Votes, divisors: Divisors, seats: Int32Array): number {
  let worst = -1
  let least = Number.POSITIVE_INFINITY
  for (let s = 0; s < seats.length; s++) {
    if (seats[s] === 0) continue
    const held = quotient(votes[s], divisors, seats[s] - 1)
    if (held > least) continue
    worst = s
    least = held
  }
  return worst
}
