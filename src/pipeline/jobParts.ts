/**
 * The parts of jobs, where a stage or the source copies: how many there are of each, which have come to where they wait for
 * each other, and whose job has failed.
 */
export interface JobParts {
  /** By (stage, job): parts that wait there for others, or have just come together. */
  readonly gathered: Map<number, number>
  /** Jobs that have failed. */
  readonly failed: Set<number>
  /** So many parts more of a job, one of which is there from the beginning. */
  more(job: number, parts: number): void
  /** So many fewer; returns how many are left. Of a job without any more nothing is kept. */
  less(job: number, parts: number): number
  forget(job: number): void
  /** Whether the job is given up only now. */
  giveUp(job: number): boolean
}

export function createJobParts(): JobParts {
  /** Beyond the first: most jobs have one part at most times. */
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
