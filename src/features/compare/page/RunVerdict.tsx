import { type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../../app/base/controls/Button.tsx'
import { useLater } from '../../../app/base/page/useLater.ts'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import { openRecord } from '../../../app/session/page/showing.ts'
import { revealedStore } from '../../../app/session/run/hiddenEnd.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { study, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { GuessBar } from '../../../app/shell/front/FrontGuess.tsx'
import { t } from '../../../language/translate.ts'
import { isWhole } from '../../../measures/figures/comparison.ts'
import { makespanOf } from '../../../measures/figures/totals.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import type { RecordViewName } from '../../../scenario/link/opening.ts'
import { kindName, policyName } from '../../../scenario/model/policies.ts'
import { duration } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, entrantsUnder, playsAtOnce } from './comparing.ts'
import {
  baselines,
  comparableRuns,
  gainSentence,
  judgingStudy,
  type PlayedRuns,
  playEach,
  type Verdict,
  verdictOn,
} from './judging.ts'

/** Returns the entrants that a run is compared with, once its chart has read the run: in slices, so that a million jobs do not freeze the page. */
async function entrantsOf(run: Run, signal: AbortSignal): Promise<readonly Entrant[] | null> {
  await stepInSlices(() => signal.aborted || extendChart(run.chart, ROWS_A_STEP))
  return signal.aborted ? null : comparableRuns(run)
}

/** Returns the study of a finished run, and the verdict once it is known. A run that takes long to play again waits for a click. */
export function useVerdict(run: Run) {
  const entrants = useLater(run, entrantsOf)
  const judging = useStudy(judgingStudy, entrants, entrants !== null && playsAtOnce(entrants))
  const { found } = judging.state
  const verdict = useMemo(() => (found === null ? null : verdictOn(run, found)), [run, found])
  return { ...judging, verdict, asks: entrants !== null }
}

/** How a finished run compares with others of the same jobs, in a sentence. */
export function RunVerdict({ run }: { readonly run: Run }) {
  const { verdict } = useVerdict(run)
  if (verdict === null) return null
  if (verdict.engine === 'threads') return <BesideSimulation {...verdict} />
  return verdict.baseline === null ? null : gainSentence(verdict.baseline)
}

export function BesideSimulation({ real, simulated }: Extract<Verdict, { engine: 'threads' }>) {
  const session = useSession()
  const values = { time: duration(Math.abs(real - simulated)) }
  const tags = {
    go: (inside: ReactNode) => <Button className="link" onClick={() => leadTo(session, 'reality')} text={inside} />,
  }
  return real >= simulated ? (
    <Translated text="{time} slower than simulated: <go>see why</go>." values={values} tags={tags} />
  ) : (
    <Translated text="{time} faster than simulated: <go>see why</go>." values={values} tags={tags} />
  )
}

export function leadTo(session: Session, view: RecordViewName): void {
  openRecord(session, view)
  focusTab(view)
}

const focusTab = (key: string) => document.getElementById(`tab-${key}`)?.focus()

/** A guess belongs to one opening of a scenario. */
const guessStore = part(() => createStore(() => ({ opened: -1, guess: null as number | null })))

const guessStudy = study<readonly Entrant[], PlayedRuns>({ key: entrantsKey, work: playEach })

/** Asks how long the first run of a scenario will take, beside the time of fixed workers. Afterwards one picture shows the guess and the result. */
export function GuessFirst() {
  const session = useSession()
  const { scenario, opened } = useStore(scenarioStore(session))
  const { run } = useStore(runStore(session))
  const kept = useStore(guessStore(session))
  const revealed = useStore(revealedStore(session))
  const guess = kept.opened === opened ? kept.guess : null
  const first = revealed.opened === opened ? revealed.scenario : null
  const asked = run?.scenario ?? scenario
  const others = baselines.filter((kind) => kind !== asked.policy.kind)
  const { found } = useStudy(guessStudy, entrantsUnder(asked, others), true).state
  const base = others.find((kind) => isFull(found?.get(kind)))
  if (base === undefined || (run !== null && first !== null && run.scenario !== first)) return null
  const fixed = found?.get(base)?.metrics.makespan ?? 0
  const ask = t('With “{base}” it takes {time}. How long with “{policy}”?', {
    base: kindName(base, asked.policy),
    time: duration(fixed),
    policy: policyName(asked.policy),
  })
  const setGuess = (guess: number) => guessStore(session).setState({ opened, guess })
  return (
    <section className={`panel-part front-guess${run === null ? ' asks' : ''}`} aria-label={t('Your guess')}>
      <GuessBar
        ask={ask}
        guess={guess}
        setGuess={run === null ? setGuess : null}
        fixed={fixed}
        moved={first === null || run === null ? 0 : makespanOf(run.trace)}
        time={duration}
      />
    </section>
  )
}

const isFull = (played: ReturnType<PlayedRuns['get']>) => played?.ending === 'drained' && isWhole(played.metrics)
