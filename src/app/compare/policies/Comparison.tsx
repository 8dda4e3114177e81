import { type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { mayRecord } from '../../../runs/study/compare.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { Button } from '../../base/controls/Button.tsx'
import { themeStore } from '../../base/page/theme.ts'
import { JobFailure, JobProgress } from '../../session/run/JobProgress.tsx'
import type { Run } from '../../session/run/runStore.ts'
import { useReach } from '../../session/run/useReach.ts'
import { codeWaits } from '../../session/scenario/allowedCode.ts'
import { useStudy } from '../../session/study/useStudy.ts'
import { useSession } from '../../session/useSession.ts'
import { BestNote, useBestPossible } from './BestNote.tsx'
import { CheckPart, useCheck } from './CheckPart.tsx'
import { ComparedPictures } from './ComparedPictures.tsx'
import { CompareTable } from './CompareTable.tsx'
import { comparingStore, comparingStudy } from './comparing.ts'
import { type Entrant, playsAtOnce, runsToPlay, stillValid } from './entrants.ts'
import { FirstDifferenceNote, useComparedPair } from './FirstDifference.tsx'

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
  const asked = useStore(comparingStore(session), (state) => state.asked)
  useStore(themeStore, (state) => state.palette)
  const record = all.length > 0 && mayRecord(all[0].scenario, entrants.length)
  const isDrawn = (entrant: Entrant) => record && entrants.includes(entrant)
  const question = { entrants: all, isDrawn, first: entrants.some(({ key }) => key === own) ? own : null }
  const mayBegin = entrants.length > 0 && (asked || playsAtOnce(entrants)) && !entrants.some(({ scenario }) => codeWaits(session, scenario))
  // Runs of the scenario before stay until the new ones are there.
  const played = useStore(comparingStudy(session).store, ({ found }) => found)
  const valid = useMemo(() => stillValid(all, played ?? new Map()), [all, played])
  const todo = runsToPlay(all, valid, isDrawn).length
  const { study, state, start } = useStudy(comparingStudy, question, mayBegin && todo > 0)
  const playing = state.phase === 'running'
  const stale = entrants.some(({ key }) => played?.has(key) && !valid.has(key))
  const runs = played ?? valid
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
          <JobProgress job={study} label={t('Playing the policies')} />
        ) : (
          todo > 0 && <Button onClick={start} disabled={entrants.length === 0} text={known ? t('Compare again') : t('Compare {call}', { call })} />
        )}
        {stale && <span className="warning">{t('The scenario has changed since these were played.')}</span>}
        {state.phase === 'failed' && <JobFailure job={study} />}
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
          <CompareTable head={head} entrants={entrants} all={all} own={own} runs={runs} best={best} check={check.state.found} />
          {entrants.length > 1 && <CheckPart head={head} entrants={entrants} check={check} />}
          {bestOf !== null && <BestNote scenario={bestOf} best={best} />}
        </>
      )}
      {!known && !playing && <p className="soft">{about}</p>}
    </>
  )
}
