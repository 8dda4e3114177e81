import { type ReactNode, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { mayRecord } from '../../../runs/study/compare.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { Button } from '../../base/controls/Button.tsx'
import { themeStore } from '../../base/page/theme.ts'
import { JobFailure, JobProgress } from '../../session/run/JobProgress.tsx'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { coresAreTaken } from '../../session/run/sessionJobs.ts'
import { useReach } from '../../session/run/useReach.ts'
import { codeWaits } from '../../session/scenario/allowedCode.ts'
import { useSession } from '../../session/useSession.ts'
import { BestNote, useBestPossible } from './BestNote.tsx'
import { CheckPart, useCheck } from './CheckPart.tsx'
import { ComparedPictures } from './ComparedPictures.tsx'
import { CompareTable } from './CompareTable.tsx'
import { comparingJob, comparingStore, startComparing } from './comparing.ts'
import { type Entrant, playsAtOnce, runsToPlay, stillValid } from './entrants.ts'
import { FirstDifferenceNote, useComparedPair } from './FirstDifference.tsx'

/** After an edit the comparison waits so long for the next one. */
const SETTLE_MS = 400

interface ComparisonProps {
  readonly head: string
  readonly entrants: readonly Entrant[]
  /** The entrants and what is played beside them, in the order of playing. */
  readonly all: readonly Entrant[]
  /** The key of the entrant on the canvas. */
  readonly own: string
  readonly call: string
  readonly about: string
  open(entrant: Entrant, run: Run, time: Micros): void
  readonly take: ((entrant: Entrant) => void) | null
  /** Whose best possible figures stand below the others; null: those of nobody. */
  readonly bestOf?: Scenario | null
  readonly children: ReactNode
}

/** Several runs of the same jobs, side by side under the page's own playhead. */
export function ComparisonView({ head, entrants, all, own, call, about, open, take, bestOf = null, children }: ComparisonProps) {
  const session = useSession()
  const store = comparingStore(session)
  const job = comparingJob(session)
  const played = useStore(store, (state) => state.runs)
  const playing = useStore(job.store, (state) => state.phase === 'running')
  useStore(themeStore, (state) => state.palette)
  const valid = useMemo(() => stillValid(all, played ?? new Map()), [all, played])
  const record = all.length > 0 && mayRecord(all[0].scenario, entrants.length)
  const isDrawn = (entrant: Entrant) => record && entrants.includes(entrant)
  const todo = runsToPlay(all, valid, isDrawn).length
  // Runs of the scenario before stay until the new ones are there.
  const stale = entrants.some(({ key }) => played?.has(key) && !valid.has(key))
  const runs = played ?? valid
  const begin = () => {
    store.setState({ asked: false })
    startComparing(session, all, isDrawn, entrants.some(({ key }) => key === own) ? own : null)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when other runs are asked for, not when a result comes or somebody cancels
  useEffect(() => {
    if (
      todo === 0 ||
      entrants.some(({ scenario }) => codeWaits(session, scenario)) ||
      (!playsAtOnce(entrants) && !store.getState().asked) ||
      entrants.length === 0
    )
      return
    if (coresAreTaken(runStore(session).getState())) return
    const timer = setTimeout(begin, played === null ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [all])
  useReach(entrants.flatMap(({ key }) => runs.get(key)?.run ?? []).map(({ trace }) => endOf(trace)))
  const best = useBestPossible(bestOf)
  const known = entrants.some(({ key }) => runs.has(key))
  const check = useCheck(entrants)
  const pair = useComparedPair(entrants, runs, !playing)
  return (
    <>
      <header>
        {children}
        {playing ? (
          <JobProgress job={job} label={t('Playing the policies')} />
        ) : (
          todo > 0 && <Button onClick={begin} disabled={entrants.length === 0} text={known ? t('Compare again') : t('Compare {call}', { call })} />
        )}
        {stale && <span className="warning">{t('The scenario has changed since these were played.')}</span>}
        <JobFailure job={job} />
      </header>
      {known && (
        <>
          {entrants.some(({ key }) => runs.get(key)?.run) ? (
            <ComparedPictures entrants={entrants} runs={runs} pair={pair} open={open} take={take} />
          ) : (
            !record && (
              <p className="soft">{t('Of so many jobs in so many runs only the figures are kept: compare fewer at a time to see them side by side.')}</p>
            )
          )}
          {pair !== null && <FirstDifferenceNote pair={pair} entrants={entrants} runs={runs} open={open} />}
          <CompareTable head={head} entrants={entrants} all={all} own={own} runs={runs} best={best} check={check} />
          {entrants.length > 1 && <CheckPart head={head} entrants={entrants} check={check} />}
          {bestOf !== null && <BestNote scenario={bestOf} best={best} />}
        </>
      )}
      {!known && !playing && <p className="soft">{about}</p>}
    </>
  )
}
