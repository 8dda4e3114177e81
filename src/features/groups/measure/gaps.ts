/** How far apart the jobs of one group stand: the distance of each job from the one before it of the same group, in places. */
export interface Gaps {
  /** The number of distances: jobs with an earlier job of their group. */
  readonly count: number
  readonly least: number
  /** Half of the distances are at most so great: the lower of the two in the middle. */
  readonly median: number
}

/** Returns the distances among the first `until` jobs, given the group of each job; null where no two jobs share a group. */
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
