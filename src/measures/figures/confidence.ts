/**
 * Means with 95% intervals by batch means (Conway 1963; Schmeiser 1982: ten to thirty batches are enough). Neighbouring values
 * of a run are alike, but means of long stretches hardly depend on each other and are nearly normal.
 */

/** The number of stretches that a run is cut into. */
export const BATCHES = 20

/** Student's t for 19 degrees of freedom, 97.5%: that of `BATCHES` means. */
const T = 2.0930240544083

export interface Interval {
  readonly mean: number
  /** The interval is mean - half to mean + half. */
  readonly half: number
}

/** Returns the mean of `BATCHES` batch means and its 95% interval. */
export function intervalOf(means: ArrayLike<number>): Interval {
  let sum = 0
  for (let b = 0; b < BATCHES; b++) sum += means[b]
  const mean = sum / BATCHES
  let squares = 0
  for (let b = 0; b < BATCHES; b++) squares += (means[b] - mean) * (means[b] - mean)
  return { mean, half: T * Math.sqrt(squares / (BATCHES - 1) / BATCHES) }
}

export function isInside({ mean, half }: Interval, value: number): boolean {
  return value >= mean - half && value <= mean + half
}
