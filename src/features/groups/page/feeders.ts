import { createStore } from 'zustand/vanilla'
import { sessionJob } from '../../../app/session/run/sessionJobs.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../scenario/model/comparisonKey.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { emptyPoints, type FeederPoint, feederTasks, withAnswer, withFeederTask } from '../feederSweep.ts'

interface FeederSweep {
  /** The key of the scenario that is played. */
  readonly key: string
  readonly points: readonly FeederPoint[]
}

/** The scenario played with fewer and more feeders; null before it has begun. */
export const feederStore = part(() => createStore<{ readonly sweep: FeederSweep | null }>(() => ({ sweep: null })))

export const feederJob = sessionJob<void>()

/** Returns a key of all that the sweep depends on: not the number of feeders, nor where a card stands. */
export function feederKey(scenario: Scenario): string {
  return comparisonKey(withFeederTask(scenario, { feeders: 1, whenTaken: 'wait' }))
}

/** Plays the scenario with each number of feeders. */
export function startFeeders(session: Session, key: string, scenario: Scenario): void {
  const store = feederStore(session)
  store.setState({ sweep: { key, points: emptyPoints(scenario) } })
  const inputs = feederTasks(scenario).map((task) => ({ scenario, task }))
  void feederJob(session).run((control) =>
    runJobs('feeders', inputs, {
      ...control,
      answer: (_, answer) => store.setState(({ sweep }) => ({ sweep: sweep && { ...sweep, points: withAnswer(sweep.points, answer) } })),
    }),
  )
}

/** Forgets a sweep that has not come to its end. One that has stays for the next time its panel opens. */
export function leaveFeeders(session: Session): void {
  const job = feederJob(session)
  if (job.store.getState().phase === 'done') return
  job.cancel()
  feederStore(session).setState({ sweep: null })
}
