/** The parts of jobs that a stage or the source copies: how many there are, which have come to a join, and which jobs have failed. */
export interface JobParts {
  /** By stage and job: how many parts wait there for the others, or have just met. */
  readonly gathered: Map<number, number>
  /** Jobs that have failed. */
  readonly failed: Set<number>
  /** Adds so many parts to a job, which has one from the beginning. */
  more(job: number, parts: number): void
  /** Removes so many parts. Returns how many are left. A job with one part takes no memory. */
  less(job: number, parts: number): number
  forget(job: number): void
  /** Notes that a job is given up. Returns false if it was before. */
  giveUp(job: number): boolean
}

export function createJobParts(): JobParts {
  /** Parts beyond the first: most jobs have one part at most times. */
  const others = new Map<number, number>()
  const givenUp = new Set<number>()
  const set = (job: number, count: number) => {
    if (count > 0) others.set(job, count)
    else others.delete(job)
    return count + 1
  }
  return {
    gathered: new Map(),
    failed: new Set(),
    more: (job, parts) => set(job, (others.get(job) ?? 0) + parts),
    less: (job, parts) => set(job, (others.get(job) ?? 0) - parts),
    forget: (job) => others.delete(job),
    giveUp(job) {
      if (givenUp.has(job)) return false
      givenUp.add(job)
      return true
    },
  }
}
