import { useMemo } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { ColouredText } from '../../../app/base/ui/ColouredText.tsx'
import { DecisionBody } from '../../../app/explain/decision/DecisionPanel.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count, duration, percent, timeChange } from '../../../views/drawing/format.ts'
import { ask } from '../ask/askStore.ts'
import { askDraftOf } from '../ask/askTable.ts'
import { dateText, hasDates } from '../draw/logDrawing.ts'
import type { LogPoints } from '../measure/logPoints.ts'
import { answerAt, answerSentence, decisionSentence, type OpenLoop, seatsSentence } from '../measure/openLoop.ts'
import { decisionsAt, type OtherDecision } from '../read/decisions.ts'

interface Props {
  readonly points: LogPoints
  readonly point: number
  /** The stages, the rule, and the workers if the log does not say how many. */
  readonly scenario: Scenario
  /** What the system's own scheduler decided, in order of time. */
  readonly decisions: readonly OtherDecision[]
  go(to: number): void
}

/** The seats of the rule at one point, beside those of the system, with the explanation of the decision. */
export function LogPoint({ points, point, scenario, decisions, go }: Props) {
  const session = useSession()
  const { question, had, decision } = useMemo(() => answerAt(points, point, scenario), [points, point, scenario])
  const time = points.time[point]
  const written = points.log.origin + time
  const step = (by: number, label: string, key: string, text: string) => (
    <Button
      className="icon"
      aria-label={label}
      title={`${label} (${key})`}
      disabled={points.time[point + by] === undefined}
      onClick={() => go(point + by)}
      text={text}
    />
  )
  return (
    <article className="panel-part decision answer log-point" aria-label={t('Point of the log')}>
      <header>
        <h2>{t('Point {point} of {length}', { point: count(point + 1), length: count(points.length) })}</h2>
        <span className="soft">
          {t('at {time}', { time: clock(time) + (hasDates(written) ? `, ${dateText(written)} UTC` : '') })}
        </span>
        <span className="log-steps">
          {step(-1, t('Previous point'), '[', '‹')}
          {step(1, t('Next point'), ']', '›')}
        </span>
      </header>
      <p className="sentence">
        {t('{policy} would have decided:', { policy: policies[scenario.policy.kind].name() })}{' '}
        <ColouredText parts={answerSentence(question, decision)} />{' '}
        {had !== null && (
          <>
            {t('Your system had:')} <ColouredText parts={seatsSentence(scenario, had)} />
          </>
        )}
      </p>
      {decisions.length > 0 && (
        <Decided decisions={decisionsAt(decisions, time, points.time[point + 1] ?? Infinity)} stages={scenario} />
      )}
      <DecisionBody scenario={question.scenario} decision={decision} noRowYet />
      <p>
        <Button className="link" onClick={() => ask(session, askDraftOf(question))} text={t('Ask the allocator')} />
      </p>
    </article>
  )
}

interface DecidedProps {
  readonly decisions: readonly OtherDecision[]
  readonly stages: Pick<Scenario, 'stages'>
}

/** What the system's own scheduler decided at a point, or last before it. */
export function Decided({ decisions, stages }: DecidedProps) {
  return (
    <div className="log-decided">
      <p>{decisions.length === 0 ? t('Your own scheduler has not decided yet.') : `${t('Your own scheduler')}:`}</p>
      <ul>
        {decisions.map((decision, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are never reordered.
          <li key={k}>
            {clock(decision.time)}: <ColouredText parts={decisionSentence(stages, decision)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How often and how far the rule and the system differ. An open loop does not say how the system would have performed. */
export function LogFigures({ points, loop }: { readonly points: LogPoints; readonly loop: OpenLoop }) {
  const { length, staffed } = points
  const { differing, elsewhere, moves, score } = loop
  const figures: [name: string, value: string][] = staffed
    ? [
        [t('Policy and system differ'), t('{k} of {n}', { k: percent(differing.length / length), n: count(length) })],
        [t('Seats elsewhere, on average'), (elsewhere / length).toFixed(2)],
        [t('Seats that changed stage'), `${count(moves.had)} → ${count(moves.given)}`],
        [
          t('Total time, on average'),
          `${duration(score.had)} → ${duration(score.given)}${score.had > 0 ? ` (${timeChange(score.given / score.had)})` : ''}`,
        ],
      ]
    : [
        [t('The answer changes'), t('{k} of {n}', { k: count(differing.length), n: count(length) })],
        [t('Seats that changed stage'), count(moves.given)],
        [t('Total time, on average'), duration(score.given)],
      ]
  return (
    <dl className="log-figures" aria-label={t('Results of the log')}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
