import { proxy } from 'comlink'
import type { Scenario } from '../scenario/scenario.ts'
import { type FeederAnswer, type FeederTask, feederTasks } from './feederSweep.ts'
import { openThread } from './thread.ts'

/** What the simulation's thread offers besides runs. */
export interface FeederThread {
  playFeeders(scenario: Scenario, task: FeederTask, progress: (share: number) => void): Promise<FeederAnswer>
}

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
  const count = Math.max(1, Math.min(MOST_THREADS, tasks.length, navigator.hardwareConcurrency || 2))
  const threads = Array.from({ length: count }, () =>
    openThread<FeederThread>(new Worker(new URL('../simulation.worker.ts', import.meta.url), { type: 'module', name: 'feeders' })),
  )
  let stopped = false
  let next = 0

  function tell(k: number, share: number): void {
    if (stopped) return
    shares[k] = Math.max(shares[k], share)
    listener.progress(shares.reduce((sum, each) => sum + each, 0) / shares.length)
  }

  async function work(thread: (typeof threads)[number]): Promise<void> {
    while (next < tasks.length && !stopped) {
      const k = next++
      const heard = proxy((share: number) => tell(k, share))
      const answer = await thread.line.ask(Infinity, () => thread.remote.playFeeders(scenario, tasks[k], heard))
      if (stopped) return
      if (answer.kind !== 'answered') throw new Error(answer.kind === 'silent' ? 'no answer' : answer.reason)
      listener.answer(answer.value)
      tell(k, 1)
    }
  }

  function stop(): void {
    stopped = true
    for (const thread of threads) thread.end('stopped')
  }

  return {
    finished: Promise.all(threads.map(work)).then(
      () => {
        const whole = !stopped
        stop()
        return whole
      },
      (error: unknown) => {
        stop()
        throw error
      },
    ),
    stop,
  }
}
