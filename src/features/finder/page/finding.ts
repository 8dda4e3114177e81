import { createStore } from 'zustand/vanilla'
import { comparePolicies } from '../../../app/compare/policies/comparing.ts'
import { openRecord } from '../../../app/session/run/panelStore.ts'
import { movePlayback, openScenario, start } from '../../../app/session/run/runStore.ts'
import { sessionCoreJob } from '../../../app/session/run/sessionJobs.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { DEFAULT_RUNS, type Find, findWorst } from '../finder.ts'
import type { Contest } from '../finderTrial.ts'

interface FinderState extends Contest {
  readonly seed: number
  /** Search around the scenario on the canvas, instead of among all small ones. */
  readonly around: boolean
  /** The greatest ratio of the search under way; 0 while no trial has counted. */
  readonly best: number
  /** The best so far will do. */
  readonly enough: boolean
}

/** A search that has ended: `find` is null if no trial counted. */
export interface FinderResult {
  readonly contest: Contest
  readonly find: Find | null
}

export const finderStore = part(() =>
  createStore<FinderState>(() => ({ worse: 'leastScore', than: 'sinkFirst', measure: 'meanFlowTime', seed: 1, around: false, best: 0, enough: false })),
)

/** Searches. The result stays when its panel closes. */
export const finderJob = sessionCoreJob<FinderResult>()

/** Searches for the scenario in which the chosen policy fails, on all cores. */
export function startFinding(session: Session, canvas: Scenario): void {
  const store = finderStore(session)
  store.setState({ best: 0, enough: false })
  const { worse, than, measure, seed, around } = store.getState()
  const contest = { worse, than, measure, code: canvas.policy.kind === 'code' ? canvas.policy : null }
  void finderJob(session).run(async ({ signal, progress }) => {
    const threads = openJobThreads(undefined, signal)
    const host = {
      play: (task: Parameters<typeof threads.run<'finder'>>[1]) => threads.run('finder', task),
      enough: () => store.getState().enough,
      told(best: number, share: number) {
        signal.throwIfAborted()
        progress(share)
        store.setState({ best })
      },
    }
    const question = { ...contest, seed, runs: DEFAULT_RUNS, around: around ? canvas : null }
    return { contest, find: await findWorst(question, host).finally(threads.end) }
  })
}

/** Ends the search with the best so far, which is still made simpler. */
export function stopFinding(session: Session): void {
  finderStore(session).setState({ enough: true })
}

/** Opens the scenario that was found, and compares the two policies where their runs differ first. Undo brings back what was on the canvas. */
export async function openFind(session: Session, { worse, than }: Contest, { scenario, parting }: Find): Promise<void> {
  openScenario(session, scenario)
  comparePolicies(session, [worse, than])
  openRecord(session, 'compare')
  await start(session)
  movePlayback(session, { time: parting?.time ?? 0, playing: false, following: false })
}
