/** An interval that holds the true mean of a steady process with a probability of 95%. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

export function isInside({ low, high }: Interval, value: number): boolean {
  return value >= low && value <= high
}

/** The 97.5% quantile of the normal distribution. */
const Z = 1.959963984540054
const Z3 = Z * Z * Z
const Z5 = Z3 * Z * Z
const Z7 = Z5 * Z * Z
const Z9 = Z7 * Z * Z

/**
 * Returns the 97.5% quantile of Student's t by its expansion in 1 / n (Fisher; Abramowitz and Stegun 1964, 26.7.5), right to a thousandth
 * from 5 degrees of freedom on.
 */
export function studentQuantile(n: number): number {
  const g1 = (Z3 + Z) / 4
  const g2 = (5 * Z5 + 16 * Z3 + 3 * Z) / 96
  const g3 = (3 * Z7 + 19 * Z5 + 17 * Z3 - 15 * Z) / 384
  const g4 = (79 * Z9 + 776 * Z7 + 1482 * Z5 - 1920 * Z3 - 945 * Z) / 92_160
  return Z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n
}
