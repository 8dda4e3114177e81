import { createStore } from 'zustand/vanilla'
import type { Link } from '../../../scenario/model/scenario.ts'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import type { Arrangement, Point } from '../layout/places.ts'

/** What a person is doing on the canvas at the moment. Nothing here is worth undoing or keeping. */
interface CanvasState {
  /** The stage whose name is being typed. */
  readonly renaming: string | null
  /** A link that is being drawn by keyboard: where it begins, and where it would end. */
  readonly connecting: { readonly from: string; readonly to: string } | null
  /** The link under the pointer, or under what is dragged from the palette, as `from to`. */
  readonly linkUnderPointer: string | null
  /** The link that has been picked, as `from to`. */
  readonly link: string | null
  /** Stages that have been chosen together; one alone is selected instead. */
  readonly chosen: readonly string[]
  /** Whether a tap on a card adds it to what is chosen, and a drag beside the cards draws a box around them. */
  readonly choosing: boolean
  /** What was done last, in words, for who cannot see it. */
  readonly said: string
}

export const canvasStore = part(() =>
  createStore<CanvasState>(() => ({
    renaming: null,
    connecting: null,
    linkUnderPointer: null,
    link: null,
    chosen: [],
    choosing: false,
    said: '',
  })),
)

/** What stands where, and where on the canvas a point of the page is, for those outside the canvas; null until it is drawn. */
interface CanvasView {
  arrangement: Arrangement | null
  pointAt: ((x: number, y: number) => Point) | null
  /** Moves the canvas so that a node is seen. */
  show: ((id: string) => void) | null
}
export const canvasView = part((): CanvasView => ({ arrangement: null, pointAt: null, show: null }))

export const linkKey = ([from, to]: Link): string => `${from} ${to}`

/** Opens a stage or an end of the pipeline, alone; null: none. */
export function pick(session: Session, id: string | null): void {
  const { chosen, link } = canvasStore(session).getState()
  if (chosen.length > 0 || link !== null) canvasStore(session).setState({ chosen: [], link: null })
  select(session, id)
}

/** Chooses stages together. */
export function choose(session: Session, ids: readonly string[]): void {
  pick(session, ids.length === 1 ? ids[0] : null)
  if (ids.length > 1) canvasStore(session).setState({ chosen: ids })
}

/** The stages that are chosen, or the one that is open. */
export function chosenStages(session: Session): readonly string[] {
  const { draft, selected } = scenarioStore(session).getState()
  const { chosen } = canvasStore(session).getState()
  const asked = new Set(chosen.length > 0 ? chosen : [selected])
  return draft.stages.flatMap(({ id }) => (asked.has(id) ? [id] : []))
}

/** Adds a stage to what is chosen, or takes it out. */
export function toggleChosen(session: Session, id: string): void {
  const before = chosenStages(session)
  choose(session, before.includes(id) ? before.filter((each) => each !== id) : [...before, id])
}

/** Tells a screen reader. The same words twice are still two messages. */
export function announce(session: Session, words: string): void {
  const { said } = canvasStore(session).getState()
  canvasStore(session).setState({ said: said === words ? `${words}\u00a0` : words })
}

/** What stands on the canvas for a node; null where it is out of view, and one of very many. */
export function nodeOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.pipeline-canvas .react-flow__node[data-id="${CSS.escape(id)}"]`)
}

/** Puts the keyboard's focus on a node, which may only appear in a frame or two. */
export function focusNode(session: Session, id: string, tries = 5): void {
  const node = nodeOf(id)
  if (node !== null) {
    node.focus({ preventScroll: true })
    return
  }
  // Of very many, only those in view are there.
  if (tries === 3) canvasView(session).show?.(id)
  if (tries > 0) requestAnimationFrame(() => focusNode(session, id, tries - 1))
}
