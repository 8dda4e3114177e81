import { type CSSProperties, useId, useMemo, useState } from 'react'
import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { otherwiseSentence, rangeAround } from '../../../measures/workers/otherwise.ts'
import type { WorkerOrder } from '../../../measures/workers/workerOrder.ts'
import { otherwiseOf } from '../../../runs/study/otherwise.ts'
import { count } from '../../../views/drawing/format.ts'
import { ColouredText } from '../../base/ui/Translated.tsx'
import type { Run } from '../../session/run/runStore.ts'

interface Props {
  readonly run: Run
  readonly worker: number
  readonly order: WorkerOrder
  readonly decision: Decision
}

/** The least end of the slider, so that an empty queue has room too. */
const LEAST_MOST = 4

/** A slider over the queue that decided, and in words what another length would have led to. It begins at the record: give it a key. */
export function OtherwiseSlider({ run: { trace, scenario }, worker, order, decision }: Props) {
  const { stage } = order
  const recorded = decision.stages[stage].waiting
  const [waiting, setWaiting] = useState(recorded)
  const id = useId()
  const outcomeOf = useMemo(() => otherwiseOf(trace, decision, worker, order), [trace, decision, worker, order])
  if (outcomeOf === null) return null
  const most = Math.max(LEAST_MOST, 2 * recorded)
  const from = decision.orders.find((given) => given.worker === worker && given.job === order.job)?.from ?? -1
  const parts = otherwiseSentence(scenario, decision.stages, { worker, stage, from, post: stage }, rangeAround(outcomeOf, waiting, most))
  return (
    <div className="otherwise">
      <label htmlFor={id}>
        {t('Jobs waiting at {stage}', { stage: scenario.stages[stage].name })} <output htmlFor={id}>{count(waiting)}</output>
      </label>
      <div className="otherwise-range" style={{ '--recorded': recorded / most } as CSSProperties}>
        <input
          id={id}
          type="range"
          min={0}
          max={most}
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
