import { type Interval, studentQuantile } from './confidence.ts'

/** How one of several contenders compares with the best of them, over the same seeds. */
export interface Standing {
  /** The mean over all seeds. */
  readonly mean: number
  /** The mean of its differences to the best, seed by seed, with their 95% interval; null for the best itself. */
  readonly behind: Interval | null
  /** Whether what was seen could be luck: it may be as good as the best. */
  readonly alike: boolean
}

/**
 * Returns the standing of each contender from its values, seed by seed, where less is better. All meet the same seeds (common random
 * numbers), so what a seed makes harder for all cancels out: Student's t on the differences (Law 2015, Simulation Modeling and Analysis,
 * 10.2 and 11.2). There must be at least three seeds.
 */
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
