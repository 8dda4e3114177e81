import { powerDivisor } from './power.ts'

/**
 * The divisor rules as data. A rule gives the seats out one at a time; a stage that already has w seats stands in the
 * next round with
 *
 *   quotient = weight / divisor(w)
 *
 * and the greatest quotient takes the seat. The weight is the stage's votes unless `weights.ts` has another for the rule.
 * Divisors grow with w, so quotients fall, so the order of the rounds does not matter: W seats go to the W greatest
 * quotients of all stages, and a seat more never costs a stage one (Balinski and Young 1982).
 *
 * `leastScore` is the article's rule: its divisor is what one more seat takes off votes / (w + 1), and giving each seat
 * to the greatest saving reaches the same minimum of the sum as trying every allocation (Gross 1956, Fox 1966). It is
 * not Jefferson's, which minimises the greatest votes / (w + 1) instead. `power` lies between the two, see `power.ts`.
 *
 * `proportional` shares the seats in proportion to the votes, rounded to the nearest, but leaves nobody out: Webster's rule
 * with at least one seat for every stage with votes, where there are enough (minimum requirements: Balinski and Young 1982).
 *
 * `longestQueue` looks at waiting jobs instead of work, and sends each worker to the most of them per worker there: the
 * queue that a server finds longest (Tassiulas and Ephremides 1993), for servers that may share one.
 *
 * A divisor of 0 makes the first seat infinitely dear to every stage with votes: such stages rank by votes.
 */
export const rules = {
  leastScore: (w: number) => (w + 1) * (w + 2),
  jefferson: (w: number) => w + 1,
  webster: (w: number) => 2 * w + 1,
  huntingtonHill: (w: number) => Math.sqrt(w * (w + 1)),
  adams: (w: number) => w,
  dean: (w: number) => (2 * w * (w + 1)) / (2 * w + 1),
  power: powerDivisor,
  proportional: (w: number) => (w === 0 ? 0 : 2 * w + 1),
  longestQueue: (w: number) => w + 1,
} as const

export type DivisorRule = keyof typeof rules

/**
 * The divisors of a rule for stages that have 0, 1, ..., `workers` seats: what `apportion` and `exchangeSeats` divide by.
 * The last one is never won with, but is looked at when one stage holds every seat. A table made for more workers serves fewer.
 *
 * @param p the power of `power`; the others have none
 */
export function divisorsOf(rule: DivisorRule, workers: number, p = 1): Float64Array {
  const divisor: (w: number, p?: number) => number = rules[rule]
  return Float64Array.from({ length: workers + 1 }, (_, w) => divisor(w, p))
}
