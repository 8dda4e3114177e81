import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf } from '../scenario/model/schedule.ts'
import { NONE } from './rows.ts'

/** The time that workers lose between jobs. Remembers the last stage and group of each worker. */
export interface SwitchCosts {
  /** Returns the time that the worker loses before a batch from another stage or of another group, at the costs of the `phase`, and remembers the batch. */
  before(worker: number, stage: number, jobs: readonly number[], phase: number): Micros
  /** Returns the time that it loses between two jobs of the batch that was asked for last. */
  between(worker: number, job: number, next: number): Micros
  /** The worker's batch ended with this job, which threw. */
  stoppedAt(worker: number, job: number): void
  /** A new worker under an old number, which has had no job. */
  forget(worker: number): void
}

export function createSwitchCosts(scenario: Scenario, workers: number, groupOf: (job: number) => number): SwitchCosts {
  const stageBefore = new Int16Array(workers).fill(NONE)
  // Group costs are rare: without them groups are not tracked.
  const costs = phasesOf(scenario).map(({ switchCost, groupSwitchCost }) => ({ switchCost, groupSwitchCost }))
  const costsOf = Array.from(stageBefore, () => costs[0])
  const groupBefore = costs.some(({ groupSwitchCost }) => groupSwitchCost > 0) ? new Int32Array(workers).fill(NONE) : null
  return {
    before(worker, stage, jobs, phase) {
      const { switchCost, groupSwitchCost } = costs[phase]
      costsOf[worker] = costs[phase]
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
