import type { Eligible, Votes } from './apportion.ts'

/**
 * The power family makes the sum over stages of (votes / (seats + 1))^p least. One more seat reduces it by
 *
 *   votes^p ((w + 1)^-p - (w + 2)^-p)
 *
 * This falls as w grows, so giving each seat to the greatest saving is exact (Gross 1956, Fox 1966). At p = 1 it is the article's rule,
 * digit for digit. With greater p the worst stage counts more, and the rule tends to Jefferson's, which makes the greatest
 * votes / (seats + 1) least. Powers are repeated multiplications, which are the same in every browser.
 */

/**
 * Returns the divisor 1 / ((w + 1)^-p - (w + 2)^-p) as over / times, without subtracting two nearly equal numbers. With a = w + 1 and b = w + 2
 * it is
 *
 *   (a b)^p / (a^(p-1) + a^(p-2) b + ... + b^(p-1))
 *
 * While (a b)^p is exact both are whole numbers. Beyond that the sum is divided by b^(p-1), so that nothing overflows.
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
 * Writes the weight votes^p of each stage. Votes are divided by a power of two near the greatest, so nothing is rounded, and at p = 1
 * every tie stays. A stage with less than a 65,000th of the greatest may get 0. It could not win a seat anyway.
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
