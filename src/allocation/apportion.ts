/** Numbers by stage in tie order: the lowest index is the least id in code-point order. */
export type Votes = Float64Array | readonly number[]
/** 0 for a stage that is done and gets no seats, 1 for others. */
export type Eligible = Uint8Array | readonly number[]
/** Seats by stage, written in place. Use one kind of array in a hot loop. */
export type Seats = Int32Array | Uint16Array | number[]

/** What each stage offers for the next seat. Kept between calls to save memory. */
let claims = new Float64Array(256)

/**
 * Gives out seats one at a time, each to the eligible stage with the greatest votes / divisors[its seats]. Ties go to the lowest index.
 * Votes of 0 or less have quotient 0. Without an eligible stage no seats are given.
 *
 * @param divisors from `divisorsOf`, for at least as many workers
 * @param seats receives the result, one entry a stage
 */
export function apportion(votes: Votes, eligible: Eligible, workers: number, divisors: Float64Array, seats: Seats): void {
  const stages = votes.length
  if (claims.length < stages) claims = new Float64Array(stages)
  const offers = claims
  for (let s = 0; s < stages; s++) {
    seats[s] = 0
    offers[s] = eligible[s] === 0 ? -1 : quotient(votes[s], divisors[0])
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
    if (greatest === Infinity) best = bestInfinite(votes, eligible, divisors, seats)
    seats[best]++
    offers[best] = quotient(votes[best], divisors[seats[best]])
  }
}

/**
 * Reaches the seats of `apportion` from those in `seats`, normally the previous allocation. If votes have moved little, one look over
 * the stages finds nothing to do, or one seat to move.
 *
 * The W greatest quotients are the answer, and the seats are those when the worst seat held beats the best claim. Both are compared as
 * (quotient, index), so that a tie has one answer, whichever side holds the seat.
 *
 * @returns whether any seat moved
 */
export function exchangeSeats(votes: Votes, eligible: Eligible, workers: number, divisors: Float64Array, seats: Seats): boolean {
  const stages = votes.length
  for (let changed = false; ; changed = true) {
    let dealt = 0
    let best = -1
    let greatest = -1
    let worst = -1
    let least = Infinity
    for (let s = 0; s < stages; s++) {
      const most = eligible[s] === 0 ? 0 : workers
      if (seats[s] > most) {
        seats[s] = most
        changed = true
      }
      if (eligible[s] === 0) continue
      const held = seats[s]
      dealt += held
      const claim = quotient(votes[s], divisors[held])
      if (claim > greatest) {
        best = s
        greatest = claim
      }
      if (held === 0) continue
      const keep = quotient(votes[s], divisors[held - 1])
      if (keep <= least) {
        worst = s
        least = keep
      }
    }
    if (best < 0) return changed
    if (greatest === Infinity) best = bestInfinite(votes, eligible, divisors, seats)
    if (worst >= 0 && least === Infinity) worst = worstInfinite(votes, seats)
    if (dealt < workers) seats[best]++
    else if (dealt > workers) seats[worst]--
    else if (worst >= 0 && beats(votes, best, greatest, worst, least)) moveSeats(votes, eligible, divisors, seats, worst, best)
    else return changed
  }
}

/**
 * Moves one seat, and more the same way while no other stage claims more than the taker or holds on less than the giver. One look for
 * all of them, since many seats move when one queue empties and another fills.
 */
function moveSeats(votes: Votes, eligible: Eligible, divisors: Float64Array, seats: Seats, giver: number, taker: number): void {
  seats[giver]--
  seats[taker]++
  if (seats[giver] === 0 || !wouldMove(votes, divisors, seats, giver, taker)) return
  let rival = -1
  let yielder = -1
  for (let s = 0; s < votes.length; s++) {
    if (eligible[s] === 0 || s === giver || s === taker) continue
    if (rival < 0 || beats(votes, s, claimOf(votes, divisors, seats, s), rival, claimOf(votes, divisors, seats, rival))) rival = s
    if (seats[s] > 0 && (yielder < 0 || beats(votes, yielder, keepOf(votes, divisors, seats, yielder), s, keepOf(votes, divisors, seats, s)))) yielder = s
  }
  while (seats[giver] > 0 && wouldMove(votes, divisors, seats, giver, taker)) {
    if (rival >= 0 && beats(votes, rival, claimOf(votes, divisors, seats, rival), taker, claimOf(votes, divisors, seats, taker))) return
    if (yielder >= 0 && beats(votes, giver, keepOf(votes, divisors, seats, giver), yielder, keepOf(votes, divisors, seats, yielder))) return
    seats[giver]--
    seats[taker]++
  }
}

function wouldMove(votes: Votes, divisors: Float64Array, seats: Seats, giver: number, taker: number): boolean {
  return beats(votes, taker, claimOf(votes, divisors, seats, taker), giver, keepOf(votes, divisors, seats, giver))
}

/** The quotients of a stage's next seat, and of the last it holds. */
function claimOf(votes: Votes, divisors: Float64Array, seats: Seats, s: number): number {
  return quotient(votes[s], divisors[seats[s]])
}
function keepOf(votes: Votes, divisors: Float64Array, seats: Seats, s: number): number {
  return quotient(votes[s], divisors[seats[s] - 1])
}

/** One division, and no stored inverse, so that equal ratios have equal quotients. */
export function quotient(votes: number, divisor: number): number {
  return votes > 0 ? votes / divisor : 0
}

/** Whether stage a with quotient qa comes before stage b with qb. Infinite quotients rank by votes, equal ones by index. */
export function beats(votes: Votes, a: number, qa: number, b: number, qb: number): boolean {
  if (qa !== qb) return qa > qb
  if (qa === Infinity && votes[a] !== votes[b]) return votes[a] > votes[b]
  return a < b
}

/** Returns the stage with the most votes of those with an infinite claim to a first seat. */
function bestInfinite(votes: Votes, eligible: Eligible, divisors: Float64Array, seats: Seats): number {
  let best = -1
  for (let s = 0; s < votes.length; s++) {
    if (eligible[s] === 0 || quotient(votes[s], divisors[seats[s]]) !== Infinity) continue
    if (best < 0 || votes[s] > votes[best]) best = s
  }
  return best
}

/** Returns the stage with the fewest votes, when every seat held has an infinite quotient. */
function worstInfinite(votes: Votes, seats: Seats): number {
  let worst = -1
  for (let s = 0; s < votes.length; s++) if (seats[s] > 0 && (worst < 0 || votes[s] <= votes[worst])) worst = s
  return worst
}
