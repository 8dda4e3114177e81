import { grown } from './column.ts'

/** The parts of jobs that a stage or the source copies: how many there are, which have come to a join, and which jobs have failed. */
export interface JobParts {
  /** Jobs that have failed. */
  readonly failed: Set<number>
  /** Adds so many parts to a job, which has one from the beginning. */
  more(job: number, parts: number): void
  /** Removes so many parts. Returns how many are left. */
  less(job: number, parts: number): number
  forget(job: number): void
  /** Adds a part that waits at a stage for the others. Returns how many there are now. */
  gather(stage: number, job: number): number
  /** Clears the parts that wait at a stage for the others, or have just met. Returns how many there were. */
  scatter(stage: number, job: number): number
  /** Notes that a job is given up. Returns false if it was before. */
  giveUp(job: number): boolean
}

/** `joins`: by stage how many parts of a job it waits for, 0 where it does not. */
export function createJobParts(joins: Uint16Array): JobParts {
  /** By job: its parts beyond the first. */
  let others = new Uint16Array(64)
  /** By stage, then by job. */
  const gathered = Array.from(joins, (parts) => new Uint16Array(parts > 0 ? 64 : 0))
  const givenUp = new Set<number>()
  return {
    failed: new Set(),
    more(job, parts) {
      if (job >= others.length) others = grown(others, job)
      others[job] += parts
    },
    less(job, parts) {
      const left = (job < others.length ? others[job] : 0) + 1 - parts
      if (job < others.length) others[job] = Math.max(0, left - 1)
      return left
    },
    forget(job) {
      if (job < others.length) others[job] = 0
    },
    gather(stage, job) {
      if (job >= gathered[stage].length) gathered[stage] = grown(gathered[stage], job)
      return ++gathered[stage][job]
    },
    scatter(stage, job) {
      const here = gathered[stage][job] ?? 0
      if (here > 0) gathered[stage][job] = 0
      return here
    },
    giveUp(job) {
      if (givenUp.has(job)) return false
      givenUp.add(job)
      return true
    },
  }
}
