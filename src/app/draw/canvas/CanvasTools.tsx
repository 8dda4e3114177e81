import type { PointerEvent } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { redo, scenarioStore, undo } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { addStageAfter, startRename } from '../editing/actions.ts'
import { dragNewStage } from '../editing/dragNewStage.ts'

export function CanvasTools() {
  const session = useSession()
  const store = scenarioStore(session)
  const undos = useStore(store, (state) => state.past.length)
  const redos = useStore(store, (state) => state.future.length)
  const lastHistoryMove = useStore(store, (state) => state.lastHistoryMove)
  return (
    <div className="canvas-tools" data-control="tools editing" role="toolbar" aria-label={t('Pipeline')}>
      <button
        type="button"
        className="icon"
        aria-label={t('Undo')}
        title={`${t('Undo')} (Ctrl+Z)`}
        disabled={undos === 0}
        onClick={() => undo(session)}
      >
        <Arrow />
      </button>
      <button
        type="button"
        className="icon"
        aria-label={t('Redo')}
        title={`${t('Redo')} (Ctrl+Shift+Z)`}
        disabled={redos === 0}
        onClick={() => redo(session)}
      >
        <Arrow transform="scale(-1 1)" />
      </button>
      <button
        type="button"
        className="icon wide new-stage-button"
        title={t('Press, or drag onto a link')}
        onClick={() => addStageAfter(session, store.getState().selected ?? 'sink', startRename)}
        onPointerDown={(event) => startDragging(session, event)}
      >
        {t('+ Stage')}
      </button>
      <span className="unseen" aria-live="polite">
        {lastHistoryMove === 'undone' && t('Undone, {n} left.', { n: undos })}
        {lastHistoryMove === 'redone' && t('Redone, {n} left.', { n: redos })}
      </span>
    </div>
  )
}

function startDragging(
  session: Session,
  { currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>,
): void {
  dragNewStage(session, currentTarget, pointerId, { x: clientX, y: clientY })
}

const strokes = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

function Arrow({ transform }: { readonly transform?: string }) {
  return (
    <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true" transform={transform}>
      <path d="M6.5 3 3 6.5 6.5 10M3.4 6.5H10a3.5 3.5 0 0 1 0 7H7" {...strokes} />
    </svg>
  )
}
