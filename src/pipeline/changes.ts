import type { Micros, Scenario } from '../scenario/scenario.ts'
import { NONE } from './rows.ts'

/** What workers lose by going from one job to the next; remembers where each of them was last. */
export interface Changes {
  /**
   * What the worker loses before it begins a batch, and remembers that it did: `switchCost` if it comes from another stage,
   * `groupSwitchCost` if the first job is of another group than the job it had before. A worker who has had no job loses nothing.
   */
  before(worker: number, stage: number, jobs: readonly number[]): Micros
  /** What it loses between two jobs of a batch. */
  between(job: number, next: number): Micros
  /** The worker has come no further in its batch than to this job, which threw. */
  stoppedAt(worker: number, job: number): void
  /** A new worker under an old number, who has had no job. */
  forget(worker: number): void
}

export function createChanges({ switchCost, groupSwitchCost }: Scenario, workers: number, groupOf: (job: number) => number): Changes {
  const stageBefore = new Int16Array(workers).fill(NONE)
  // Group costs are seldom: without them nobody asks for a group.
  const groupBefore = groupSwitchCost > 0 ? new Int32Array(workers).fill(NONE) : null
  return {
    before(worker, stage, jobs) {
      const from = stageBefore[worker]
      stageBefore[worker] = stage
      const moved = from === NONE || from === stage ? 0 : switchCost
      if (groupBefore === null) return moved
      const group = groupBefore[worker]
      groupBefore[worker] = groupOf(jobs[jobs.length - 1])
      return group === NONE || group === groupOf(jobs[0]) ? moved : moved + groupSwitchCost
    },
    between: (job, next) => (groupBefore === null || groupOf(job) === groupOf(next) ? 0 : groupSwitchCost),
    stoppedAt(worker, job) {
      if (groupBefore !== null) groupBefore[worker] = groupOf(job)
    },
    forget(worker) {
      stageBefore[worker] = NONE
      if (groupBefore !== null) groupBefore[worker] = NONE
    },
  }
}
