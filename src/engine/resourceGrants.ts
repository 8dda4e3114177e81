import { isWaiting, type State } from '../pipeline/state.ts'

/**
 * Calls `begin` for each worker that waited for a resource with a job in hand and got the resource at this instant.
 * An engine calls this after every dispatch, before it carries out the orders.
 */
export function startGranted(state: State, begin: (worker: number, stage: number) => void): void {
  const { granted, workerJobs, counts } = state
  if (granted.length === 0) return
  // A worker lost at the same instant has no job any more.
  for (const worker of granted) if (workerJobs[worker].length > 0 && !isWaiting(state, worker)) begin(worker, counts.stage[worker])
  granted.length = 0
}
