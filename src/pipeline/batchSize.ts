import type { Scenario } from '../scenario/scenario.ts'

/**
 * The most jobs that a worker takes at once at a stage. Where jobs need a resource it is one: so nobody ever holds a
 * resource while it waits for another, and no two workers can wait for each other.
 */
export function batchSizeAt({ batch, stages }: Scenario, stage: number): number {
  return stages[stage].resource === null ? batch.size : 1
}
