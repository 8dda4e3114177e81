import { type ReactNode, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { mayRecord } from '../../../runs/study/compare.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { CompareCards } from './CompareCards.tsx'
import { CompareTable } from './CompareTable.tsx'
import './compare.css'
import { themeStore } from '../../base/page/theme.ts'
import { JobProgress } from '../../session/run/JobProgress.tsx'
import { coresAreTaken } from '../../session/run/jobParts.ts'
import { seek } from '../../session/run/playhead.ts'
import { type Run, runStore, showRun } from '../../session/run/runStore.ts'
import { useReach } from '../../session/run/useReach.ts'
import { comparingJob, comparingStore, startComparing } from './comparing.ts'
import { type Entrant, runsToPlay, stillValid } from './entrants.ts'
import { FirstDifferenceNote } from './FirstDifference.tsx'

/** A comparison of at most so many services takes a moment, and begins as soon as the panel is open. */
const AT_ONCE = 240_000
/** After an edit the comparison waits so long for the next one. */
const SETTLE_MS = 400

interface ComparisonProps {
  readonly head: string
  readonly entrants: readonly Entrant[]
  /** The entrants and what is played beside them, in the order of playing. */
  readonly all: readonly Entrant[]
  readonly beaten: Entrant | null
  readonly own: string | null
  readonly first: string | null
  readonly call: string
  readonly about: string
  open(entrant: Entrant, run: Run, time: Micros): void
  readonly take: ((entrant: Entrant) => void) | null
  readonly children: ReactNode
}

/** Several runs of the same jobs, side by side under the page's own playhead. */
export function ComparisonView({ head, entrants, all, beaten, own, first, call, about, open, take, children }: ComparisonProps) {
  const session = useSession()
  const store = comparingStore(session)
  const job = comparingJob(session)
  const played = useStore(store, (state) => state.runs)
  const playing = useStore(job.store, (state) => state.phase === 'running')
  const failure = useStore(job.store, (state) => (state.phase === 'failed' ? state.sentence : null))
  useStore(themeStore, (state) => state.palette)
  const valid = useMemo(() => stillValid(all, played ?? new Map()), [all, played])
  const record = all.length > 0 && mayRecord(all[0].scenario, entrants.length)
  const isDrawn = (entrant: Entrant) => record && entrants.includes(entrant)
  const todo = runsToPlay(all, valid, isDrawn).length
  const services = entrants.reduce((sum, { scenario }) => sum + countJobs(scenario.source) * scenario.stages.length, 0)
  // Runs of the scenario before stay until the new ones are there.
  const stale = entrants.some(({ key }) => played?.has(key) && !valid.has(key))
  const runs = played ?? valid
  const begin = () => {
    store.setState({ asked: false })
    startComparing(session, all, isDrawn, first)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when other runs are asked for, not when a result comes or somebody cancels
  useEffect(() => {
    if (todo === 0 || (services > AT_ONCE && !store.getState().asked) || entrants.length === 0) return
    if (coresAreTaken(runStore(session).getState())) return
    const timer = setTimeout(begin, played === null ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [all])
  useReach(entrants.flatMap(({ key }) => runs.get(key)?.run ?? []).map(({ trace }) => endOf(trace)))
  const known = entrants.some(({ key }) => runs.has(key))
  return (
    <article className="compare" aria-label={t('Compare')}>
      <header>
        {children}
        {playing ? (
          <div className="compare-progress">
            <JobProgress job={job} label={t('Playing the policies')} />
          </div>
        ) : (
          todo > 0 && (
            <button type="button" className="button" onClick={begin} disabled={entrants.length === 0}>
              {known ? t('Compare again') : t('Compare {call}', { call })}
            </button>
          )
        )}
        {stale && <span className="warning">{t('The scenario has changed since these were played.')}</span>}
        {failure !== null && <span className="warning">{failure}</span>}
      </header>
      {known && (
        <>
          <CompareTable head={head} entrants={entrants} beaten={beaten} own={own} runs={runs} />
          <FirstDifferenceNote entrants={entrants} runs={runs} done={!playing} open={open} />
          {entrants.some(({ key }) => runs.get(key)?.run) ? (
            <CompareCards entrants={entrants} runs={runs} open={open} take={take} />
          ) : (
            !record && (
              <p className="soft">{t('Of so many jobs in so many runs only the figures are kept: compare fewer at a time to see them side by side.')}</p>
            )
          )}
        </>
      )}
      {!known && !playing && <p className="soft">{about}</p>}
    </article>
  )
}

/** Shows a run on the page, at an instant. */
export async function showComparedRun(session: Session, run: Run, time: Micros): Promise<void> {
  if (runStore(session).getState().run !== run) await showRun(session, run, Math.min(time, endOf(run.trace)))
  seek(session, time)
}
