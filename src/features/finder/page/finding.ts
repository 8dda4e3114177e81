import { createStore } from 'zustand/vanilla'
import { openRecord } from '../../../app/session/page/showing.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { movePlayback } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { study } from '../../../app/session/study/study.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { comparePolicies } from '../../compare/page/comparing.ts'
import { type Contest, DEFAULT_RUNS, type Find, findWorst } from '../finder.ts'

interface FinderState extends Pick<Contest, 'worse' | 'than' | 'measure'> {
  readonly seed: number
  /** Search around the scenario on the canvas, instead of among all small ones. */
  readonly around: boolean
  /** The search under way ends with the best so far. */
  readonly enough: boolean
}

export interface AskedSearch extends Contest {
  readonly seed: number
  /** The scenario around which is searched; null: among all small ones. */
  readonly around: Scenario | null
}

/** What a search has found. */
export interface FinderResult {
  readonly contest: Contest
  /** The greatest ratio so far; 0 while no trial has counted. */
  readonly best: number
  /** Null before the search has ended, and if no trial counted. */
  readonly find: Find | null
}

export const finderStore = part(() =>
  createStore<FinderState>(() => ({ worse: 'leastScore', than: 'sinkFirst', measure: 'meanFlowTime', seed: 1, around: false, enough: false })),
)

/** Returns what is asked now about the scenario on the canvas. */
export function finderQuestion({ worse, than, measure, seed, around }: FinderState, canvas: Scenario): AskedSearch {
  const code = canvas.policy.kind === 'code' && [worse, than].includes('code') ? canvas.policy : null
  return { worse, than, measure, code, seed, around: around ? canvas : null }
}

/** Searches for the scenario in which the chosen policy fails, on all cores. */
export const finderStudy = study<AskedSearch, FinderResult>({
  key: ({ around, ...question }) => JSON.stringify([question, around && comparisonKey(around)]),
  async work({ seed, around, ...contest }, { session, signal, progress, show }) {
    const store = finderStore(session)
    store.setState({ enough: false })
    let greatest = 0
    show({ contest, best: greatest, find: null })
    const threads = openJobThreads(undefined, signal)
    const host = {
      play: (task: Parameters<typeof threads.run<'finder'>>[1]) => threads.run('finder', task),
      enough: () => store.getState().enough,
      told(best: number, share: number) {
        greatest = best
        show({ contest, best, find: null })
        progress(share)
      },
    }
    const find = await findWorst({ ...contest, seed, runs: DEFAULT_RUNS, around }, host).finally(threads.end)
    return { contest, best: greatest, find }
  },
})

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
