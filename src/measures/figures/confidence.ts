/** An interval that holds the true mean of a steady process with a probability of 95%. */
export type Interval = { readonly mean: number; readonly low: number; readonly high: number }

export function isInside({ low, high }: Interval, value: number): boolean {
  return value >= low && value <= high
}

/** The 97.5% quantile of the normal distribution. */
const Z = 1.959963984540054
const Z3 = Z * Z * Z
const Z5 = Z3 * Z * Z
const Z7 = Z5 * Z * Z
const Z9 = Z7 * Z * Z

/** Returns the 97.5% quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5), right to a thousandth from 5 degrees of freedom on. */
export function studentQuantile(n: number): number {
  const g1 = (Z3 + Z) / 4
  const g2 = (5 * Z5 + 16 * Z3 + 3 * Z) / 96
  const g3 = (3 * Z7 + 19 * Z5 + 17 * Z3 - 15 * Z) / 384
  const g4 = (79 * Z9 + 776 * Z7 + 1482 * Z5 - 1920 * Z3 - 945 * Z) / 92_160
  return Z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n
}

/** How one of several contenders compares with the best of them, over the same seeds. */
export interface Standing {
  readonly mean: number
  /** The mean of its differences to the best, seed by seed, with their 95% interval; null for the best itself. */
  readonly behind: Interval | null
  /** Whether the difference may be chance, so that it may be as good as the best. */
  readonly alike: boolean
}

/** Returns the standing of each contender, where less is better, over 3 seeds or more: Student's t on differences to the best (Law 2015, 10.2 and 11.2). */
export function standingsOf(values: readonly (readonly number[])[]): readonly Standing[] {
  const means = values.map(meanOf)
  const best = means.indexOf(Math.min(...means))
  return values.map((own, k) => {
    if (k === best) return { mean: means[k], behind: null, alike: true }
    const behind = differenceOf(own, values[best])
    return { mean: means[k], behind, alike: behind.low <= 0 }
  })
}

function differenceOf(values: readonly number[], others: readonly number[]): Interval {
  const differences = values.map((value, i) => value - others[i])
  const mean = meanOf(differences)
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) * (difference - mean), 0)
  const n = differences.length
  const half = studentQuantile(n - 1) * Math.sqrt(squares / (n - 1) / n)
  return { mean, low: mean - half, high: mean + half }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
