import { type ReactNode, useMemo } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { useLater } from '../../../app/base/page/useLater.ts'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import { openPanel, openRecord } from '../../../app/session/page/showing.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useSecrets } from '../../../app/session/secrets/secrets.ts'
import type { Session } from '../../../app/session/session.ts'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import type { RecordViewName } from '../../../scenario/link/opening.ts'
import { duration } from '../../../views/drawing/format.ts'
import { type Entrant, playsAtOnce } from './comparing.ts'
import { comparableRuns, gainSentence, judgingStudy, type Verdict, verdictOn } from './judging.ts'

/** Returns the entrants that a run is compared with, once its chart has read the run: in slices, so that a million jobs do not freeze the page. */
async function entrantsOf(run: Run, signal: AbortSignal): Promise<readonly Entrant[] | null> {
  await stepInSlices(() => signal.aborted || extendChart(run.chart, ROWS_A_STEP))
  return signal.aborted ? null : comparableRuns(run)
}

/** Returns the study of a finished run, and the verdict once it is known. A run that takes long to play again waits for a click. */
export function useVerdict(run: Run) {
  const entrants = useLater(run, entrantsOf)
  const secret = useSecrets().all.length > 0
  const judging = useStudy(judgingStudy, entrants, entrants !== null && playsAtOnce(entrants))
  const { found } = judging.state
  const verdict = useMemo(() => (found === null || secret ? null : verdictOn(run, found)), [run, found, secret])
  return { ...judging, verdict, asks: entrants !== null && !secret }
}

/** The verdict on a finished run, in a sentence with a link to the details. */
export function RunVerdict({ run }: { readonly run: Run }) {
  const session = useSession()
  const { verdict } = useVerdict(run)
  if (verdict === null) return null
  const answers = () => {
    openPanel(session, 'figures')
    focusTab('figures')
  }
  return (
    <>
      {' '}
      {verdict.engine === 'threads' ? (
        <BesideSimulation {...verdict} />
      ) : (
        <>
          {verdict.baseline !== null && gainSentence(verdict.baseline)} <Button className="link" onClick={answers} text={t('What held it up?')} />
        </>
      )}
    </>
  )
}

export function BesideSimulation({ real, simulated }: Extract<Verdict, { engine: 'threads' }>) {
  const session = useSession()
  const values = { time: duration(Math.abs(real - simulated)) }
  const tags = { go: (inside: ReactNode) => <Button className="link" onClick={() => leadTo(session, 'reality')} text={inside} /> }
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
