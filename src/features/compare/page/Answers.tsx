import type { ReactNode } from 'react'
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
import { isRealTime } from '../../../scenario/model/engines.ts'
import { policies } from '../../../scenario/model/policies.ts'
import { duration, percent } from '../../../views/drawing/format.ts'
import { comparePolicies, takePolicy } from './comparing.ts'
import { type Answers, type Bottleneck, bottleneckOf, bottleneckWords, boundWords, gainSentence } from './judging.ts'
import { BesideSimulation, leadTo, useVerdict } from './RunVerdict.tsx'
import './answers.css'

/** For a run that has ended: its bottleneck, the gain of its policy, and what to try next, each with a button. */
export function RunAnswers({ run }: { readonly run: Run }) {
  const { study, state, start, verdict, asks } = useVerdict(run)
  if (!asks) return null
  return (
    <div className="answers">
      <Held run={run} bottleneck={verdict?.bottleneck ?? bottleneckOf(run)} />
      {verdict === null ? (
        <>
          <JobProgress job={study} />
          <JobFailure job={study} />
          {(state.phase === 'idle' || state.phase === 'stopped') && (
            <Button onClick={start} text={t('Calculate what would help')} />
          )}
        </>
      ) : verdict.engine === 'threads' ? (
        <Answer head={t('Simulation')}>
          <BesideSimulation {...verdict} />
        </Answer>
      ) : (
        <>
          <Gain run={run} answers={verdict} />
          <Next answers={verdict} />
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

function Held({ run, bottleneck }: { readonly run: Run; readonly bottleneck: Bottleneck }) {
  const session = useSession()
  const show = () => {
    openRecord(session, 'timeline')
    focusOn(session, { kind: 'stage', stage: bottleneck.stage })
    goTo(session, bottleneck.time)
  }
  return (
    <Answer head={t('Bottleneck')} button={<Button onClick={show} text={t('Show')} />}>
      {bottleneckWords(run, bottleneck)}
      {bottleneck.gain !== null && isRealTime(run.trace.engine) && ` ${t('Simulated with its service times.')}`}
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

/** The played runs of other scenarios. Each scenario can be taken. */
function Next({ answers: { more, better } }: { readonly answers: Answers }) {
  const session = useSession()
  const policy = better === null ? '' : policies[better.kind].name()
  return (
    <>
      {more !== null && (
        <Answer
          head={t('Try next')}
          button={
            more.gain > 0 && (
              <Button
                onClick={() => editOrShowProblems(session, () => more.scenario)}
                text={t('Try one worker more')}
              />
            )
          }
        >
          {more.gain > 0
            ? t('One worker more: {time} ({gain} less).', {
                time: duration(more.makespan),
                gain: duration(more.gain),
              })
            : t('One worker more: no earlier end.')}
        </Answer>
      )}
      {better !== null ? (
        <Answer
          head={t('Try next')}
          button={<Button onClick={() => takePolicy(session, better.kind)} text={t('Try {policy}', { policy })} />}
        >
          {t('{policy}: {share} less time in the system.', { policy, share: percent(better.saved, 0) })}
        </Answer>
      ) : (
        <p className="soft">{t('No other policy tried is 5% faster.')}</p>
      )}
    </>
  )
}
