import './log.css'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { themeStore } from '../../../app/base/page/theme.ts'
import { ColouredText } from '../../../app/base/ui/ColouredText.tsx'
import { onScene } from '../../../app/session/page/painter.ts'
import { goTo } from '../../../app/session/page/playhead.ts'
import type { TimelineNotes } from '../../../app/session/page/timelineStore.ts'
import { playback } from '../../../app/session/run/playback.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { appendMark, createMarks, type Marks, markAt, marksBefore } from '../../../measures/series/marks.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { type LogPoints, logPointAt } from '../measure/logPoints.ts'
import { answerAt, answerSentence, decisionSentence, firstRule, questionOver, seatsSentence } from '../measure/openLoop.ts'
import { decisionsAt, type OtherDecision } from '../read/decisions.ts'
import { Decided } from './LogPoint.tsx'
import { logStore, openLogs, type ShownLog } from './logStore.ts'

/** The decisions of the system's own scheduler on the axis of a run of its pipeline. */
interface DecidedDuring {
  readonly decisions: readonly OtherDecision[]
  readonly marks: Marks
}

const found = new WeakMap<Run, { readonly shown: ShownLog; readonly during: DecidedDuring | null }>()

/** Returns the decisions beside the log that is shown, if the run is that of the log or plays a scenario of it; null for other runs. */
function decidedDuring(session: Session, run: Run): DecidedDuring | null {
  const { shown } = logStore(session).getState()
  if (shown === null || shown.decided === undefined) return null
  const kept = found.get(run)
  if (kept?.shown === shown) return kept.during
  const during = shown.run === run ? shown.decided : inScenario(shown, shown.decided.decisions, run.scenario)
  found.set(run, { shown, during })
  return during
}

/** Returns the decisions on the axis of a scenario that was made of a log: of its stages, from when its part begins. */
function inScenario({ log, opened }: ShownLog, decisions: readonly OtherDecision[], { stages }: Scenario): DecidedDuring | null {
  const stageOf = log.points.log.stages.map((name) => stages.findIndex((stage) => stage.name === name))
  if (opened === undefined || stageOf.includes(-1)) return null
  const later = decisions.flatMap((decision) => (decision.time < opened ? [] : [{ ...decision, time: decision.time - opened, stage: stageOf[decision.stage] }]))
  const marks = createMarks()
  for (const { time } of later) appendMark(marks, time)
  return { decisions: later, marks }
}

/** Returns what the timeline notes at a run: the decisions of the system's own scheduler; null: none are known. */
export function notesOf(session: Session, run: Run): TimelineNotes | null {
  const during = decidedDuring(session, run)
  if (during === null) return null
  const { marks, decisions } = during
  return { name: t('YOUR OWN'), marks, tell: (range) => decisionLines(run.scenario, decisions, range) }
}

/** How many decisions a tooltip tells. */
const MAX_TOLD = 6

/** Returns what was decided in a short time, as the lines of a tooltip; null: nothing. */
export function decisionLines(scenario: Pick<Scenario, 'stages'>, decisions: readonly OtherDecision[], [from, to]: TimeRange): string[] | null {
  const there = decisions.filter(({ time }) => time >= from && time <= to)
  const more = there.length > MAX_TOLD ? [t('and {more} more', { more: count(there.length - MAX_TOLD) })] : []
  const lines = there.slice(0, MAX_TOLD).map((decision) => `${clock(decision.time)}: ${sentenceText(decisionSentence(scenario, decision))}`)
  return lines.length === 0 ? null : [...lines, ...more]
}

/** What the system's own scheduler decided at the playhead, with its reason, beside what the policy would have decided. */
export function DecidedPanel() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  // Another log may have other decisions, or none.
  useStore(logStore(session), ({ shown }) => shown)
  const during = run === null ? null : decidedDuring(session, run)
  return run === null || during === null ? null : <AtPlayhead run={run} during={during} />
}

/** How often the panel is renewed while a run plays: faster is not readable. */
const PACE = { every: 500 }

function AtPlayhead({ run, during: { decisions, marks } }: { readonly run: Run; readonly during: DecidedDuring }) {
  const session = useSession()
  // Names have the colours of the theme.
  useStore(themeStore)
  const shown = useStore(logStore(session), (state) => state.shown)
  const playing = useStore(runStore(session), (state) => state.playing)
  const [time, setTime] = useState(() => playback(session).time)
  useEffect(() => onScene(session, () => setTime(playback(session).time), PACE), [session])
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
  const there = decisionsAt(decisions, time, time + 1)
  const imported = shown?.run === run ? shown : null
  return (
    <article className="panel-part decision log-point log-playhead" aria-label={t('Decision of your own scheduler')}>
      <header>
        <h2>{t('Your own scheduler')}</h2>
        {until > 0 && <span className="soft">{t('{k} of {n}', { k: count(until), n: count(marks.length) })}</span>}
        <span className="log-steps">
          {step(before - 1, t('Previous decision of your system'), '‹')}
          {step(until, t('Next decision of your system'), '›')}
        </span>
      </header>
      <div aria-live={playing ? 'off' : 'polite'}>
        <Decided decisions={there} from={time} stages={run.scenario} />
      </div>
      {imported !== null && there.length > 0 && <Ours points={imported.log.points} time={there[0].time} />}
      <p className="soft">
        {t('From {name}.', { name: readable(shown?.decided?.name ?? '') })}{' '}
        {imported === null ? (
          t('What the policy of this run decided stands below.')
        ) : (
          <Button className="link" onClick={() => openLogs(session)} text={t('Every point beside the policy')} />
        )}
      </p>
    </article>
  )
}

/** What the policy that is asked first would have decided at an instant of a run of another system, on the same queues. */
function Ours({ points, time }: { readonly points: LogPoints; readonly time: Micros }) {
  const asked = useMemo(() => questionOver(points.log.stages, firstRule, 1), [points])
  const answer = useMemo(() => ('problems' in asked ? null : answerAt(points, logPointAt(points, time), asked.question.scenario)), [points, time, asked])
  if (answer === null) return null
  const { question, decision, had } = answer
  return (
    <p className="log-ours">
      {t('{policy} would have decided:', { policy: policies[firstRule.policy].name() })} <ColouredText parts={answerSentence(question, decision)} />{' '}
      {had !== null && (
        <>
          {t('Your system had:')} <ColouredText parts={seatsSentence(question.scenario, had)} />
        </>
      )}
    </p>
  )
}
