import { memo, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { sentenceOf } from '../../../measures/decisions/decisionWords.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { type Cost, costsOf } from '../../../measures/figures/serviceCosts.ts'
import { movesWithin } from '../../../measures/workers/moves.ts'
import { movesLine, workerOrderAt } from '../../../measures/workers/workerWords.ts'
import { keepsWorkers } from '../../../scenario/model/defaults.ts'
import { phasesOf, scenarioAtPhase } from '../../../scenario/model/schedule.ts'
import { decisionTime } from '../../../trace/follow.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import type { Palette } from '../../../views/drawing/palette.ts'
import { setText } from '../../../views/drawing/svg.ts'
import { useOnScreen } from '../../base/browser/frames.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Fold } from '../../base/controls/Fold.tsx'
import { useLanguage } from '../../base/page/language.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'
import { useSettled } from '../../base/page/useLater.ts'
import { ColouredText } from '../../base/ui/ColouredText.tsx'
import { FeaturePanels } from '../../session/features/features.tsx'
import { onScene } from '../../session/page/painter.ts'
import { seek, stepMove } from '../../session/page/playhead.ts'
import { askedWorkerStore } from '../../session/page/showing.ts'
import { type ShownDecision, useShownDecision } from '../../session/page/shownDecision.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { DecisionCosts, DecisionFlips } from './DecisionFlips.tsx'
import { OtherPolicies } from './DecisionReasons.tsx'
import { DecisionRounds } from './DecisionRounds.tsx'
import { type DecisionProps, DecisionVotes } from './DecisionVotes.tsx'
import { NoDecision } from './NoDecision.tsx'
import { WhyNot } from './WhyNot.tsx'
import { WorkerAnswer } from './WorkerAnswer.tsx'

// It is fetched when the first worker is asked.

/** The latest decision at the playhead: what the scheduler saw, how the seats were given, and why. */
export function DecisionPanel() {
  const session = useSession()
  const shown = useShownDecision()
  const playing = useStore(runStore(session), (state) => state.playing)
  useStore(themeStore)
  const worker = useStore(askedWorkerStore(session), (state) => state.worker)
  if (shown === null) return <NoDecision />
  if (playing && worker === null) return <PlayingDecision shown={shown} />
  const { run } = shown
  const { time } = playback(session)
  // The decision that sent a worker may be older than the latest one.
  const order = worker === null ? null : workerOrderAt(run.trace, worker, time)
  const index = order?.decision ?? shown.index
  const decision = decisionAt(run.trace, estimateHistoryOf(run.trace), index)
  const ago = order === null || playing ? shown.ago : time - decision.time
  const { scenario } = run.trace
  const { policy } = scenarioAtPhase(scenario, decision.phase)
  return (
    <article className="panel-part decision" aria-label={t('Decision')}>
      <Suspense>
        {worker !== null && <WorkerAnswer run={run} worker={worker} time={time} order={order} decision={decision} />}
      </Suspense>
      <header>
        <h2>{t('Decision {index}', { index: count(index + 1) })}</h2>
        <span className="soft">
          {t('at {time}', { time: clock(decision.time) })}
          {ago > 0 && ', '}
          {ago > 0 && (
            <Button
              className="link"
              onClick={() => seek(session, decision.time)}
              text={t('{ago} ago', { ago: duration(ago) })}
            />
          )}
        </span>
      </header>
      {worker === null && <MoveButtons shown={shown} />}
      <p className="sentence" aria-live={playing ? 'off' : 'polite'} aria-atomic="true">
        <ColouredText parts={sentenceOf(scenario, decision)} />
      </p>
      <FeaturePanels place="decisionNote" of={{ run, policy, index }} />
      <DecisionBody
        scenario={scenarioAtPhase(scenario, decision.phase)}
        decision={decision}
        costs={costsOf(run.trace)}
      />
      {!decision.verified && (
        <p className="warning">
          {run.trace.begins === null
            ? t('This differs from what the scheduler recorded. Please report it.')
            : t('The record begins midway, so estimates differ from those of the scheduler.')}
        </p>
      )}
    </article>
  )
}

/** During playback a decision is one line, drawn in each frame: a whole decision is too long to read and would lag behind. */
function PlayingDecision({ shown }: { readonly shown: ShownDecision }) {
  const session = useSession()
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(
    () =>
      onScene(
        session,
        (scene) =>
          line.current !== null && scene !== null && setText(line.current, movesLine(scene.run.chart, scene.frame)),
        { crowded: 200 },
      ),
    [session],
  )
  return (
    <article className="panel-part decision" aria-label={t('Decision')}>
      <header>
        <h2>{t('Decision')}</h2>
        <span className="soft">{t('Pause to read it')}</span>
      </header>
      <MoveButtons shown={shown} />
      <p className="sentence" ref={line} aria-live="off" />
    </article>
  )
}

/** While the playhead is dragged, the reasons are renewed at most this often. They are pale while they are old. */
const REASONS_EVERY_MS = 120

type Body = DecisionProps & { readonly costs?: readonly Cost[] }

/** The parts of a decision below its sentence. Without a run there are no `costs`. `noRowYet`: the log has no row yet about a stage without seats. */
export function DecisionBody({ scenario, decision, costs, noRowYet = false }: Body & { readonly noRowYet?: boolean }) {
  const body = useMemo(
    () => ({ scenario, decision, ...(costs === undefined ? {} : { costs }) }),
    [scenario, decision, costs],
  )
  const settled = useSettled(body, REASONS_EVERY_MS)
  return (
    <>
      <PauseOffscreen>
        <DecisionVotes scenario={scenario} decision={decision} noRowYet={noRowYet} />
      </PauseOffscreen>
      {decision.former === undefined && (
        <div className="argued" aria-busy={settled !== body}>
          <Reasons body={settled} palette={currentPalette()} />
        </div>
      )}
    </>
  )
}

/** What would have changed the decision, and in folds how it was made. The parts look the palette up themselves; it is a prop so that they render again when it changes. */
const Reasons = memo(function Reasons({
  body: { scenario, decision, costs },
}: {
  readonly body: Body
  readonly palette: Palette
}) {
  useLanguage()
  const of = { scenario, decision }
  const folds = [
    <DecisionRounds key={scenario.policy.kind} {...of} />,
    <WhyNot key={`${decision.index} ${decision.stages.map(({ seatsAfter }) => seatsAfter)}`} {...of} />,
    <Fold key="more" id="more" head={<h3>{t('More about this decision')}</h3>} className="more">
      <OtherPolicies {...of} />
      {costs !== undefined && <DecisionCosts {...of} costs={costs} />}
    </Fold>,
  ]
  return (
    <>
      <PauseOffscreen>
        <DecisionFlips {...of} />
      </PauseOffscreen>
      <div className="folds">
        {folds.map((fold, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fold keeps its place
          <PauseOffscreen key={place}>{fold}</PauseOffscreen>
        ))}
      </div>
    </>
  )
})

/** Buttons to the previous and the next decision that moved a worker. Most decisions move no worker. */
function MoveButtons({ shown: { run, index } }: { readonly shown: ShownDecision }) {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  // Searched once, not for each decision that the playhead passes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a record that has grown may hold another move
  const moves = useMemo(() => (playing ? null : movesWithin(run.trace)), [run, playing, run.chart.rows])
  const time = decisionTime(run.trace, index)
  const before = playing || (moves !== null && moves[0] < time)
  const after = playing || (moves !== null && moves[1] > time)
  // Under a pinned policy no worker ever moves.
  if (phasesOf(run.scenario).every(({ policy: { kind } }) => keepsWorkers(kind))) return null
  return (
    <div className="moves">
      <Button title={`${t('Previous move')} (<)`} disabled={!before} onClick={() => stepMove(session, -1)}>
        <span aria-hidden="true">←</span> {t('Previous move')}
      </Button>
      <Button title={`${t('Next move')} (>)`} disabled={!after} onClick={() => stepMove(session, 1)}>
        {t('Next move')} <span aria-hidden="true">→</span>
      </Button>
    </div>
  )
}

/** Renders its children only while they are on the screen or no run plays: what is below the edge would cost frames. */
function PauseOffscreen({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const seen = useOnScreen(host)
  const playing = useStore(runStore(session), (state) => state.playing)
  return (
    <div className="held" ref={host}>
      <Kept held={playing && !seen}>{children}</Kept>
    </div>
  )
}

const Kept = memo(
  ({ children }: { readonly held: boolean; readonly children: ReactNode }) => children,
  (_, next) => next.held,
)
