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
import { duration } from '../../../views/drawing/format.ts'
import { comparePolicies } from './comparing.ts'
import { type Answers, bottleneckOfRun, boundWords, gainSentence, longestSentence, type Try } from './judging.ts'
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
          <TryNext change={verdict.more} note={t('Simulated with its service times.')} />
        </>
      ) : (
        <>
          <Gain run={run} answers={verdict} />
          {/* What costs nothing comes before a worker. */}
          {verdict.free === null ? (
            <p className="soft">{t('No other policy tried is 5% faster.')}</p>
          ) : (
            <TryNext change={verdict.free} />
          )}
          <TryNext change={verdict.more} />
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
      {heldSentence(run.scenario, bottleneck)}{' '}
      {waiting > 0 &&
        t('{n, plural, one {# job waits} other {# jobs wait}} there at {time}.', {
          time: duration(time),
          n: waiting,
        })}{' '}
      {longestSentence(run)}
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

function TryNext({ change, note = '' }: { readonly change: Try | null; readonly note?: string }) {
  const session = useSession()
  if (change === null) return null
  const { name, answer, gain, edit } = change
  const applyChange = () => editOrShowProblems(session, edit)
  return (
    <Answer
      head={t('Try next')}
      button={
        gain > 0 && <Button onClick={applyChange} aria-label={t('Try it: {name}', { name })} text={t('Try it')} />
      }
    >
      {gain > 0
        ? t('{name}: {time} ({gain} less).', { name, time: duration(answer), gain: duration(gain) })
        : t('{name}: no gain.', { name })}{' '}
      {note}
    </Answer>
  )
}
