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
import { seek } from '../../session/run/playhead.ts'
import { type Run, runStore, showRun } from '../../session/run/runStore.ts'
import { useReach } from '../../session/run/useReach.ts'
import { comparingStore, type Entrant, runsToPlay, startComparing, stillValid, stopComparing } from './comparing.ts'
import { PartingNote } from './FirstDifference.tsx'

/** Up to so many services in all the policies are played as soon as the panel is open: they are there in a moment. */
const AT_ONCE = 240_000
/** An edit that is followed by another so soon is not played for. */
const SETTLE_MS = 400

interface ComparisonProps {
  readonly head: string
  readonly entrants: readonly Entrant[]
  /** With what is played beside them, in the order in which it is played. */
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

/** Several runs of the same jobs side by side under the page's own playhead. */
export function ComparisonView({ head, entrants, all, beaten, own, first, call, about, open, take, children }: ComparisonProps) {
  const session = useSession()
  // How far it has come is shown by who needs it: a million jobs tell so often.
  const played = useStore(comparingStore(session), (state) => state.comparison?.runs)
  const phase = useStore(comparingStore(session), (state) => state.comparison?.phase)
  const reason = useStore(comparingStore(session), (state) => state.comparison?.reason ?? null)
  useStore(themeStore, (state) => state.palette)
  const valid = useMemo(() => stillValid(all, played ?? new Map()), [all, played])
  const record = all.length > 0 && mayRecord(all[0].scenario, entrants.length)
  const isDrawn = (entrant: Entrant) => record && entrants.includes(entrant)
  const todo = runsToPlay(all, valid, isDrawn).length
  const services = entrants.reduce((sum, { scenario }) => sum + countJobs(scenario.source) * scenario.stages.length, 0)
  const playing = phase === 'playing'
  // What is shown of another scenario stays until the new runs are there.
  const stale = entrants.some(({ key }) => played?.has(key) && !valid.has(key))
  const runs = played ?? valid
  const begin = () => {
    comparingStore(session).setState({ asked: false })
    startComparing(session, all, isDrawn, first)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when what is asked for changes, not when an answer comes or somebody calls it off
  useEffect(() => {
    const { asked } = comparingStore(session).getState()
    if (todo === 0 || (services > AT_ONCE && !asked) || entrants.length === 0) return
    const { phase: running, engine } = runStore(session).getState()
    if (running === 'running' && engine === 'threads') return
    const timer = setTimeout(begin, phase === undefined ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [all])
  useReach(entrants.flatMap(({ key }) => runs.get(key)?.run ?? []).map(({ trace }) => endOf(trace)))
  const known = entrants.some(({ key }) => runs.has(key))
  return (
    <article className="compare" aria-label={t('Compare')}>
      <header>
        {children}
        {playing ? (
          <Progress />
        ) : (
          todo > 0 && (
            <button type="button" className="button" onClick={begin} disabled={entrants.length === 0}>
              {known ? t('Compare again') : t('Compare {call}', { call })}
            </button>
          )
        )}
        {stale && <span className="warning">{t('The scenario has changed since these were played.')}</span>}
        {reason !== null && <span className="warning">{reason}</span>}
      </header>
      {known && (
        <>
          <CompareTable head={head} entrants={entrants} beaten={beaten} own={own} runs={runs} />
          <PartingNote entrants={entrants} runs={runs} done={!playing} open={open} />
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

function Progress() {
  const session = useSession()
  const share = useStore(comparingStore(session), (state) => state.comparison?.share ?? 0)
  return (
    <div className="compare-progress">
      <progress value={share} max={1} aria-label={t('Playing the policies')} />
      <button type="button" className="link" onClick={() => stopComparing(session)}>
        {t('Cancel')}
      </button>
    </div>
  )
}

/** Puts a run on the page, at an instant. */
export async function showComparedRun(session: Session, run: Run, time: Micros): Promise<void> {
  if (runStore(session).getState().run !== run) await showRun(session, run, Math.min(time, endOf(run.trace)))
  seek(session, time)
}
