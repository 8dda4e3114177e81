import { type CSSProperties, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { plain, sentenceText } from '../../../measures/decisions/speech.ts'
import {
  createWorkerMoves,
  extendWorkerMoves,
  workerMoveAfter,
  workerMoveBefore,
} from '../../../measures/workers/moves.ts'
import { queueOutcomeSentence, rangeAround } from '../../../measures/workers/queueOutcome.ts'
import { idleSentence, type WorkerOrder, workerSentence } from '../../../measures/workers/workerWords.ts'
import { queueOutcomesOf } from '../../../runs/study/queueOutcomes.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { ColouredText } from '../../base/ui/ColouredText.tsx'
import { goTo } from '../../session/page/playhead.ts'
import { askWorker } from '../../session/page/showing.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

interface Props {
  readonly run: Run
  readonly worker: number
  readonly time: Micros
  /** Its present or latest batch, and the decision that gave it; null before its first batch. */
  readonly order: WorkerOrder | null
  readonly decision: Decision
}

/** Why one worker is at its stage, with buttons to its other moves. */
export function WorkerAnswer({ run, worker, time, order, decision }: Props) {
  const session = useSession()
  const host = useRef<HTMLElement>(null)
  // On a narrow page the answer is below the worker that was pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each worker
  useEffect(() => {
    host.current?.scrollIntoView({ block: 'nearest' })
  }, [worker])
  const idle = idleSentence(run.trace, estimateHistoryOf(run.trace), worker, time, clock)
  const chain = order === null ? [] : workerSentence(run.scenario, decision, worker, order, duration)
  return (
    <section
      className="worker-answer"
      ref={host}
      aria-label={t('Worker {worker}', { worker: count(worker + 1) })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        askWorker(session, null)
      }}
    >
      <header>
        <h2>{t('Worker {worker}: why are you here?', { worker: count(worker + 1) })}</h2>
        <Button
          className="icon"
          aria-label={t('Close')}
          title={`${t('Close')} (Escape)`}
          onClick={() => askWorker(session, null)}
          text="×"
        />
      </header>
      <p className="chain" aria-live="polite" aria-atomic="true">
        <ColouredText parts={[...chain, ...(chain.length > 0 && idle.length > 0 ? [plain(' ')] : []), ...idle]} />
      </p>
      {order !== null && decision.former === undefined && (
        <OtherwiseSlider
          key={`${decision.index} ${order.job}`}
          run={run}
          worker={worker}
          order={order}
          decision={decision}
        />
      )}
      <WorkerMoveButtons run={run} worker={worker} time={time} />
    </section>
  )
}

const MIN_LENGTH = 4

/** A slider for the length of the deciding queue, with the result of that length in words. It starts at the recorded length: give it a key. */
function OtherwiseSlider({
  run: { trace, scenario },
  worker,
  order,
  decision,
}: Omit<Props, 'order' | 'time'> & { readonly order: WorkerOrder }) {
  const { stage } = order
  const recorded = decision.stages[stage].waiting
  const [waiting, setWaiting] = useState(recorded)
  const id = useId()
  const outcomeOf = useMemo(() => queueOutcomesOf(trace, decision, worker, order), [trace, decision, worker, order])
  if (outcomeOf === null) return null
  const maxWaiting = Math.max(MIN_LENGTH, 2 * recorded)
  const from = decision.orders.find((given) => given.worker === worker && given.job === order.job)?.from ?? -1
  const parts = queueOutcomeSentence(
    scenario,
    decision.stages,
    { worker, stage, from, went: stage },
    rangeAround(outcomeOf, waiting),
  )
  return (
    <div className="otherwise">
      <label htmlFor={id}>
        {t('Jobs waiting at {stage}', { stage: scenario.stages[stage].name })}{' '}
        <output htmlFor={id}>{count(waiting)}</output>
      </label>
      <div className="otherwise-range" style={{ '--recorded': recorded / maxWaiting } as CSSProperties}>
        <input
          id={id}
          type="range"
          min={0}
          max={maxWaiting}
          value={waiting}
          aria-valuetext={`${count(waiting)}. ${sentenceText(parts)}`}
          onChange={(event) => setWaiting(event.currentTarget.valueAsNumber)}
        />
        <span className="otherwise-mark" title={t('{n} in the record', { n: count(recorded) })} />
      </div>
      <p className="otherwise-words">
        <ColouredText parts={parts} />
      </p>
    </div>
  )
}

/** Buttons to the previous and the next move of this worker. */
function WorkerMoveButtons({ run, worker, time }: Pick<Props, 'run' | 'worker' | 'time'>) {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  const moves = useMemo(() => createWorkerMoves(run.trace, worker), [run, worker])
  // During playback the ends are not shown, and the record may still grow.
  if (!playing) extendWorkerMoves(moves)
  const go = (next: typeof workerMoveBefore) => () => {
    extendWorkerMoves(moves)
    const to = next(moves, time)
    if (to !== null) goTo(session, to)
  }
  const way = (next: typeof workerMoveBefore) => ({
    'aria-disabled': !playing && next(moves, time) === null,
    onClick: go(next),
  })
  return (
    <div className="moves">
      <Button {...way(workerMoveBefore)}>
        <span aria-hidden="true">←</span> {t('Previous move')}
      </Button>
      <Button {...way(workerMoveAfter)}>
        {t('Next move')} <span aria-hidden="true">→</span>
      </Button>
    </div>
  )
}
