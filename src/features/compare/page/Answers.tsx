import { type ReactNode, useMemo } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { goTo } from '../../../app/session/page/playhead.ts'
import { openRecord } from '../../../app/session/page/showing.ts'
import { focusOn } from '../../../app/session/page/timelineStore.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { editOrShowProblems } from '../../../app/session/scenario/scenarioStore.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { explainBound } from '../../../measures/figures/lowerBound.ts'
import { heldSentence } from '../../../measures/figures/occupancy.ts'
import { policies } from '../../../scenario/model/policies.ts'
import { duration, percent } from '../../../views/drawing/format.ts'
import { comparePolicies, takePolicy } from './comparing.ts'
import { type Answers, bottleneckOfRun, boundWords, gainSentence, type Verdict } from './judging.ts'
import { BesideSimulation, leadTo, useVerdict } from './RunVerdict.tsx'
import './answers.css'

/** For a run that has ended: its bottleneck, the gain of its policy, and what to try next, each with a button. */
export function RunAnswers({ run }: { readonly run: Run }) {
  const { study, state, start, verdict, asks } = useVerdict(run)
  if (!asks) return null
  return (
    <div className="answers">
      <Held run={run} />
      {verdict === null ? (
        <>
          <JobProgress job={study} />
          <JobFailure job={study} />
          {(state.phase === 'idle' || state.phase === 'stopped') && (
            <Button onClick={start} text={t('Calculate what would help')} />
          )}
        </>
      ) : verdict.engine === 'threads' ? (
        <>
          <Answer head={t('Simulation')}>
            <BesideSimulation {...verdict} />
          </Answer>
          <OneMoreWorker {...verdict} />
        </>
      ) : (
        <>
          <Gain run={run} answers={verdict} />
          <OtherPolicy {...verdict} />
          <OneMoreWorker {...verdict} />
        </>
      )}
    </div>
  )
}

type AnswerProps = { readonly head: string; readonly children: ReactNode; readonly button?: ReactNode }

function Answer({ head, children, button }: AnswerProps) {
  return (
    <section aria-label={head}>
      <h3>{head}</h3>
      <div className="answer">
        <p>{children}</p>
        {button}
      </div>
    </section>
  )
}

function Held({ run }: { readonly run: Run }) {
  const session = useSession()
  const bottleneck = useMemo(() => bottleneckOfRun(run), [run])
  const { stage, time, waiting } = bottleneck
  const show = () => {
    openRecord(session, 'timeline')
    focusOn(session, { kind: 'stage', stage })
    goTo(session, time)
  }
  return (
    <Answer head={t('Bottleneck')} button={<Button onClick={show} text={t('Show')} />}>
      {heldSentence(run.scenario, bottleneck)}
      {waiting > 0 &&
        ` ${t('At {time} {n, plural, one {# job waits} other {# jobs wait}}.', { time: duration(time), n: waiting })}`}
    </Answer>
  )
}

function Gain({ run, answers: { baseline, bound, distance } }: { readonly run: Run; readonly answers: Answers }) {
  const session = useSession()
  const compare = () => {
    comparePolicies(session, [run.scenario.policy.kind, baseline?.kind ?? 'leastScore'])
    leadTo(session, 'compare')
  }
  return (
    <Answer head={t('Gain')} button={<Button onClick={compare} text={t('Compare')} />}>
      {baseline === null ? t('Every worker stays at one stage.') : gainSentence(baseline)}{' '}
      {bound.time > 0 && (
        <span className="soft" title={explainBound(bound, duration)}>
          {boundWords(distance)}
        </span>
      )}
    </Answer>
  )
}

/** A policy costs nothing, so it comes before a worker. */
function OtherPolicy({ better }: Answers) {
  const session = useSession()
  if (better === null) return <p className="soft">{t('No other policy tried is 5% faster.')}</p>
  const policy = policies[better.kind].name()
  return (
    <Answer
      head={t('Try next')}
      button={<Button onClick={() => takePolicy(session, better.kind)} text={t('Try {policy}', { policy })} />}
    >
      {t('{policy}: {share} less time in the system.', { policy, share: percent(better.saved, 0) })}
    </Answer>
  )
}

function OneMoreWorker({ engine, more }: Verdict) {
  const session = useSession()
  if (more === null) return null
  const { scenario, makespan, gain } = more
  const take = () => editOrShowProblems(session, () => scenario)
  return (
    <Answer head={t('Try next')} button={gain > 0 && <Button onClick={take} text={t('Try one worker more')} />}>
      {gain > 0
        ? t('One worker more: {time} ({gain} less).', { time: duration(makespan), gain: duration(gain) })
        : t('One worker more: no earlier end.')}
      {engine === 'threads' && ` ${t('Simulated with its service times.')}`}
    </Answer>
  )
}
