import { beats, type Divisors, quotient, type Seats } from './apportion.ts'
import type { Ballot } from './ballot.ts'
import { type DivisorRule, exponentOf, unitOf, weighedBy, weightsInto, wholePower } from './rules.ts'

/**
 * How far a ballot is from another result at one stage: its queue, or its mean service time, changes alone until one seat moves. Only its own quotients
 * depend on its votes = waiting x mean. So it loses its last seat to the best claim c of the others where votes / divisor(seats - 1) = c, and gains
 * one where votes / divisor(seats) reaches the weakest hold of the others.
 */
export interface Flips {
  /** The change that would take a seat from the stage; null if it has none, or no other stage is eligible. */
  readonly loss: Flip | null
  /** The change that would give the stage a seat; null if no other stage has one. */
  readonly gain: Flip | null
}

export interface Flip {
  /** The stage with which the seat is traded. */
  readonly rival: number
  /** The nearest queue length at which the seat is lost or gained; null if there is none. */
  readonly waiting: number | null
  /** The mean service time in microseconds below which the seat is lost, or above which it is gained; null if there is none. */
  readonly mean: number | null
}

/** No queue is longer. */
const MAX_JOBS = 1_000_000

/**
 * Returns, by stage in tie order, how far it is from losing and from gaining a seat; null for a stage that is done. `divisors` are those of the rule,
 * `seats` what it gives on this ballot, `p` the power of `power`.
 */
export function flipsOf(ballot: Ballot, rule: DivisorRule, divisors: Divisors, seats: Seats, p = 1): (Flips | null)[] {
  const weights = new Float64Array(ballot.votes.length)
  weightsInto(rule, ballot, p, weights)
  const weighing = weighingOf(ballot, rule, p)
  const others = (k: number) => Array.from(weights.keys()).filter((s) => s !== k && ballot.eligible[s] !== 0)
  return Array.from(weights, (_, k) => {
    if (ballot.eligible[k] === 0) return null
    const claims = others(k).map((s) => [s, quotient(weights[s], divisors, seats[s])] as const)
    const holds = others(k).flatMap((s) =>
      seats[s] > 0 ? [[s, quotient(weights[s], divisors, seats[s] - 1)] as const] : [],
    )
    const stronger = (a: Rank, b: Rank) => (beats(weights, b[0], b[1], a[0], a[1]) ? b : a)
    const weaker = (a: Rank, b: Rank) => (beats(weights, b[0], b[1], a[0], a[1]) ? a : b)
    return {
      loss:
        seats[k] === 0 || claims.length === 0
          ? null
          : flipOf(weighing, weights, k, claims.reduce(stronger), divisors, seats[k] - 1, false),
      gain: holds.length === 0 ? null : flipOf(weighing, weights, k, holds.reduce(weaker), divisors, seats[k], true),
    }
  })
}

type Rank = readonly [stage: number, quotient: number]

/** The weight of a stage for a number of waiting jobs, and the inverse. */
interface Weighing extends Pick<Ballot, 'coming' | 'urgency'> {
  readonly waiting: ArrayLike<number>
  /** The weight of a waiting job: its mean service time, or 1 if the rule counts jobs. */
  readonly means: ArrayLike<number>
  readonly looksAtMeans: boolean
  weigh(votes: number): number
  votesFor(weight: number): number
}

function weighingOf(
  { waiting, coming, means, urgency, votes, eligible }: Ballot,
  rule: DivisorRule,
  p: number,
): Weighing {
  const jobs = weighedBy(rule) === 'waiting'
  const shape = {
    waiting,
    coming,
    urgency,
    means: jobs ? Float64Array.from(means, () => 1) : means,
    looksAtMeans: !jobs,
  }
  const exponent = exponentOf(rule, p)
  if (exponent === null) return { ...shape, weigh: (v) => v, votesFor: (w) => w }
  const unit = unitOf(votes, eligible)
  return { ...shape, weigh: (v) => wholePower(v / unit, exponent), votesFor: (w) => root(w, exponent) * unit }
}

/** The flip at which stage k, with w seats, draws level with the quotient of another. */
function flipOf(
  weighing: Weighing,
  weights: Float64Array,
  k: number,
  [other, theirs]: Rank,
  divisors: Divisors,
  w: number,
  gains: boolean,
): Flip {
  const { waiting, coming, means, urgency, weigh } = weighing
  const wins = (jobs: number) =>
    winsAgainst(weights, k, weigh((jobs + coming[k]) * means[k] * urgency[k]), divisors, w, other, theirs)
  const limit = votesAt(weighing, weights[other], theirs, divisors, w)
  const present = waiting[k] + coming[k]
  const mean =
    present > 0 && weighing.looksAtMeans && (gains ? limit < Infinity : limit > 0) ? limit / present / urgency[k] : null
  // One job more or less, since it is rounded.
  const near = limit / means[k] / urgency[k] - coming[k]
  const jobs = gains ? leastJobs(waiting[k], near - 1, wins) : mostJobs(waiting[k], near + 1, (some) => !wins(some))
  return { rival: other, waiting: jobs, mean }
}

/** Returns the longest shorter queue at which the seat is lost, near the limit; null if there is none. */
export function mostJobs(waiting: number, limit: number, lost: (jobs: number) => boolean): number | null {
  let jobs = Math.min(waiting - 1, Math.ceil(limit))
  while (jobs >= 0 && !lost(jobs)) jobs--
  return jobs >= 0 ? jobs : null
}

/** Returns the shortest longer queue at which a seat is gained, near the limit; null if there is none. */
export function leastJobs(waiting: number, limit: number, won: (jobs: number) => boolean): number | null {
  let jobs = Math.max(waiting + 1, Math.floor(limit))
  while (jobs <= MAX_JOBS && !won(jobs)) jobs++
  return jobs <= MAX_JOBS ? jobs : null
}

/** Whether stage k with this weight would come before another stage's quotient. */
function winsAgainst(
  weights: Float64Array,
  k: number,
  weight: number,
  divisors: Divisors,
  w: number,
  other: number,
  theirs: number,
): boolean {
  const own = quotient(weight, divisors, w)
  if (own === Infinity && theirs === Infinity) return weight === weights[other] ? k < other : weight > weights[other]
  return own === theirs ? k < other : own > theirs
}

/** Returns the votes at which a quotient with w seats equals another's. If both are infinite, the other's votes; Infinity if none do. */
function votesAt(
  { votesFor }: Weighing,
  theirWeight: number,
  theirs: number,
  { times, over }: Divisors,
  w: number,
): number {
  if (theirs === Infinity) return over[w] === 0 ? votesFor(theirWeight) : Infinity
  return votesFor((theirs * over[w]) / times[w])
}

/** Returns the p-th root of x by halving, exact to the last bits, with the four operations only. */
function root(x: number, p: number): number {
  if (x <= 0) return 0
  let low = 0
  let high = 2
  while (wholePower(high, p) < x) high *= 2
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (wholePower(middle, p) < x) low = middle
    else high = middle
  }
  return high
}
