import { useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { createWorkerMoves, extendWorkerMoves, workerMoveAfter, workerMoveBefore } from '../../../measures/workers/moves.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { goTo } from '../../session/run/playhead.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

interface Props {
  readonly run: Run
  readonly worker: number
  readonly time: Micros
}

/** Buttons to the previous and the next move of this worker. At an end the button's title gives the reason. */
export function WorkerMoveButtons({ run, worker, time }: Props) {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  const moves = useMemo(() => createWorkerMoves(run.trace, worker), [run, worker])
  // During playback the ends are not shown, and the record may still grow.
  if (!playing) extendWorkerMoves(moves)
  const go = (next: (from: typeof moves, t: Micros) => Micros | null) => () => {
    extendWorkerMoves(moves)
    const to = next(moves, time)
    if (to !== null) goTo(session, to)
  }
  const who = { worker: count(worker + 1) }
  const never = !playing && moves.times.length === 0
  const before = playing || workerMoveBefore(moves, time) !== null
  const after = playing || workerMoveAfter(moves, time) !== null
  const nothing = t('Worker {worker} never changes stage in this run', who)
  return (
    <div className="moves">
      <Button
        aria-disabled={!before}
        title={
          before ? t('To the last time that worker {worker} changed stage', who) : never ? nothing : t('Worker {worker} has not changed stage before this', who)
        }
        onClick={go(workerMoveBefore)}
      >
        <span aria-hidden="true">←</span> {t('Previous move')}
      </Button>
      <Button
        aria-disabled={!after}
        title={
          after ? t('To the next time that worker {worker} changes stage', who) : never ? nothing : t('Worker {worker} does not change stage after this', who)
        }
        onClick={go(workerMoveAfter)}
      >
        {t('Next move')} <span aria-hidden="true">→</span>
      </Button>
    </div>
  )
}
