import type { Eligible, Votes } from './apportion.ts'

/**
 * The power family: seats so that the sum over stages of (votes / (seats + 1))^p is least. A seat more takes
 *
 *   votes^p ((w + 1)^-p - (w + 2)^-p)
 *
 * off it, which falls as w grows, so that giving each seat to the greatest saving is exact again (Gross 1956, Fox 1966). At
 * p = 1 it is the article's rule, digit for digit. The greater p, the more the worst-off stage counts: a p-norm tends to the
 * greatest of its terms, so the rule tends to Jefferson's, which minimises the greatest votes / (seats + 1).
 *
 * Powers are repeated multiplications, which are alike in every browser.
 */

/**
 * The divisor 1 / ((w + 1)^-p - (w + 2)^-p), without the difference of two numbers that are nearly equal: with r = (w + 1) / (w + 2)
 * it is (w + 1)^p (w + 2) / (1 + r + ... + r^(p - 1)), at p = 1 the whole number (w + 1)(w + 2). Below 10^160 for 256 workers.
 */
export function powerDivisor(w: number, p = 1): number {
  const r = (w + 1) / (w + 2)
  let sum = 1
  for (let k = 1; k < p; k++) sum = sum * r + 1
  return (power(w + 1, p) * (w + 2)) / sum
}

/**
 * The weight votes^p of each stage, the votes scaled to the greatest of an eligible stage. Scaled by a power of two, so that
 * nothing is rounded: the order, and at p = 1 every tie, is that of the votes themselves. A stage with less than a 65,000th of
 * the greatest may come out as nothing, and could not win a seat from it either: it would take as many workers.
 */
export function powersInto(votes: Votes, eligible: Eligible, p: number, out: Float64Array): void {
  let greatest = 0
  for (let s = 0; s < votes.length; s++) if (eligible[s] !== 0 && votes[s] > greatest) greatest = votes[s]
  const unit = powerOfTwoBelow(greatest)
  for (let s = 0; s < votes.length; s++) out[s] = eligible[s] === 0 ? 0 : power(votes[s] / unit, p)
}

/** The greatest power of two that is not above x; 1 for 0. */
export function powerOfTwoBelow(x: number): number {
  let unit = 1
  while (unit <= x / 2) unit *= 2
  while (unit > x && x > 0) unit /= 2
  return unit
}

export function power(x: number, p: number): number {
  let product = x
  for (let k = 1; k < p; k++) product *= x
  return product
}
