import type { Divisors } from './apportion.ts'
import { powerDivisor } from './power.ts'

/**
 * The divisor rules. A rule gives the seats out one at a time, each to the stage with the greatest
 *
 *   quotient = weight / divisor(w)
 *
 * where w are the seats it has. The weight is the votes unless the rule says otherwise. Quotients fall as w grows, so W seats go to
 * the W greatest quotients of all stages, and one more seat never costs a stage one (Balinski and Young 1982). A divisor of 0 gives
 * every stage with votes an infinite claim to a first seat; such claims rank by votes. README.md tells what single rules aim at.
 * `preallocate` and `deadline` are `leastScore` on other votes: see `Ballot`.
 */
export const rules = {
  leastScore: { divisor: (w) => (w + 1) * (w + 2) },
  jefferson: { divisor: (w) => w + 1 },
  webster: { divisor: (w) => 2 * w + 1 },
  huntingtonHill: { divisor: (w) => w * (w + 1), weighs: 'squares' },
  adams: { divisor: (w) => w },
  dean: { divisor: (w) => ({ times: 2 * w + 1, over: 2 * w * (w + 1) }) },
  power: { divisor: powerDivisor, weighs: 'powers' },
  proportional: { divisor: (w) => (w === 0 ? 0 : 2 * w + 1) },
  longestQueue: { divisor: (w) => w + 1, weighs: 'waiting' },
  preallocate: { divisor: (w) => (w + 1) * (w + 2) },
  deadline: { divisor: (w) => (w + 1) * (w + 2) },
} satisfies Readonly<Record<string, Rule>>

interface Rule {
  /** The divisor of a stage with w seats, a fraction as `Divisors` has it. `p` is the power of `power`. */
  readonly divisor: (w: number, p: number) => number | { readonly times: number; readonly over: number }
  /**
   * The weight, where it is not the votes: their powers, or the waiting jobs. Huntington and Hill divide the votes
   * by a root. Their squares, divided by the square of the root, rank alike, and a tie is exact, which rounding the root would hide.
   */
  readonly weighs?: 'powers' | 'squares' | 'waiting'
}

export type DivisorRule = keyof typeof rules

/** Whether a name is that of a divisor rule. */
export function isDivisorRule(name: string): name is DivisorRule {
  return Object.hasOwn(rules, name)
}

/** Returns what the weight of a stage is under a rule. */
export function weighedBy(rule: DivisorRule): 'votes' | 'powers' | 'squares' | 'waiting' {
  const { weighs }: Rule = rules[rule]
  return weighs ?? 'votes'
}

/** Returns the power of the votes that a rule weighs; null if it weighs the votes themselves or the jobs. `p` is the power of `power`. */
export function exponentOf(rule: DivisorRule, p: number): number | null {
  const weighed = weighedBy(rule)
  return weighed === 'powers' ? p : weighed === 'squares' ? 2 : null
}

/**
 * Returns the divisors of a rule for 0, 1, ..., `workers` seats, for `apportion` and `exchangeSeats`. A longer table serves fewer workers.
 * The last divisor never wins, but is read when one stage holds every seat.
 *
 * @param p the power of `power`; other rules have none
 */
export function divisorsOf(rule: DivisorRule, workers: number, p = 1): Divisors {
  const times = new Float64Array(workers + 1).fill(1)
  const over = new Float64Array(workers + 1)
  const { divisor }: Rule = rules[rule]
  for (let w = 0; w <= workers; w++) {
    const given = divisor(w, p)
    if (typeof given === 'number') over[w] = given
    else [times[w], over[w]] = [given.times, given.over]
  }
  return { times, over }
}
