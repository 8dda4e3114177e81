import { useStore } from 'zustand'
import { addAfter } from './actions.ts'
import { canvasStore } from './canvasStore.ts'

interface Props {
  readonly id: string
  /** What stands before the new stage, in words. */
  readonly after: string
  /** The middle of the link, and whether it runs up or down. */
  readonly x: number
  readonly y: number
  readonly upright: boolean
}

/** The button in the middle of the link behind a node. It belongs to the node, so that Tab meets it where the eye does. */
export function AddButton({ id, after, x, y, upright }: Props) {
  const shown = useStore(canvasStore, (state) => state.linkUnderPointer === id)
  return (
    <button
      type="button"
      className="add-stage nodrag nopan"
      data-shown={shown}
      data-upright={upright}
      style={{ left: x, top: y }}
      aria-label={`Add a stage after ${after}`}
      title="Add a stage here"
      onClick={(event) => {
        event.stopPropagation()
        addAfter(id)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M6 2v8M2 6h8" />
      </svg>
    </button>
  )
}
