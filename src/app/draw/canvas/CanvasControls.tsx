import { useReactFlow } from '@xyflow/react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { forgetPlaces } from '../editing/actions.ts'
import { canvasStore } from '../editing/canvasStore.ts'

export function CanvasControls({ onFit }: { readonly onFit: () => void }) {
  const session = useSession()
  const { zoomIn, zoomOut } = useReactFlow()
  const placed = useStore(scenarioStore(session), ({ draft }) => draft.stages.some(({ position }) => position !== null))
  const choosing = useStore(canvasStore(session), (state) => state.choosing)
  return (
    <div className="canvas-controls" data-control="zoom editing">
      <IconButton label={t('Zoom out')} path="M4 8h8" onClick={() => void zoomOut()} />
      <IconButton label={t('Zoom in')} path="M8 4v8M4 8h8" onClick={() => void zoomIn()} />
      <IconButton label={t('Fit the pipeline')} path="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" onClick={onFit} />
      {placed && (
        <IconButton
          label={t('Lay out')}
          path="M2.5 6h3v4h-3zM10.5 6h3v4h-3zM5.5 8h5"
          onClick={() => forgetPlaces(session)}
        />
      )}
      <IconButton
        label={t('Choose several')}
        path="M2.5 2.5h2M7 2.5h2M11.5 2.5h2v2M13.5 7v2M13.5 11.5v2h-2M9 13.5H7M4.5 13.5h-2v-2M2.5 9V7M2.5 4.5v-2"
        pressed={choosing}
        onClick={() => canvasStore(session).setState({ choosing: !choosing })}
      />
    </div>
  )
}

/** What can be done with the selected stage, at the foot of the canvas. */
export function CanvasHint() {
  const session = useSession()
  const name = useStore(
    scenarioStore(session),
    ({ draft, selected }) => draft.stages.find(({ id }) => id === selected)?.name ?? null,
  )
  const single = useStore(canvasStore(session), ({ chosen, choosing }) => chosen.length === 0 && !choosing)
  if (name === null || !single) return null
  return (
    <p className="canvas-hint" data-control="editing">
      {t('Press + after {name} to add a stage, or drag its dot to another stage.', { name })}
    </p>
  )
}
