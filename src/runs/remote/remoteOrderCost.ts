import type { Scenario } from '../../scenario/model/scenario.ts'
import { compareOrders, type OrderTrial } from '../study/orderCost.ts'
import { openTrials, Stopped } from './remoteTrials.ts'

/** A comparison under way. */
export interface ComparisonHandle {
  /** The figures of every order, the scenario's own first, or null if `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<readonly OrderTrial[] | null>
  stop(): void
}

/** Plays a scenario in every order, in threads of their own; `progress` is told the share that is done, 0 to 1. */
export function startOrderComparison(scenario: Scenario, progress: (share: number) => void = () => {}): ComparisonHandle {
  const trials = openTrials(3)
  return {
    finished: compareOrders(scenario, trials.figures, progress)
      .catch((error: unknown) => {
        if (error instanceof Stopped) return null
        throw error
      })
      .finally(trials.stop),
    stop: trials.stop,
  }
}
