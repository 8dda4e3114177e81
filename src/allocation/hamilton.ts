import type { Eligible, Seats, Votes } from './apportion.ts'
import type { Ballot } from './ballot.ts'
import { type Flip, type Flips, leastJobs, mostJobs } from './flip.ts'

/** The remainder of each stage's quota. Kept between calls to save memory. */
let remainders = new Float64Array(256)
/** In place of a remainder: no seat is due. */
const DEALT = -1

/**
 * Hamilton's rule (1792), the method of largest remainders: the whole part of each quota, workers x votes / all votes, and the rest to the largest
 * remainders, ties to the lowest index. Without votes the first eligible stage gets every seat. Remainders are exact for whole numbers below 2^53.
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

/**
 * How far a ballot is from another result under Hamilton's rule, which gives the W seats to the greatest quota - (m - 1), for the m-th seat of every
 * stage. With v the votes of stage k, U those of all others and u those of stage i, k's n-th seat comes before i's m-th where
 * v >= (W u - (m - n) U) / (W + m - n). k has its n-th seat when at most W - n of these bounds are above v. The bounds of a stage fall with m.
 */
export function hamiltonFlips(ballot: Ballot, seats: Seats): (Flips | null)[] {
  const { eligible, workers } = ballot
  return Array.from(eligible, (open, k) => {
    if (open === 0) return null
    const alone = eligible.every((other, s) => s === k || other === 0)
    return {
      loss: seats[k] === 0 || alone ? null : lossOf(ballot, seats, k),
      gain: seats[k] === workers || alone ? null : gainOf(ballot, seats, k),
    }
  })
}

function lossOf(ballot: Ballot, seats: Seats, k: number): Flip {
  const { waiting, means, workers } = ballot
  const bound = boundOf(ballot, k, seats[k])
  const above = boundsAbove(ballot, seats, k, seats[k], Math.min)
  let limit = Infinity
  for (let rank = sum(above); rank <= workers - seats[k]; rank++) {
    const next = first(ballot, k, (i, j) => bound(i, above[i] + 1) > bound(j, above[j] + 1))
    limit = bound(next, ++above[next])
  }
  const lost = (jobs: number) => seatsWith(ballot, k, jobs) < seats[k]
  return flipAt(ballot, seats, k, limit, -1, mostJobs(waiting[k], limit / means[k], lost))
}

function gainOf(ballot: Ballot, seats: Seats, k: number): Flip {
  const { waiting, means, workers } = ballot
  const bound = boundOf(ballot, k, seats[k] + 1)
  const above = boundsAbove(ballot, seats, k, seats[k] + 1, Math.max)
  // Of equal seats, the last is lost first.
  const isWeaker = (i: number, j: number) =>
    above[i] > 0 && (above[j] === 0 || bound(i, above[i]) <= bound(j, above[j]))
  let limit = Infinity
  for (let rank = sum(above); rank >= workers - seats[k]; rank--) {
    const next = first(ballot, k, isWeaker)
    limit = bound(next, above[next]--)
  }
  const won = (jobs: number) => seatsWith(ballot, k, jobs) > seats[k]
  return flipAt(ballot, seats, k, limit, 1, leastJobs(waiting[k], limit / means[k], won))
}

/** The flip of stage k where its votes reach the limit. */
function flipAt(ballot: Ballot, seats: Seats, k: number, limit: number, way: 1 | -1, jobs: number | null): Flip {
  const waiting = ballot.waiting[k]
  const mean = waiting > 0 && (way > 0 || limit > 0) ? limit / waiting : null
  return { rival: partnerAt(ballot, seats, k, limit, way), waiting: jobs, mean }
}

/** Returns the votes from which k's n-th seat comes before i's m-th. */
function boundOf(ballot: Ballot, k: number, n: number): (i: number, m: number) => number {
  const { votes, workers } = ballot
  const others = votesOfOthers(ballot, k)
  return (i, m) => (workers * votes[i] - (m - n) * others) / (workers + m - n)
}

/**
 * Returns, by stage, how many of its bounds for k's n-th seat are above k's present votes. A seat that was given counts as before one that was not,
 * as the rule decided; at a tie rounding might decide otherwise (`settled`).
 */
function boundsAbove(
  ballot: Ballot,
  seats: Seats,
  k: number,
  n: number,
  settled: (a: number, b: number) => number,
): number[] {
  const { votes, eligible, workers } = ballot
  const total = votesOfOthers(ballot, k) + votes[k]
  return Array.from(votes, (u, i) => {
    if (i === k || eligible[i] === 0) return 0
    if (total === 0) return seats[i]
    const before = Math.ceil(n + (workers * (u - votes[k])) / total) - 1
    return settled(seats[i], Math.max(0, Math.min(workers, before)))
  })
}

/** Returns the stage other than k that comes before all others. */
function first({ eligible }: Ballot, k: number, before: (i: number, j: number) => boolean): number {
  let best = -1
  for (let i = 0; i < eligible.length; i++) if (i !== k && eligible[i] !== 0 && (best < 0 || before(i, best))) best = i
  return best
}

function votesOfOthers({ votes, eligible }: Ballot, k: number): number {
  return votes.reduce((all, v, i) => (i === k || eligible[i] === 0 ? all : all + v), 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

/** The least step beyond a limit, as a share of it: far more than rounding, far less than a job. */
const STEP = 1e-9

/**
 * Returns the stage that gives k a seat (`way` 1) or gets one of its seats (-1) at the limit of k's votes; where k's seat does not change hands
 * there, just beyond it, where of several stages that are equal at the limit another may come first. -1 if there is none.
 */
function partnerAt(ballot: Ballot, seats: Seats, k: number, limit: number, way: 1 | -1): number {
  for (const votes of [limit, limit * (1 + way * STEP)]) {
    const changed = seatsOf(ballot, k, votes)
    if (Math.sign(changed[k] - seats[k]) === way) return changed.findIndex((n, i) => Math.sign(n - seats[i]) === -way)
  }
  return -1
}

/** Returns the seats of stage k if this number of jobs waited there. */
const seatsWith = (ballot: Ballot, k: number, jobs: number): number => seatsOf(ballot, k, jobs * ballot.means[k])[k]

/** Returns all seats if stage k had these votes. */
function seatsOf({ votes, eligible, workers }: Ballot, k: number, votesOfK: number): number[] {
  const changed = votes.slice()
  changed[k] = votesOfK
  const seats = Array.from(votes, () => 0)
  hamilton(changed, eligible, workers, seats)
  return seats
}
