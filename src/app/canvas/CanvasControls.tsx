import { useReactFlow } from '@xyflow/react'
import { useStore } from 'zustand'
import { scenarioStore } from '../scenarioStore.ts'
import { tidy } from './actions.ts'

/** Zoom, fit, and back to the automatic layout where somebody has left it. */
export function CanvasControls({ onFit }: { readonly onFit: () => void }) {
  const { zoomIn, zoomOut } = useReactFlow()
  const placed = useStore(scenarioStore, ({ drawing }) => drawing.stages.some(({ position }) => position !== null))
  return (
    <div className="canvas-controls">
      <Control label="Zoom out" path="M4 8h8" onClick={() => void zoomOut()} />
      <Control label="Zoom in" path="M8 4v8M4 8h8" onClick={() => void zoomIn()} />
      <Control label="Fit the pipeline" path="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" onClick={onFit} />
      {placed && <Control label="Lay out in a line" path="M2.5 6h3v4h-3zM10.5 6h3v4h-3zM5.5 8h5" onClick={tidy} />}
    </div>
  )
}

function Control({ label, path, onClick }: { readonly label: string; readonly path: string; readonly onClick: () => void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onClick}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  )
}
