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
  leastScore: { divisor: (w) => (w + 1) * (w + 2) },
  jefferson: { divisor: (w) => w + 1 },
  webster: { divisor: (w) => 2 * w + 1 },
  huntingtonHill: { divisor: (w) => Math.sqrt(w * (w + 1)) },
  adams: { divisor: (w) => w },
  dean: { divisor: (w) => (2 * w * (w + 1)) / (2 * w + 1) },
  power: { divisor: powerDivisor, weighs: 'powers' },
  proportional: { divisor: (w) => (w === 0 ? 0 : 2 * w + 1) },
  longestQueue: { divisor: (w) => w + 1, weighs: 'waiting' },
} satisfies Readonly<Record<string, Rule>>

interface Rule {
  /** What the weight of a stage with w seats is divided by. `p` is the power of `power`. */
  readonly divisor: (w: number, p: number) => number
  /** What the weight is, where it is not the votes: their powers, or the jobs that wait. */
  readonly weighs?: 'powers' | 'waiting'
}

export type DivisorRule = keyof typeof rules

/** Whether a name is that of a divisor rule. */
export function isDivisorRule(name: string): name is DivisorRule {
  return Object.hasOwn(rules, name)
}

/** What stands for seats under a rule: votes unless the rule says otherwise. */
export function weighedBy(rule: DivisorRule): 'votes' | 'powers' | 'waiting' {
  const { weighs }: Rule = rules[rule]
  return weighs ?? 'votes'
}

/**
 * The divisors of a rule for stages that have 0, 1, ..., `workers` seats: what `apportion` and `exchangeSeats` divide by.
 * The last one is never won with, but is looked at when one stage holds every seat. A table made for more workers serves fewer.
 *
 * @param p the power of `power`; the others have none
 */
export function divisorsOf(rule: DivisorRule, workers: number, p = 1): Float64Array {
  return Float64Array.from({ length: workers + 1 }, (_, w) => rules[rule].divisor(w, p))
}
