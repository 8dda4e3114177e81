import { type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { themeStore } from '../../../app/base/page/theme.ts'
import { useLater } from '../../../app/base/page/useLater.ts'
import { useReach } from '../../../app/session/page/useReach.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { codeWaits } from '../../../app/session/scenario/allowedCode.ts'
import { showError } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { runOfJournals } from '../../../app/session/study/runOfJournals.ts'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { mayRecord } from '../../../runs/study/compare.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { type Best, type BestPossible, whyNoBest } from '../study/bestPossible.ts'
import { CheckPart, useCheck } from './CheckPart.tsx'
import { ComparedPictures } from './ComparedPictures.tsx'
import { CompareTable } from './CompareTable.tsx'
import {
  comparingStore,
  comparingStudy,
  type Entrant,
  playsAtOnce,
  runsToPlay,
  showComparedRun,
  stillValid,
} from './comparing.ts'
import { FirstDifferenceNote, useComparedPair } from './FirstDifference.tsx'

interface ComparisonProps {
  readonly head: string
  readonly entrants: readonly Entrant[]
  /** The entrants and the runs beside them, in the order of playing. */
  readonly all: readonly Entrant[]
  /** The key of the entrant on the canvas. */
  readonly currentKey: string
  readonly buttonLabel: string
  open(entrant: Entrant, run: Run, time: Micros): void
  readonly adopt: ((entrant: Entrant) => void) | null
  /** The scenario whose best possible figures are below the others. */
  readonly bestOf?: Scenario
  readonly children: ReactNode
}

/** Several runs of the same jobs, side by side under the page's own playhead. */
export function ComparisonView({
  head,
  entrants,
  all,
  currentKey,
  buttonLabel,
  open,
  adopt,
  bestOf,
  children,
}: ComparisonProps) {
  const session = useSession()
  const asked = useStore(comparingStore(session), (state) => state.asked)
  useStore(themeStore, (state) => state.palette)
  const record = all.length > 0 && mayRecord(all[0].scenario, entrants.length)
  const isDrawn = (entrant: Entrant) => record && entrants.includes(entrant)
  const question = { entrants: all, isDrawn, first: entrants.some(({ key }) => key === currentKey) ? currentKey : null }
  const mayBegin =
    entrants.length > 0 &&
    (asked || playsAtOnce(entrants)) &&
    !entrants.some(({ scenario }) => codeWaits(session, scenario))
  // Runs of the earlier scenario stay until the new ones are ready.
  const played = useStore(comparingStudy(session).store, ({ found }) => found)
  const valid = useMemo(() => stillValid(all, played ?? new Map()), [all, played])
  const todo = runsToPlay(all, valid, isDrawn).length
  const { study, state, start } = useStudy(comparingStudy, question, mayBegin && todo > 0)
  const playing = state.phase === 'running'
  const stale = entrants.some(({ key }) => played?.has(key) && !valid.has(key))
  const runs = played ?? valid
  useReach(entrants.flatMap(({ key }) => runs.get(key)?.run ?? []).map(({ trace }) => endOf(trace)))
  const best = useBestPossible(bestOf ?? null)
  const known = entrants.some(({ key }) => runs.has(key))
  const check = useCheck(entrants)
  const pair = useComparedPair(entrants, runs, !playing)
  return (
    <>
      <header>
        {children}
        <JobProgress job={study} />
        {!playing && todo > 0 && (
          <Button onClick={start} disabled={entrants.length === 0} text={t('Compare {buttonLabel}', { buttonLabel })} />
        )}
        {stale && <span className="warning">{t('The scenario has changed.')}</span>}
        <JobFailure job={study} />
      </header>
      {known && (
        <>
          <CompareTable
            head={head}
            entrants={entrants}
            all={all}
            currentKey={currentKey}
            runs={runs}
            best={best}
            check={check.state.found}
          />
          {entrants.length > 1 && <CheckPart head={head} entrants={entrants} check={check} />}
          {bestOf && <BestNote scenario={bestOf} best={best} />}
          {pair !== null && <FirstDifferenceNote pair={pair} entrants={entrants} runs={runs} open={open} />}
          {entrants.some(({ key }) => runs.get(key)?.run) ? (
            <ComparedPictures entrants={entrants} runs={runs} pair={pair} open={open} adopt={adopt} />
          ) : (
            !record && (
              <p className="soft">{t('Too many jobs to draw. Compare fewer runs to see them side by side.')}</p>
            )
          )}
        </>
      )}
    </>
  )
}

/** Returns the least figures that are possible for a scenario; null while they are not known, and where they are not searched. */
function useBestPossible(scenario: Scenario | null): BestPossible | null {
  const asked = scenario !== null && whyNoBest(scenario) === null ? scenario : null
  return useLater(asked, (searched, signal) => runJob('best', searched, { signal }).catch(() => null))
}

/** A note on the row of the best possible and its records, or why there is none. */
function BestNote({ scenario, best }: { readonly scenario: Scenario; readonly best: BestPossible | null }) {
  const session = useSession()
  const reason = whyNoBest(scenario)
  if (reason !== null)
    return <p className="soft">{t('The best possible schedule is not searched: {reason}.', { reason })}</p>
  if (best === null) return <p className="soft">{t('Searching for the best possible schedule.')}</p>
  const { makespan, meanFlowTime } = best
  const both = [makespan, meanFlowTime]
  const show = ({ scenario: shown }: Best, text: string) =>
    shown !== null && <Button className="link" onClick={() => void showBest(session, shown)} text={text} />
  return (
    <p className="soft">
      {t('The best possible schedule knows every arrival and service time.')}{' '}
      {both.some(({ time }) => time === null) && <>{t('No figure means: too many schedules to try.')} </>}
      {both.some((best) => best.time !== null && best.scenario === null) && (
        <>{t('It takes jobs out of turn, so it cannot be shown as a run.')} </>
      )}
      {show(makespan, t('Show the shortest run'))} {show(meanFlowTime, t('Show the shortest time in the system'))}
    </p>
  )
}

/** Plays the seats of a best schedule and shows the run from its start. */
async function showBest(session: Session, scenario: Scenario): Promise<void> {
  try {
    const compared = await runJob('compare', { scenario, record: true })
    const note = t('A run of the comparison: {name}.', { name: t('Best possible') })
    await showComparedRun(session, await runOfJournals(scenario, compared, note), 0)
  } catch (error) {
    showError(session, (error as Error).message)
  }
}
