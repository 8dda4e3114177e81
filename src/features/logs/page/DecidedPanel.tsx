import './log.css'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { themeStore } from '../../../app/base/page/theme.ts'
import { ColouredText } from '../../../app/base/ui/ColouredText.tsx'
import { onScene } from '../../../app/session/page/painter.ts'
import { goTo } from '../../../app/session/page/playhead.ts'
import { playback } from '../../../app/session/run/playback.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { markAt, marksBefore } from '../../../measures/series/marks.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { type LogPoints, logPointAt } from '../measure/logPoints.ts'
import { answerAt, answerSentence, firstRule, questionOver, seatsSentence } from '../measure/openLoop.ts'
import { decisionsAt } from '../read/decisions.ts'
import { type DecidedDuring, decidedDuring } from './decidedNotes.ts'
import { Decided } from './LogPoint.tsx'
import { openRunAsLog } from './logFile.ts'
import { isImported, logStore, openLogs, type ShownLog } from './logStore.ts'

/** At the playhead: what the system's own scheduler decided, with its reason, and in a run of another system what the policy would have decided. */
export function DecidedPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const ended = useStore(runStore(session), ({ phase }) => phase === 'ended')
  // Another log may have other decisions, or none.
  const shown = useStore(logStore(session), (state) => state.shown)
  if (run === null) return null
  const during = decidedDuring(session, run)
  const asLog = shown?.run === run ? shown : null
  if (during !== null || asLog !== null) return <AtPlayhead run={run} during={during} asLog={asLog} />
  return ended && isImported(run) && run.trace.decisions.length === 0 ? <Offer /> : null
}

/** What can be seen of a run of another system. */
function Offer() {
  const session = useSession()
  return (
    <article className="panel-part log-playhead" aria-label={t('What the policy would have decided')}>
      <h2>{t('What the policy would have decided')}</h2>
      <p>{t('Drop a file of your own decisions on the page to see them here.')}</p>
      <p>
        <Button
          className="button"
          onClick={() => void openRunAsLog(session)}
          text={t('Compare every point with the policy')}
        />
      </p>
    </article>
  )
}

/** How often the panel is renewed while a run plays: faster is not readable. */
const PACE = { every: 500 }

interface Props {
  readonly run: Run
  readonly during: DecidedDuring | null
  /** The run as a log; null for a run of our own. */
  readonly asLog: ShownLog | null
}

function AtPlayhead({ run, during, asLog }: Props) {
  const session = useSession()
  // Names have the colours of the theme.
  useStore(themeStore)
  const playing = useStore(runStore(session), (state) => state.playing)
  const [time, setTime] = useState(() => playback(session).time)
  useEffect(() => onScene(session, () => setTime(playback(session).time), PACE), [session])
  return (
    <article
      className="panel-part decision log-point log-playhead"
      aria-label={during === null ? t('What the policy would have decided') : t('Your own scheduler')}
    >
      {during === null ? (
        <h2>{t('What the policy would have decided')}</h2>
      ) : (
        <DecidedHead during={during} time={time} />
      )}
      {during !== null && (
        <div aria-live={playing ? 'off' : 'polite'}>
          <Decided decisions={decisionsAt(during.decisions, time, time + 1)} stages={run.scenario} />
        </div>
      )}
      {asLog !== null && <Ours points={asLog.log.points} time={time} />}
      {asLog !== null && (
        <p>
          <Button className="link" onClick={() => openLogs(session)} text={t('Compare every point with the policy')} />
        </p>
      )}
    </article>
  )
}

/** How many decisions there are, and the way from one to the next. */
function DecidedHead({ during: { marks }, time }: { readonly during: DecidedDuring; readonly time: Micros }) {
  const session = useSession()
  const before = marksBefore(marks, time)
  const until = marksBefore(marks, time + 1)
  const step = (to: number, label: string, text: string) => (
    <Button
      className="icon"
      aria-label={label}
      title={label}
      disabled={to < 0 || to >= marks.length}
      onClick={() => goTo(session, markAt(marks, to))}
      text={text}
    />
  )
  return (
    <header>
      <h2>{t('Your own scheduler')}</h2>
      {until > 0 && <span className="soft">{t('{k} of {n}', { k: count(until), n: count(marks.length) })}</span>}
      <span className="log-steps">
        {step(before - 1, t('Previous decision'), '‹')}
        {step(until, t('Next decision'), '›')}
      </span>
    </header>
  )
}

/** What the policy that is asked first would have decided at an instant of a run of another system, on the same queues. */
function Ours({ points, time }: { readonly points: LogPoints; readonly time: Micros }) {
  const asked = useMemo(() => questionOver(points.log.stages, firstRule, 1), [points])
  const answer = useMemo(
    () => ('problems' in asked ? null : answerAt(points, logPointAt(points, time), asked.question.scenario)),
    [points, time, asked],
  )
  if (answer === null) return null
  const { question, decision, had } = answer
  return (
    <p className="log-ours">
      {t('{policy} would have decided:', { policy: policies[firstRule.policy].name() })}{' '}
      <ColouredText parts={answerSentence(question, decision)} />{' '}
      {had !== null && (
        <>
          {t('Your system had:')} <ColouredText parts={seatsSentence(question.scenario, had)} />
        </>
      )}
    </p>
  )
}
