import type { Scenario } from '../../scenario/model/scenario.ts'
import type { Compared } from '../study/compare.ts'
import { openTrials, Stopped } from './remoteTrials.ts'

/** One run of a comparison or a sweep. */
export interface Play {
  readonly scenario: Scenario
  /** Whether all that happened is wanted too. */
  readonly record: boolean
}

/** Who hears of them. */
export interface PlayListener {
  /** Play `k` of the list has ended. */
  answer(k: number, compared: Compared): void
  /** The share of all that is played, 0 to 1. */
  progress(share: number): void
}

/** Plays under way. */
export interface PlaysHandle {
  /** Whether all has been played: false if `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<boolean>
  /** Ends the threads; nothing is told any more. */
  stop(): void
}

/** A page has other things to do than to keep dozens of threads. */
const MOST_THREADS = 8

/** Plays scenarios in the simulation on all cores, the first of the list first, one a thread at a time. */
export function startPlays(plays: readonly Play[], listener: PlayListener): PlaysHandle {
  const shares = plays.map(() => 0)
  const trials = openTrials(Math.max(1, Math.min(MOST_THREADS, plays.length, navigator.hardwareConcurrency || 2)))

  function tell(k: number, share: number): void {
    shares[k] = Math.max(shares[k], share)
    listener.progress(shares.reduce((sum, each) => sum + each, 0) / shares.length)
  }

  async function play({ scenario, record }: Play, k: number): Promise<void> {
    listener.answer(k, await trials.compare(scenario, record, { progress: (share) => tell(k, share) }))
    tell(k, 1)
  }

  return {
    finished: Promise.all(plays.map(play))
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof Stopped) return false
        throw error
      })
      .finally(trials.stop),
    stop: trials.stop,
  }
}
