import { createStore } from 'zustand/vanilla'

/** What a person is doing on the canvas at the moment. Nothing here is worth undoing or keeping. */
interface CanvasState {
  /** The stage whose name is being typed. */
  readonly renaming: string | null
  /** A link that is being drawn by keyboard: where it begins, and where it would end. */
  readonly connecting: { readonly from: string; readonly to: string } | null
  /** The link under the pointer, by where it begins. */
  readonly linkUnderPointer: string | null
  /** What was done last, in words, for who cannot see it. */
  readonly said: string
}

export const canvasStore = createStore<CanvasState>(() => ({ renaming: null, connecting: null, linkUnderPointer: null, said: '' }))

/** Tells a screen reader. The same words twice are still two messages. */
export function say(words: string): void {
  const { said } = canvasStore.getState()
  canvasStore.setState({ said: said === words ? `${words}\u00a0` : words })
}

/** Puts the keyboard's focus on a node, which may only appear in a frame or two. */
export function focusNode(id: string, tries = 5): void {
  const node = document.querySelector<HTMLElement>(`.pipeline-canvas .react-flow__node[data-id="${CSS.escape(id)}"]`)
  if (node !== null) node.focus({ preventScroll: true })
  else if (tries > 0) requestAnimationFrame(() => focusNode(id, tries - 1))
}
