import { t } from '../../language/translate.ts'
import type { Metrics } from '../../measures/figures/metrics.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import type { Glimpse, Swing, Trajectory } from '../play/trial.ts'
import type { Compared } from '../study/compare.ts'
import type { FeederAnswer, FeederTask } from '../study/feederSweep.ts'
import { openThread, type PageThread } from './thread.ts'

/** What the simulation's thread offers besides runs. */
export interface TrialThread {
  figures(scenario: Scenario, progress: (share: number) => void): Promise<Metrics>
  swing(scenario: Scenario, from: Micros, to: Micros): Promise<Swing>
  trajectory(scenario: Scenario, samples: number): Promise<Trajectory>
  glimpse(scenario: Scenario, samples: number): Promise<Glimpse>
  feeders(scenario: Scenario, task: FeederTask, progress: (share: number) => void): Promise<FeederAnswer>
  compare(scenario: Scenario, record: boolean, progress: (share: number) => void): Promise<Compared>
}

export interface Heard {
  /** Told the share that is done, 0 to 1, until the answer is there. */
  progress?(share: number): void
}

/** Threads that play scenarios in the simulation, each one at a time; what is asked while all are at it waits its turn. */
export interface Trials {
  figures(scenario: Scenario, options?: Heard): Promise<Metrics>
  swing(scenario: Scenario, from: Micros, to: Micros): Promise<Swing>
  trajectory(scenario: Scenario, samples: number): Promise<Trajectory>
  glimpse(scenario: Scenario, samples: number): Promise<Glimpse>
  feeders(scenario: Scenario, task: FeederTask, options?: Heard): Promise<FeederAnswer>
  compare(scenario: Scenario, record: boolean, options?: Heard): Promise<Compared>
  /** Ends all threads. What was asked and not answered rejects with `Stopped`, and no progress is told any more. */
  stop(): void
}

/** Why a trial has no answer: `stop` was called. */
export class Stopped extends Error {}

/** At most `most` threads, started as they are needed. Anything else that goes wrong rejects with an Error in words. */
export function openTrials(most: number): Trials {
  const all = new Set<PageThread<TrialThread>>()
  const free: PageThread<TrialThread>[] = []
  const waiting: (() => void)[] = []
  let stopped = false

  async function nextThread(): Promise<PageThread<TrialThread>> {
    // Whoever came in between may have taken it.
    while (!stopped && free.length === 0 && all.size === most) await new Promise<void>((turn) => waiting.push(turn))
    if (stopped) throw new Stopped()
    const thread = free.pop() ?? openThread<TrialThread>(new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'trials' }))
    all.add(thread)
    return thread
  }

  async function ask<T>(call: (thread: PageThread<TrialThread>) => Promise<T>): Promise<T> {
    const thread = await nextThread()
    const answer = await thread.line.ask(Infinity, () => call(thread))
    if (stopped) throw new Stopped()
    if (answer.kind === 'gone') all.delete(thread)
    else free.push(thread)
    waiting.shift()?.()
    if (answer.kind === 'answered') return answer.value
    throw new Error(answer.kind === 'silent' ? t('no answer') : answer.reason)
  }

  function askWithProgress<T>(
    { progress }: Heard,
    call: (remote: PageThread<TrialThread>['remote'], heard: (share: number) => void) => Promise<T>,
  ): Promise<T> {
    // Progress comes through a port of its own, and may well come after the answer.
    let over = false
    const heard = (share: number) => {
      if (!over && !stopped) progress?.(share)
    }
    return ask((thread) => call(thread.remote, thread.lend(heard))).finally(() => {
      over = true
    })
  }

  return {
    figures: (scenario, options = {}) => askWithProgress(options, (remote, heard) => remote.figures(scenario, heard)),
    feeders: (scenario, task, options = {}) => askWithProgress(options, (remote, heard) => remote.feeders(scenario, task, heard)),
    compare: (scenario, record, options = {}) => askWithProgress(options, (remote, heard) => remote.compare(scenario, record, heard)),
    swing: (scenario, from, to) => ask(({ remote }) => remote.swing(scenario, from, to)),
    trajectory: (scenario, samples) => ask(({ remote }) => remote.trajectory(scenario, samples)),
    glimpse: (scenario, samples) => ask(({ remote }) => remote.glimpse(scenario, samples)),
    stop() {
      stopped = true
      for (const thread of all) thread.end('stopped')
      for (const turn of waiting.splice(0)) turn()
    },
  }
}
