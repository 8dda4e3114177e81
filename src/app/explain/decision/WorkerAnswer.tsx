import { useEffect, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import { plain } from '../../../measures/decisions/speech.ts'
import type { WorkerOrder } from '../../../measures/workers/workerOrder.ts'
import { idleSentence, workerSentence } from '../../../measures/workers/workerWords.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { ColouredText } from '../../base/ui/Translated.tsx'
import type { Run } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { askWorker } from '../../session/worker/askedWorker.ts'
import { OtherwiseSlider } from './OtherwiseSlider.tsx'
import { WorkerMoveButtons } from './WorkerMoveButtons.tsx'

interface Props {
  readonly run: Run
  readonly worker: number
  readonly time: Micros
  /** The batch that it has or had last, and the decision that gave it; null before its first. */
  readonly order: WorkerOrder | null
  readonly decision: Decision
}

/** The answer of one worker: why it is where it is, and the way to its other moves. */
export function WorkerAnswer({ run, worker, time, order, decision }: Props) {
  const session = useSession()
  const host = useRef<HTMLElement>(null)
  // On a narrow page the answer is below the worker that was pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each worker
  useEffect(() => {
    host.current?.scrollIntoView({ block: 'nearest' })
  }, [worker])
  const idle = idleSentence(run.trace, run.estimateHistory, worker, time, clock)
  const chain = order === null ? [] : workerSentence(run.scenario, decision, worker, order, duration)
  return (
    <section
      className="worker-answer"
      ref={host}
      aria-label={t('Answer of worker {worker}', { worker: count(worker + 1) })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        askWorker(session, null)
      }}
    >
      <header>
        <h2>{t('Worker {worker}: why are you here?', { worker: count(worker + 1) })}</h2>
        <Button className="icon" aria-label={t('Close')} title={t('Close (Escape)')} onClick={() => askWorker(session, null)} text="×" />
      </header>
      <p className="chain" aria-live="polite" aria-atomic="true">
        <ColouredText parts={[...chain, ...(chain.length > 0 && idle.length > 0 ? [plain(' ')] : []), ...idle]} />
      </p>
      {order !== null && <OtherwiseSlider key={`${decision.index} ${order.job}`} run={run} worker={worker} order={order} decision={decision} />}
      <WorkerMoveButtons run={run} worker={worker} time={time} />
    </section>
  )
}
