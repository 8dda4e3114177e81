/** Numbers by stage in tie order: the lowest index is the least id in code-point order. */
export type Votes = Float64Array | readonly number[]
/** 0 for a stage that is done and gets no seats, 1 for others. */
export type Eligible = Uint8Array | readonly number[]
/** Seats by stage, written in place. Use one kind of array in a hot loop. */
export type Seats = Int32Array | Uint16Array | number[]

/**
 * The factor and the divisor of the weight of a stage with w seats: the divisor is over / times. Where it is a fraction both are whole
 * numbers, so that a quotient is rounded once and equal claims are equal.
 */
export type Divisors = { readonly times: Float64Array; readonly over: Float64Array }

/** The quotient of each stage for the next seat, and that of its last one. Kept between calls to save memory. */
let claims = new Float64Array(256)
let keeps = new Float64Array(256)

/**
 * Gives out seats one at a time, each to the eligible stage with the greatest quotient, ties to the lowest index. Votes of 0 or less have quotient 0.
 * `divisors` are for at least as many workers; `seats` receives the result, one entry a stage.
 */
export function apportion(votes: Votes, eligible: Eligible, workers: number, divisors: Divisors, seats: Seats): void {
  const stages = votes.length
  if (claims.length < stages) claims = new Float64Array(stages)
  const offers = claims
  for (let s = 0; s < stages; s++) {
    seats[s] = 0
    offers[s] = eligible[s] === 0 ? -1 : quotient(votes[s], divisors, 0)
  }
  for (let dealt = 0; dealt < workers; dealt++) {
    let best = -1
    let greatest = -1
    for (let s = 0; s < stages; s++) {
      if (offers[s] > greatest) {
        best = s
        greatest = offers[s]
      }
    }
    if (best < 0) return
    if (greatest === Infinity) best = bestInfinite(votes, offers)
    seats[best]++
    offers[best] = quotient(votes[best], divisors, seats[best])
  }
}

/**
 * Reaches the seats of `apportion` from those in `seats`, normally the previous allocation. Returns whether any seat moved. The seats are right when the
 * worst seat held beats the best claim; both are compared as (quotient, index), so that a tie has one answer.
 */
export function exchangeSeats(
  votes: Votes,
  eligible: Eligible,
  workers: number,
  divisors: Divisors,
  seats: Seats,
): boolean {
  const stages = votes.length
  if (claims.length < stages) claims = new Float64Array(stages)
  if (keeps.length < stages) keeps = new Float64Array(stages)
  const offers = claims
  const held = keeps
  let changed = false
  let dealt = 0
  for (let s = 0; s < stages; s++) {
    const most = eligible[s] === 0 ? 0 : workers
    if (seats[s] > most) {
      seats[s] = most
      changed = true
    }
    const mine = seats[s]
    dealt += mine
    offers[s] = most === 0 ? -1 : quotient(votes[s], divisors, mine)
    held[s] = mine === 0 ? NaN : quotient(votes[s], divisors, mine - 1)
  }
  for (; ; changed = true) {
    let best = -1
    let greatest = -1
    let worst = -1
    let least = Infinity
    for (let s = 0; s < stages; s++) {
      if (offers[s] > greatest) {
        best = s
        greatest = offers[s]
      }
      if (held[s] <= least) {
        worst = s
        least = held[s]
      }
    }
    if (best < 0) return changed
    if (greatest === Infinity) best = bestInfinite(votes, offers)
    if (worst >= 0 && least === Infinity) worst = worstInfinite(votes, seats)
    if (dealt < workers) {
      addSeat(votes, divisors, seats, best)
      dealt++
    } else if (dealt > workers) {
      removeSeat(votes, divisors, seats, worst)
      dealt--
    } else if (worst < 0 || greatest < least || !beats(votes, best, greatest, worst, least)) return changed
    else moveSeats(votes, divisors, seats, worst, best)
  }
}

/**
 * Moves as many seats between two stages as are worth more at the taker: many where one queue empties and another fills. Each is one that the
 * greatest quotients have and the seats had not, so a seat that belongs to a third stage is moved again later.
 */
function moveSeats(votes: Votes, divisors: Divisors, seats: Seats, giver: number, taker: number): void {
  const given = seats[giver]
  const taken = seats[taker]
  let moved = 1
  let above = 2
  while (above <= given && pays(votes, divisors, giver, given - above, taker, taken + above - 1)) {
    moved = above
    above *= 2
  }
  if (above > given) above = given + 1
  while (moved + 1 < above) {
    const middle = (moved + above) >> 1
    if (pays(votes, divisors, giver, given - middle, taker, taken + middle - 1)) moved = middle
    else above = middle
  }
  seats[giver] = given - moved
  seats[taker] = taken + moved
  claims[giver] = quotient(votes[giver], divisors, given - moved)
  claims[taker] = quotient(votes[taker], divisors, taken + moved)
  keeps[giver] = moved === given ? NaN : quotient(votes[giver], divisors, given - moved - 1)
  keeps[taker] = quotient(votes[taker], divisors, taken + moved - 1)
}

/** Whether the taker with `taken` seats has a better claim to one more than the giver has to its seat number `given` (from 0). */
function pays(votes: Votes, divisors: Divisors, giver: number, given: number, taker: number, taken: number): boolean {
  return beats(votes, taker, quotient(votes[taker], divisors, taken), giver, quotient(votes[giver], divisors, given))
}

function addSeat(votes: Votes, divisors: Divisors, seats: Seats, s: number): void {
  seats[s]++
  keeps[s] = claims[s]
  claims[s] = quotient(votes[s], divisors, seats[s])
}

function removeSeat(votes: Votes, divisors: Divisors, seats: Seats, s: number): void {
  seats[s]--
  claims[s] = keeps[s]
  keeps[s] = seats[s] === 0 ? NaN : quotient(votes[s], divisors, seats[s] - 1)
}

/** Returns the quotient of a stage with w seats. One division, and no stored inverse, so that equal ratios have equal quotients. */
export function quotient(votes: number, { times, over }: Divisors, w: number): number {
  return votes > 0 ? (votes * times[w]) / over[w] : 0
}

/** Whether stage a with quotient qa comes before stage b with qb. Infinite quotients rank by votes, equal ones by index. */
export function beats(votes: Votes, a: number, qa: number, b: number, qb: number): boolean {
  if (qa !== qb) return qa > qb
  if (qa === Infinity && votes[a] !== votes[b]) return votes[a] > votes[b]
  return a < b
}

/** Returns the stage with the most votes of those with an infinite claim to a first seat. */
function bestInfinite(votes: Votes, offers: Float64Array): number {
  let best = -1
  for (let s = 0; s < votes.length; s++) if (offers[s] === Infinity && (best < 0 || votes[s] > votes[best])) best = s
  return best
}

/** Returns the stage with the fewest votes, when every seat held has an infinite quotient. */
function worstInfinite(votes: Votes, seats: Seats): number {
  let worst = -1
  for (let s = 0; s < votes.length; s++) if (seats[s] > 0 && (worst < 0 || votes[s] <= votes[worst])) worst = s
  return worst
}

/**
 * Returns what `leastScore` minimises: the sum over stages of votes / (seats + 1), in the unit of the votes, the article's expected
 * time until the waiting work is done. A done stage counts with its votes.
 */
export function score(votes: Votes, seats: Seats): number {
  let sum = 0
  for (let s = 0; s < votes.length; s++) sum += votes[s] / (seats[s] + 1)
  return sum
}
