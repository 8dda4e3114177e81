import type { Scenario } from '../scenario/scenario.ts'
import { compareOrder, type OrderComparison } from './orderCost.ts'
import { openTrials, Stopped } from './remoteTrials.ts'

/** A comparison under way. */
export interface ComparisonHandle {
  /** The figures, or null if `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<OrderComparison | null>
  stop(): void
}

/** Plays a scenario with and without its order, in threads of their own; `progress` is told the share that is done, 0 to 1. */
export function startOrderComparison(scenario: Scenario, progress: (share: number) => void = () => {}): ComparisonHandle {
  const trials = openTrials(2)
  return {
    finished: compareOrder(scenario, trials.figures, progress)
      .catch((error: unknown) => {
        if (error instanceof Stopped) return null
        throw error
      })
      .finally(trials.stop),
    stop: trials.stop,
  }
}
