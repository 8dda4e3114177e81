import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { same } from '../../../scenario/model/compact.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { clock } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Fold } from '../../base/controls/Fold.tsx'
import { useLater } from '../../base/page/useLater.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import { JobFailure, JobProgress } from '../../session/run/JobProgress.tsx'
import { seek } from '../../session/run/playhead.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useStudy } from '../../session/study/useStudy.ts'
import { useSession } from '../../session/useSession.ts'
import { digestOfRun, replayStore, replayStudy } from './replayStore.ts'
import { sidesOf, verdictOf } from './replayWords.ts'
import './replay.css'

/** Plays the record of the run through the scheduler again: does every decision come out the same? */
export function ReplayPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : null))
  const { study, state, start } = useStudy(replayStudy, run)
  if (run === null || run.trace.length === 0) return null
  const running = state.phase === 'running'
  const result = state.found
  const gist = result === null ? t('not checked yet') : result.difference === null ? t('all decisions reproduced') : t('differs')
  return (
    <section className="panel-fold replay" aria-label={t('Replay')}>
      <Fold id="replay" head={<h3>{t('Replay')}</h3>} note={gist}>
        {!running && result === null && (
          <>
            <p className="soft">
              {isRealTime(run.trace.engine)
                ? t('What the workers reported is replayed through the scheduler, instant by instant, and each decision and order is compared with the record.')
                : t('The record is replayed through the scheduler, instant by instant, and each decision and order is compared with it.')}
            </p>
            <Button onClick={start} text={t('Check every decision')} />
          </>
        )}
        {running && <JobProgress job={study} label={t('Replaying')} />}
        {state.phase === 'failed' && <JobFailure job={study} />}
        {result !== null && (
          <div aria-live="polite">
            <p>
              <strong className={result.difference === null ? 'good' : 'warning'}>{verdictOf(result)}</strong>
            </p>
            {result.difference !== null && <Sides run={run} difference={result.difference} />}
          </div>
        )}
      </Fold>
    </section>
  )
}

function Sides({ run, difference }: { readonly run: Run; readonly difference: Parameters<typeof sidesOf>[1] }) {
  const session = useSession()
  const { recorded, now } = sidesOf(run.scenario, difference)
  return (
    <>
      <dl>
        <dt>{t('Recorded')}</dt>
        <dd>{recorded}</dd>
        <dt>{t('The scheduler now')}</dt>
        <dd>{now}</dd>
      </dl>
      <Button className="link" onClick={() => seek(session, difference.time)} text={t('Go to {time}', { time: clock(difference.time) })} />
    </>
  )
}

/** Compares the run on this machine with the digest in the link. */
export function DigestNote() {
  const session = useSession()
  const expected = useStore(replayStore(session), (state) => state.expected)
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const { run, phase } = useStore(runStore(session))
  const applies = expected !== null && same(scenario, expected.scenario)
  const ended = phase === 'ended' && run?.scenario === scenario ? run : null
  const comparable = applies && ended !== null && !isRealTime(ended.trace.engine) && ended.trace.ending !== 'stopped' ? ended : null
  const digest = useLater(comparable, (ended, signal) => digestOfRun(ended, () => !signal.aborted))
  if (!applies) return null
  return (
    <p className="digest-note" aria-live="polite">
      {comparable === null ? (
        <>
          {t('This link carries the digest of its run.')}{' '}
          {ended !== null && isRealTime(ended.trace.engine)
            ? t('Only a simulation can be compared with it: real workers never take the same time twice.')
            : t('Run the simulation to see whether yours is the same.')}
        </>
      ) : digest === null ? (
        t('Comparing the run with the one this link was made from.')
      ) : digest === expected.digest ? (
        <Translated
          text="<b>Reproduced:</b> the run is the one this link was made from, digit for digit. <c>{digest}</c>"
          values={{ digest }}
          tags={{ b: (inside) => <strong className="good">{inside}</strong> }}
        />
      ) : (
        <Translated
          text="<b>Differs:</b> this run has the digest <c>{digest}</c>, the one this link was made from had <c>{expected}</c>. Another version of Apportion played it, or the link was altered."
          values={{ digest, expected: expected.digest }}
          tags={{ b: (inside) => <strong className="warning">{inside}</strong> }}
        />
      )}
    </p>
  )
}
