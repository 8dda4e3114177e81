import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { redo, scenarioStore, undo } from '../../session/scenario/scenarioStore.ts'
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
      <HistoryButton label={t('Undo')} keys="Ctrl+Z" steps={undos} onClick={() => undo(session)} />
      <HistoryButton
        label={t('Redo')}
        keys="Ctrl+Shift+Z"
        steps={redos}
        onClick={() => redo(session)}
        transform="scale(-1 1)"
      />
      <button
        type="button"
        className="icon wide new-stage-button"
        title={t('Press, or drag onto a link')}
        onClick={() => addStageAfter(session, store.getState().selected ?? 'sink', startRename)}
        onPointerDown={({ currentTarget, pointerId, clientX, clientY }) =>
          dragNewStage(session, currentTarget, pointerId, { x: clientX, y: clientY })
        }
      >
        {t('+ Stage')}
      </button>
      <span className="unseen" aria-live="polite">
        {lastHistoryMove === 'undone' && t('{what}, {n} left.', { what: t('Undo'), n: undos })}
        {lastHistoryMove === 'redone' && t('{what}, {n} left.', { what: t('Redo'), n: redos })}
      </span>
    </div>
  )
}

interface HistoryButtonProps {
  readonly label: string
  readonly keys: string
  readonly steps: number
  readonly onClick: () => void
  readonly transform?: string
}

function HistoryButton({ label, keys, steps, onClick, transform }: HistoryButtonProps) {
  return (
    <button
      type="button"
      className="icon"
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={steps === 0}
      onClick={onClick}
    >
      <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true" transform={transform}>
        <path
          d="M6.5 3 3 6.5 6.5 10M3.4 6.5H10a3.5 3.5 0 0 1 0 7H7"
          fill="none"
          stroke="currentColor"
          strokeWidth={1.5}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </button>
  )
}
