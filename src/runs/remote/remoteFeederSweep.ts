import type { Scenario } from '../../scenario/model/scenario.ts'
import { type FeederAnswer, type FeederTask, feederTasks } from '../study/feederSweep.ts'
import { openTrials, Stopped } from './remoteTrials.ts'

/** Who hears of a sweep. */
export interface SweepListener {
  answer(answer: FeederAnswer): void
  /** The share of all that is played, 0 to 1. */
  progress(share: number): void
}

/** A sweep under way. */
export interface SweepHandle {
  /** Whether all has been played: false if `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<boolean>
  /** Ends the threads; nothing is told any more. */
  stop(): void
}

const MOST_THREADS = 4

/** Plays the scenario with fewer and with more feeders, on threads of their own, one task a thread at a time. */
export function startFeederSweep(scenario: Scenario, listener: SweepListener): SweepHandle {
  const tasks = feederTasks(scenario)
  const shares = tasks.map(() => 0)
  const trials = openTrials(Math.min(MOST_THREADS, navigator.hardwareConcurrency || 2))

  function tell(k: number, share: number): void {
    shares[k] = Math.max(shares[k], share)
    listener.progress(shares.reduce((sum, each) => sum + each, 0) / shares.length)
  }

  async function play(task: FeederTask, k: number): Promise<void> {
    listener.answer(await trials.feeders(scenario, task, { progress: (share) => tell(k, share) }))
    tell(k, 1)
  }

  return {
    finished: Promise.all(tasks.map(play))
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof Stopped) return false
        throw error
      })
      .finally(trials.stop),
    stop: trials.stop,
  }
}
