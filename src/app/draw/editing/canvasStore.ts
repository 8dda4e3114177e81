import { createStore } from 'zustand/vanilla'
import { writePart } from '../../../scenario/edit/edits.ts'
import type { Link } from '../../../scenario/model/scenario.ts'
import type { StageCardData } from '../../../views/pipeline/stageCard.ts'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import type { Arrangement, Point } from '../layout/places.ts'

export type Connecting = { readonly from: string; readonly to: string }

/** What a person is doing on the canvas. It is neither stored nor undone. Links are `from to`. */
interface CanvasState {
  /** The stage whose name is being typed. */
  readonly renaming: string | null
  /** The link being drawn by keys: its start, and where it would end. */
  readonly connecting: Connecting | null
  /** The link under the pointer or under a dragged new stage. */
  readonly linkUnderPointer: string | null
  /** The selected link. */
  readonly link: string | null
  /** Several selected stages. A single one is in `selected` of the scenario store. */
  readonly chosen: readonly string[]
  /** Whether a tap adds a card to the selection, and a drag beside the cards draws a box. */
  readonly choosing: boolean
  /** The last message for screen readers. */
  readonly announcement: string
}
const still: CanvasState = {
  renaming: null,
  connecting: null,
  linkUnderPointer: null,
  link: null,
  chosen: [],
  choosing: false,
  announcement: '',
}

export const canvasStore = part(() => createStore<CanvasState>(() => still))

/** The layout of the canvas and its pixels, for features outside of it; null until it is drawn. */
interface CanvasView {
  arrangement: Arrangement | null
  pointAt: ((x: number, y: number) => Point) | null
  show: ((id: string) => void) | null
}
export const canvasView = part((): CanvasView => ({ arrangement: null, pointAt: null, show: null }))

export const linkKey = ([from, to]: Link): string => `${from} ${to}`

/** Selects a stage or an end of the pipeline; null: nothing. */
export function selectNode(session: Session, id: string | null): void {
  const { chosen, link } = canvasStore(session).getState()
  if (chosen.length > 0 || link !== null) canvasStore(session).setState({ chosen: [], link: null })
  select(session, id)
}

export function choose(session: Session, ids: readonly string[]): void {
  selectNode(session, ids.length === 1 ? ids[0] : null)
  if (ids.length > 1) canvasStore(session).setState({ chosen: ids })
}

export function chosenStages(session: Session): readonly string[] {
  const { draft, selected } = scenarioStore(session).getState()
  const { chosen } = canvasStore(session).getState()
  const asked = new Set(chosen.length > 0 ? chosen : [selected])
  return draft.stages.flatMap(({ id }) => (asked.has(id) ? [id] : []))
}

export function chosenText(session: Session): string {
  return writePart(scenarioStore(session).getState().draft, chosenStages(session))
}

export function toggleChosen(session: Session, id: string): void {
  const before = chosenStages(session)
  choose(session, before.includes(id) ? before.filter((each) => each !== id) : [...before, id])
}

/** Sends a message to screen readers. The same text twice is read twice. */
export function announce(session: Session, words: string): void {
  const { announcement } = canvasStore(session).getState()
  canvasStore(session).setState({ announcement: announcement === words ? `${words}\u00a0` : words })
}

/** Returns the element of a node; null if it is not rendered. With very many nodes only the visible ones are. */
export function nodeOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.pipeline-canvas .react-flow__node[data-id="${CSS.escape(id)}"]`)
}

/** Moves the focus to a node, which may appear only after a frame or two. */
export function focusNode(session: Session, id: string, tries = 5): void {
  const node = nodeOf(id)
  if (node !== null) {
    node.focus({ preventScroll: true })
    return
  }
  // With very many nodes only the visible ones are rendered.
  if (tries === 3) canvasView(session).show?.(id)
  if (tries > 0) requestAnimationFrame(() => focusNode(session, id, tries - 1))
}

/** What the run paints on the canvas: nodes register their places here, and the frame loop paints them. React renders nothing in a frame. */
interface LivePipeline {
  /** The place in each card that the overlay paints above, by stage id. Data attributes on it tell what is painted. */
  readonly cards: Map<string, HTMLElement>
  readonly painted: Map<string, StageCardData>
  /** Elements whose text is the number of jobs that have arrived or left. */
  source: HTMLElement | null
  sink: HTMLElement | null
  /** Returns where a node stands in pixels of the overlay; null if it is not on the canvas. Null while no canvas is mounted. */
  place: ((id: string) => NodePlace | null) | null
  /** Returns the points along a link of a graph in the same pixels; none if it is straight. */
  bends: ((from: string, to: string) => readonly { readonly x: number; readonly y: number }[]) | null
}

export interface NodePlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly zoom: number
  /** Of two overlapping nodes, the one with the greater `z` is on top. */
  readonly z: number
}

export const livePipeline = part(
  (): LivePipeline => ({ cards: new Map(), painted: new Map(), source: null, sink: null, place: null, bends: null }),
)

/** Registers the place in the card of a stage. Returns a function that removes it. */
export function mountCard(session: Session, id: string, host: HTMLElement): () => void {
  const { cards } = livePipeline(session)
  cards.set(id, host)
  return () => {
    if (cards.get(id) === host) cards.delete(id)
  }
}
