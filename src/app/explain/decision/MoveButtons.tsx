import { useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { movesWithin } from '../../../measures/workers/moves.ts'
import { isPinned } from '../../../scenario/model/defaults.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { decisionTime } from '../../../trace/findRows.ts'
import { Button } from '../../base/controls/Button.tsx'
import { stepMove } from '../../session/run/playhead.ts'
import { runStore } from '../../session/run/runStore.ts'
import type { ShownDecision } from '../../session/run/shownDecision.ts'
import { useSession } from '../../session/useSession.ts'

/** To the previous and the next decision that moved a worker. Most decisions move no worker. */
export function MoveButtons({ shown: { run, index } }: { readonly shown: ShownDecision }) {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  const rows = run.chart.rows
  // Searched once, not at every decision that the playhead is dragged over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a record that has grown may hold another move
  const moves = useMemo(() => (playing ? null : movesWithin(run.trace)), [run, playing, rows])
  const time = decisionTime(run.trace, index)
  const before = playing || (moves !== null && moves[0] < time)
  const after = playing || (moves !== null && moves[1] > time)
  // Under a pinned policy no worker ever moves.
  if (phasesOf(run.scenario).every(({ policy: { kind } }) => isPinned(kind) && kind !== 'single')) return null
  return (
    <div className="moves">
      <Button title={t('To the last worker that changed stage before this (<)')} disabled={!before} onClick={() => stepMove(session, -1)}>
        <span aria-hidden="true">←</span> {t('Previous move')}
      </Button>
      <Button title={t('To the next worker that changes stage (>)')} disabled={!after} onClick={() => stepMove(session, 1)}>
        {t('Next move')} <span aria-hidden="true">→</span>
      </Button>
    </div>
  )
}
