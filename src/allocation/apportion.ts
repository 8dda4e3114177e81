/** Numbers by stage. Stages stand in tie order: the lowest index is the least id in code-point order. */
export type Votes = Float64Array | readonly number[]
/** 0 for a stage that may have no seats because it is done, 1 for the others. */
export type Eligible = Uint8Array | readonly number[]
/** Seats by stage; written in place. Keep to one kind of array in a hot loop. */
export type Seats = Int32Array | Uint16Array | number[]

/** What each stage offers for the next seat. Kept between calls, so that a decision allocates nothing. */
let claims = new Float64Array(256)

/**
 * Gives `workers` seats out one at a time, each to the eligible stage with the greatest votes / divisors[seats it has];
 * ties go to the lowest index. Votes that are not above 0 have quotient 0. Without an eligible stage nobody gets a seat.
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
 * The same seats as `apportion`, reached from those in `seats`, whatever they are: the previous allocation, as a rule, from
 * which an event or two has moved the votes a little. Then one look over the stages finds nothing to do, or a seat to move.
 *
 * Right because the W greatest quotients are the answer, and W seats are exactly those when the worst of them beats the best
 * claim to another. Both are compared as (quotient, index), so that a tie has one answer from either side: were an equal
 * quotient no reason to move, a seat would stay where history left it.
 *
 * @returns whether any seat changed hands
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
 * Moves one seat, and as many more as would go the same way: while no other stage claims more than the taker or clings less
 * than the giver. One look round for all of them, since a queue that empties while another fills moves many at once.
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

/** What a stage's next seat is worth to it, and the last it holds. */
function claimOf(votes: Votes, divisors: Float64Array, seats: Seats, s: number): number {
  return quotient(votes[s], divisors[seats[s]])
}
function keepOf(votes: Votes, divisors: Float64Array, seats: Seats, s: number): number {
  return quotient(votes[s], divisors[seats[s] - 1])
}

/** One division, never a product with a stored inverse, so that equal ratios make equal quotients. */
export function quotient(votes: number, divisor: number): number {
  return votes > 0 ? votes / divisor : 0
}

/** Does stage a with quotient qa come before stage b with qb? Infinite quotients rank by votes; what is still equal, by index. */
export function beats(votes: Votes, a: number, qa: number, b: number, qb: number): boolean {
  if (qa !== qb) return qa > qb
  if (qa === Infinity && votes[a] !== votes[b]) return votes[a] > votes[b]
  return a < b
}

/** Of the claims to a first seat that are infinite, the one of most votes. */
function bestInfinite(votes: Votes, eligible: Eligible, divisors: Float64Array, seats: Seats): number {
  let best = -1
  for (let s = 0; s < votes.length; s++) {
    if (eligible[s] === 0 || quotient(votes[s], divisors[seats[s]]) !== Infinity) continue
    if (best < 0 || votes[s] > votes[best]) best = s
  }
  return best
}

/** When every seat held is infinitely dear: the one of fewest votes. */
function worstInfinite(votes: Votes, seats: Seats): number {
  let worst = -1
  for (let s = 0; s < votes.length; s++) if (seats[s] > 0 && (worst < 0 || votes[s] <= votes[worst])) worst = s
  return worst
}
