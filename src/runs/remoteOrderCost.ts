import { proxy } from 'comlink'
import type { Scenario } from '../scenario/scenario.ts'
import type { OrderComparison } from './orderCost.ts'
import { openThread } from './thread.ts'

/** What the simulation's thread offers besides runs. */
interface Comparing {
  compareOrder(scenario: Scenario, progress: (share: number) => void): Promise<OrderComparison>
}

/** A comparison under way. */
export interface ComparisonHandle {
  /** The figures, or null if `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<OrderComparison | null>
  stop(): void
}

/** Plays a scenario with and without its order, in a thread of its own; `progress` is told the share that is done, 0 to 1. */
export function startOrderComparison(scenario: Scenario, progress: (share: number) => void = () => {}): ComparisonHandle {
  const thread = openThread<Comparing>(new Worker(new URL('../simulation.worker.ts', import.meta.url), { type: 'module', name: 'comparison' }))
  let stopped = false
  // Progress comes through a port of its own, and may well come after the answer.
  let over = false
  async function run(): Promise<OrderComparison | null> {
    const heard = proxy((share: number) => {
      if (!over) progress(share)
    })
    const answer = await thread.line.ask(Infinity, () => thread.remote.compareOrder(scenario, heard))
    over = true
    thread.end('the comparison is over')
    if (stopped) return null
    if (answer.kind === 'answered') return answer.value
    throw new Error(answer.kind === 'silent' ? 'no answer' : answer.reason)
  }
  return {
    finished: run(),
    stop() {
      stopped = true
      over = true
      thread.end('stopped')
    },
  }
}
