/** How far apart the jobs of one group stand: distances in places between each job and the one before it of the same group. */
export interface Gaps {
  /** Number of distances: jobs that have one of their group before them. */
  readonly count: number
  readonly least: number
  /** Half of the distances are at most so great: the lower of the two in the middle. */
  readonly median: number
}

/**
 * The distances among the first `until` jobs, given the group of each job in order; null where no two jobs share a group.
 * Counted one by one, so exact in whatever way the order came about.
 */
export function gapsOf(groups: Int32Array, until = groups.length): Gaps | null {
  const last = new Int32Array(groups.reduce((most, group) => Math.max(most, group), -1) + 1).fill(-1)
  const times = new Int32Array(until + 1)
  let count = 0
  for (let job = 0; job < until; job++) {
    const before = last[groups[job]]
    last[groups[job]] = job
    if (before < 0) continue
    times[job - before]++
    count++
  }
  if (count === 0) return null
  const ranked = (rank: number): number => {
    let seen = 0
    let gap = 0
    while (seen < rank) seen += times[++gap]
    return gap
  }
  return { count, least: ranked(1), median: ranked(Math.ceil(count / 2)) }
}
