import type { Divisors, Eligible, Votes } from './apportion.ts'
import type { Ballot } from './ballot.ts'

/**
 * The divisor rules. Each seat goes to the stage with the greatest weight / divisor(w), where w are the seats it has and the weight is mostly the
 * votes. Quotients fall as w grows, so one more seat never costs a stage one (Balinski and Young 1982). A divisor of 0 gives every stage with votes
 * an infinite claim to a first seat; such claims rank by votes. `preallocate` and `deadline` are `leastScore` on other votes: see `Ballot`.
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
   * The weight, where it is not the votes. Huntington and Hill divide the votes by a root. Their squares, divided by the square of the root, rank
   * alike, and a tie is exact, which rounding the root would hide.
   */
  readonly weighs?: 'powers' | 'squares' | 'waiting'
}

export type DivisorRule = keyof typeof rules

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
 * Returns the divisors of a rule for 0, 1, ..., `workers` seats; a longer table serves fewer workers. The last divisor never wins, but is read when
 * one stage holds every seat. `p` is the power of `power`.
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

/**
 * The power family makes the sum of (votes / (seats + 1))^p least: one more seat saves votes^p ((w + 1)^-p - (w + 2)^-p), which falls as w grows, so
 * each seat to the greatest saving is exact (Gross 1956, Fox 1966). p = 1 is the article's rule; with greater p the rule tends to Jefferson's.
 * Powers are repeated multiplications, which are the same in every browser.
 */

/**
 * Returns the divisor 1 / ((w + 1)^-p - (w + 2)^-p) as over / times, without subtracting nearly equal numbers: with a = w + 1 and b = w + 2 it is
 * (a b)^p / (a^(p-1) + a^(p-2) b + ... + b^(p-1)). While (a b)^p is exact both are whole; beyond, the sum is divided by b^(p-1).
 */
export function powerDivisor(w: number, p: number): { readonly times: number; readonly over: number } {
  const [a, b] = [w + 1, w + 2]
  const over = wholePower(a * b, p)
  const scale = over <= Number.MAX_SAFE_INTEGER ? 1 : b
  let times = 1
  for (let k = 1; k < p; k++) times = times * (a / scale) + wholePower(b / scale, k)
  return scale === 1 ? { times, over } : { times: 1, over: (wholePower(a, p) * b) / times }
}

/**
 * Writes the weight votes^p of each stage. Votes are divided by a power of two near the greatest, so nothing is rounded, and at p = 1 every tie stays.
 * A stage with less than a 65,000th of the greatest may get 0. It could not win a seat anyway.
 */
export function powersInto(votes: Votes, eligible: Eligible, p: number, out: Float64Array): void {
  const unit = unitOf(votes, eligible)
  for (let s = 0; s < votes.length; s++) out[s] = eligible[s] === 0 ? 0 : wholePower(votes[s] / unit, p)
}

/** Returns the greatest power of two that is not above the greatest votes; 1 if there are no votes. */
export function unitOf(votes: Votes, eligible: Eligible): number {
  let greatest = 0
  for (let s = 0; s < votes.length; s++) if (eligible[s] !== 0 && votes[s] > greatest) greatest = votes[s]
  let unit = 1
  while (unit <= greatest / 2) unit *= 2
  while (unit > greatest && greatest > 0) unit /= 2
  return unit
}

export function wholePower(x: number, p: number): number {
  let product = x
  for (let k = 1; k < p; k++) product *= x
  return product
}

/** Whether the weights are the votes: then a decision need not write them. */
export function weighsVotes(rule: DivisorRule): boolean {
  return weighedBy(rule) === 'votes'
}

/** Writes the weight of each stage under a rule. `p` is the power of `power`. */
export function weightsInto(
  rule: DivisorRule,
  { votes, waiting, eligible }: Ballot,
  p: number,
  out: Float64Array,
): void {
  const exponent = exponentOf(rule, p)
  if (exponent !== null) powersInto(votes, eligible, exponent, out)
  else out.set(weighsVotes(rule) ? votes : waiting)
}
