import { isWaiting, type State } from '../pipeline/state.ts'

/**
 * Sends off, by `begin`, the workers who waited for a resource with a job in hand and have got it at this instant. To be
 * called by an engine after every dispatch, before it carries out the orders.
 */
export function sendGranted(state: State, begin: (worker: number, stage: number) => void): void {
  const { granted, hands, counts } = state
  if (granted.length === 0) return
  // Who was lost at the very same instant has nothing in hand any more.
  for (const worker of granted) if (hands[worker].length > 0 && !isWaiting(state, worker)) begin(worker, counts.stage[worker])
  granted.length = 0
}
