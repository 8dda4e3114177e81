import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf } from '../scenario/model/schedule.ts'
import { NONE } from './rows.ts'

/** What workers lose by going from one job to the next; remembers where each of them was last. */
export interface SwitchCosts {
  /**
   * What the worker loses before it begins a batch, and remembers that it did: `switchCost` if it comes from another stage,
   * `groupSwitchCost` if the first job is of another group than the job it had before. A worker who has had no job loses nothing.
   * What holds after so many turns of the scenario, when the batch is begun, holds for all of it.
   */
  before(worker: number, stage: number, jobs: readonly number[], turns: number): Micros
  /** What it loses between two jobs of the batch that was asked for last. */
  between(worker: number, job: number, next: number): Micros
  /** The worker has come no further in its batch than to this job, which threw. */
  stoppedAt(worker: number, job: number): void
  /** A new worker under an old number, who has had no job. */
  forget(worker: number): void
}

export function createSwitchCosts(scenario: Scenario, workers: number, groupOf: (job: number) => number): SwitchCosts {
  const stageBefore = new Int16Array(workers).fill(NONE)
  // Group costs are seldom: without them nobody asks for a group.
  const costs = phasesOf(scenario).map(({ switchCost, groupSwitchCost }) => ({ switchCost, groupSwitchCost }))
  const costsOf = Array.from(stageBefore, () => costs[0])
  const groupBefore = costs.some(({ groupSwitchCost }) => groupSwitchCost > 0) ? new Int32Array(workers).fill(NONE) : null
  return {
    before(worker, stage, jobs, turns) {
      const { switchCost, groupSwitchCost } = costs[turns]
      costsOf[worker] = costs[turns]
      const from = stageBefore[worker]
      stageBefore[worker] = stage
      const moved = from === NONE || from === stage ? 0 : switchCost
      if (groupBefore === null) return moved
      const group = groupBefore[worker]
      groupBefore[worker] = groupOf(jobs[jobs.length - 1])
      return group === NONE || group === groupOf(jobs[0]) ? moved : moved + groupSwitchCost
    },
    between: (worker, job, next) => (groupBefore === null || groupOf(job) === groupOf(next) ? 0 : costsOf[worker].groupSwitchCost),
    stoppedAt(worker, job) {
      if (groupBefore !== null) groupBefore[worker] = groupOf(job)
    },
    forget(worker) {
      stageBefore[worker] = NONE
      if (groupBefore !== null) groupBefore[worker] = NONE
    },
  }
}
