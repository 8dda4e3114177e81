import type { CSSProperties } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { answerOf, isOpen } from '../../../measures/figures/comparison.ts'
import { type Metrics, metricsInSteps } from '../../../measures/figures/metrics.ts'
import { heldSentence } from '../../../measures/figures/occupancy.ts'
import { inSlices } from '../../../runs/remote/inSlices.ts'
import { engines, isRealTime } from '../../../scenario/model/engines.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { useLater } from '../../base/page/useLater.ts'
import { answerJob, answerStore, forecastOf, type Standing } from '../../session/answer/keepAnswer.ts'
import { FeaturePanels } from '../../session/features/features.tsx'
import { goTo } from '../../session/page/playhead.ts'
import { openRecord } from '../../session/page/showing.ts'
import { focusOn } from '../../session/page/timelineStore.ts'
import { hidesEnd, revealedStore } from '../../session/run/hiddenEnd.ts'
import { type Run, ready, runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { EngineChoice, PolicyChoice, StageTime, WorkersKnob } from './knobs.tsx'
import { useBottleneck } from './useBottleneck.ts'

/** Below the header: how long the pipeline takes, why, what changes it most, and on what it runs. */
export function AnswerBar() {
  return (
    <section className="answer-bar" data-control="header" aria-label={t('Result')}>
      <div className="answer-text">
        <Figure />
        <Why />
      </div>
      <div className="knobs">
        <WorkersKnob />
        <StageTime />
        <PolicyChoice />
      </div>
      <EngineChoice />
    </section>
  )
}

/** The figure of the run on the page, pale while it is that of another scenario, and beside it what it was before. */
export function Figure() {
  const session = useSession()
  const { standing, previousRun, simulatedRun, realRun } = useStore(answerStore(session))
  // While another run is under way, the simulation is known already.
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : simulatedRun))
  const figures = useFigures(run)
  useStore(revealedStore(session))
  // An empty line keeps everything else in its place.
  if (run === null || hidesEnd(session))
    return (
      <p className="answer-figure">
        <Waiting />
      </p>
    )
  const other = isRealTime(run.trace.engine) ? simulatedRun : realRun
  const earlier = other === null ? previousRun : other
  return (
    <p className="answer-figure" data-stale={standing !== 'shown'}>
      <strong>{figures === null ? '…' : figureOf(run, figures)}</strong>
      {figures !== null && isOpen(run.scenario) && <span>{t('time in the system')}</span>}
      {earlier?.figures !== undefined && earlier !== run && (
        <span className="soft">
          {t('{what}: {figure}', {
            what: other === null ? changeFrom(earlier.scenario, run.scenario) : engines[other.trace.engine].name(),
            figure: figureOf(earlier, earlier.figures),
          })}
        </span>
      )}
      <Waiting />
    </p>
  )
}

/** Returns the figures of a run: those that came with it, else once they are worked out. */
function useFigures(run: Run | null): Metrics | null {
  const later = useLater(run?.figures === undefined ? run : null, readFigures)
  return run?.figures ?? later
}

async function readFigures(run: Run, signal: AbortSignal): Promise<Metrics | null> {
  const figures = await inSlices(metricsInSteps(run.trace), () => !signal.aborted)
  if (figures !== null) run.figures = figures
  return figures
}

function figureOf({ scenario, trace }: Run, figures: Metrics): string {
  return trace.ending === 'drained' ? duration(answerOf(scenario, figures)) : '–'
}

/** Returns what was different before, in a word or two. */
function changeFrom(previous: Scenario, now: Scenario): string {
  if (previous.workers !== now.workers)
    return t('{n, plural, one {# worker} other {# workers}}', { n: previous.workers })
  return previous.policy.kind === now.policy.kind ? t('Before') : kindName(previous.policy.kind, previous.policy)
}

/** How far a slow simulation is. */
function Waiting() {
  const session = useSession()
  const isSlow = useStore(answerStore(session), (state) => state.isSlow)
  const progress = useStore(answerJob(session).store, (state) => (state.phase === 'running' ? state.progress : 0))
  if (!isSlow) return null
  return (
    <span
      role="progressbar"
      aria-label={t('Simulating')}
      aria-valuenow={Math.round(100 * progress)}
      style={{ '--share': `${100 * progress}%` } as CSSProperties}
    />
  )
}

/** What holds the run up, and how it compares with fixed workers; or why there is no result. */
function Why() {
  const session = useSession()
  const { run, phase } = useStore(runStore(session))
  const standing = useStore(answerStore(session), (state) => state.standing)
  if (run === null || !['shown', 'due', 'refused', 'beside'].includes(standing))
    return <p className="answer-why">{waitWords(session, standing)}</p>
  const wraps = isRealTime(run.trace.engine) ? ' wraps' : ''
  return (
    <p className={`answer-why${wraps}`}>
      {phase === 'ended' && run.trace.ending === 'drained' && <Because run={run} />}
    </p>
  )
}

function Because({ run }: { readonly run: Run }) {
  const session = useSession()
  const bottleneck = useBottleneck(run)
  if (bottleneck === null) return null
  const show = () => {
    openRecord(session, 'timeline')
    focusOn(session, { kind: 'stage', stage: bottleneck.stage })
    goTo(session, bottleneck.time)
  }
  return (
    <>
      <Button className="link" onClick={show} text={heldSentence(run.scenario, bottleneck)} />{' '}
      <FeaturePanels place="verdict" of={{ run }} />
    </>
  )
}

/** Returns why the page shows no result of the scenario by itself. */
function waitWords(session: Session, standing: Standing): string {
  switch (standing) {
    case 'long':
      return t('The simulation takes about {time}. Press Run.', { time: duration(1000 * forecastOf(session)) })
    case 'file':
      return t('This pipeline needs a file. Drop one on the page.')
    case 'problems':
      return t('Fix the marked problems first.')
    case 'idle':
    case 'front':
    case 'running':
    case 'due':
      return ''
    default:
      return ready()
  }
}
