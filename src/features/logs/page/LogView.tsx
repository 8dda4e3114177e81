import { useEffect, useMemo, useRef, useState } from 'react'
import { readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { isField } from '../../../app/base/ui/command.ts'
import { hintOver } from '../../../app/base/ui/hint.ts'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { firstMark, type Marks, markAt, marksBefore } from '../../../measures/series/marks.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import { fitRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { RuleFields } from '../ask/AskDialog.tsx'
import { mountLogDrawing } from '../draw/logDrawing.ts'
import { fullestPoint, logPointAt } from '../measure/logPoints.ts'
import { firstRule, type OpenLoop, questionOver, type Rule } from '../measure/openLoop.ts'
import { outsideText } from '../read/decisions.ts'
import type { OpenedLog } from '../study/logFile.ts'
import { decisionLines } from './decidedNotes.ts'
import { FitPart } from './FitPart.tsx'
import { LogFigures, LogPoint } from './LogPoint.tsx'
import { leaveFor } from './logFile.ts'
import type { OwnDecisions, ShownLog } from './logStore.ts'

/** A log over time with the seats of a rule, the figures of both, and the answer at the playhead. */
export function LogView({ shown: { log, bad, notes, thread, decided } }: { readonly shown: ShownLog }) {
  const session = useSession()
  const { points } = log
  const [rule, setRule] = useState<Rule>(firstRule)
  const [seats, setSeats] = useState('8')
  const [point, setPoint] = useState(() => fullestPoint(points))
  const [loop, setLoop] = useState<OpenLoop | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [part, setPart] = useState<TimeRange | null>(null)
  const read = useMemo(
    () => questionOver(points.log.stages, rule, points.staffed ? 1 : Number(seats)),
    [points, rule, seats],
  )
  const scenario = 'question' in read ? read.question.scenario : null
  useEffect(() => {
    if (scenario === null) return
    let present = true
    thread.weigh(scenario.policy, scenario.workers).then(
      (answer) => present && setLoop(answer),
      (error) => present && setFault(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      present = false
    }
  }, [thread, scenario])

  const showPoint = (to: number) => setPoint(Math.min(points.length - 1, Math.max(0, to)))
  /** Goes to the next or previous point with a mark: where the rule differs, or the system decided. */
  function goToMark(marks: Marks | undefined, by: 1 | -1) {
    if (marks === undefined) return
    const next =
      by > 0 ? firstMark(marks, points.time[point + 1] ?? Infinity) : marksBefore(marks, points.time[point]) - 1
    if (next >= 0 && next < marks.length) showPoint(logPointAt(points, markAt(marks, next)))
  }
  const fitSection = useRef<HTMLDivElement>(null)
  const handleKey = useRef<(key: string) => boolean>(() => false)
  handleKey.current = (key) => {
    const to = {
      ']': point + 1,
      ArrowRight: point + 1,
      '[': point - 1,
      ArrowLeft: point - 1,
      Home: 0,
      End: points.length - 1,
    }[key]
    if (key === '.' || key === ',') goToMark(loop?.differing, key === '.' ? 1 : -1)
    else if (to !== undefined) showPoint(to)
    else return false
    return true
  }
  useEffect(() => {
    // These keys take precedence over the page's own, which move its playhead. A dialog on top of this one keeps its keys.
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      if (
        event.target instanceof Element &&
        event.target !== document.body &&
        event.target.closest('.dialog.log') === null
      )
        return
      if (!handleKey.current(event.key)) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div className="log-view">
      <p className="log-open-loop">
        <Translated text="<b>Point by point:</b> had your system followed the policy, later queues would differ." />
        {bad > 0 && ` ${t('{n, plural, one {# bad row} other {# bad rows}} left out.', { n: bad })}`}
        {notes.map((note) => ` ${note}`)}{' '}
        {decided === undefined
          ? t('Drop a file of your own decisions on the page to see them here.')
          : t('{n, plural, one {# decision} other {# decisions}} from {name}.', {
              n: decided.decisions.length,
              name: readable(decided.name),
            })}
        {decided !== undefined && decided.outside > 0 && ` ${outsideText(decided.outside)}.`}{' '}
        <Button
          className="link"
          onClick={() => fitSection.current?.scrollIntoView()}
          text={t('A scenario of this log')}
        />
      </p>
      <div className="field-row">
        <RuleFields {...rule} change={(to) => setRule({ ...rule, ...to })} />
        {!points.staffed && (
          <label className="field">
            <span>{t('Workers to share')}</span>
            <input
              type="number"
              min={1}
              max={MAX_WORKERS}
              value={seats}
              aria-invalid={scenario === null}
              onChange={(event) => setSeats(event.target.value)}
            />
          </label>
        )}
        <fieldset className="log-steps">
          <Button
            title={`${t('Previous difference')} (,)`}
            disabled={loop === null}
            onClick={() => goToMark(loop?.differing, -1)}
            text={t('Previous difference')}
          />
          <Button
            title={`${t('Next difference')} (.)`}
            disabled={loop === null}
            onClick={() => goToMark(loop?.differing, 1)}
            text={t('Next difference')}
          />
          {decided !== undefined && (
            <>
              <Button onClick={() => goToMark(decided.marks, -1)} text={t('Previous decision')} />
              <Button onClick={() => goToMark(decided.marks, 1)} text={t('Next decision')} />
            </>
          )}
        </fieldset>
      </div>
      {(fault !== null || 'problems' in read) && (
        <p className="problem-list" role="alert">
          {fault ?? ('problems' in read && problemText(read.problems[0]))}
        </p>
      )}
      {scenario !== null && loop === null && fault === null && (
        <p className="soft">{t('Computing {n} answers…', { n: count(points.length) })}</p>
      )}
      {scenario !== null && loop !== null && (
        <>
          <LogDrawing
            log={log}
            loop={loop}
            decided={decided ?? null}
            scenario={scenario}
            rule={policies[rule.policy].name()}
            maxSeats={points.staffed ? points.workers : scenario.workers}
            point={point}
            showPoint={showPoint}
            part={part}
            selectRange={setPart}
          />
          <LogFigures points={points} loop={loop} />
          <LogPoint
            points={points}
            point={point}
            scenario={scenario}
            decisions={decided?.decisions ?? []}
            go={showPoint}
          />
        </>
      )}
      <div ref={fitSection}>
        <FitPart
          whole={points.log}
          part={part}
          selectRange={setPart}
          staffed={points.staffed}
          opened={(from) => leaveFor(session, from)}
        />
      </div>
    </div>
  )
}

const problemText = ({ path, message }: Problem): string =>
  `${path === 'workers' ? t('Workers to share') : path}: ${message}`

interface Props {
  readonly log: OpenedLog
  readonly loop: OpenLoop
  readonly decided: OwnDecisions | null
  /** The stages. */
  readonly scenario: Pick<Scenario, 'stages'>
  readonly rule: string
  /** The maximum number of seats at one time. */
  readonly maxSeats: number
  readonly point: number
  showPoint(to: number): void
  /** The part of the log that a fit takes; null: all of it. */
  readonly part: TimeRange | null
  selectRange(part: TimeRange | null): void
}

/** The drawing of a log, and a slider that does the same by keyboard. */
function LogDrawing({ log, loop, decided, scenario, rule, maxSeats, point, showPoint, part, selectRange }: Props) {
  const { points, queues, had } = log
  const palette = currentPalette()
  const slider = useRef<HTMLInputElement>(null)
  const end = points.time[points.length - 1]
  const [range, setRange] = useState<TimeRange>(() => fitRange(end))
  const seek = useRef((_: number) => {})
  seek.current = (time) => showPoint(logPointAt(points, time))
  const tooltipLines = useRef((_: TimeRange | null): string[] | null => null)
  tooltipLines.current = (under) =>
    under === null || decided === null ? null : decisionLines(scenario, decided.decisions, under)
  const host = useDrawing(
    (element) => {
      const drawing = mountLogDrawing(element, {
        seek: (time) => seek.current(time),
        showRange: setRange,
        select: selectRange,
      })
      const hint = hintOver(element, ({ clientX, clientY }) =>
        tooltipLines.current(drawing.decidedUnder(clientX, clientY)),
      )
      const destroy = () => {
        hint.end()
        drawing.destroy()
      }
      return { ...drawing, destroy }
    },
    (drawing) =>
      drawing.update({
        palette,
        range,
        end: Math.max(end, 1),
        playhead: points.time[point],
        part,
        stages: points.log.stages.map((name, s) => ({ name, colourIndex: s })),
        queues,
        actualSeats: had,
        decided: decided?.marks ?? null,
        ruleSeats: loop.seats,
        differing: loop.differing,
        workers: Math.max(1, maxSeats),
        rule,
      }),
  )
  // The focused button that opened the log was removed.
  useEffect(() => slider.current?.focus(), [])
  return (
    <div className="log-drawing">
      <div ref={host} />
      <input
        ref={slider}
        type="range"
        className="scrub"
        aria-label={t('Point')}
        min={0}
        max={Math.max(end, 1)}
        step="any"
        value={points.time[point]}
        aria-valuetext={clock(points.time[point])}
        onChange={(event) => showPoint(logPointAt(points, Number(event.target.value)))}
      />
      <p className="soft">
        {t('Drag to mark a part; Ctrl and the wheel zoom.')}{' '}
        <Button
          className="link"
          onClick={() =>
            selectRange([points.time[point], part !== null && part[1] > points.time[point] ? part[1] : end])
          }
          text={t('Begin the part here')}
        />{' '}
        <Button
          className="link"
          disabled={point === 0}
          onClick={() => selectRange([part !== null && part[0] < points.time[point] ? part[0] : 0, points.time[point]])}
          text={t('End it here')}
        />
      </p>
    </div>
  )
}
