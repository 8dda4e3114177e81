import type { StageCardData } from '../../../views/pipeline/stageCard.ts'
import { part, type Session } from '../../session/session.ts'

/** What the run paints on the canvas: nodes register their places here, and the frame loop paints them. React renders nothing in a frame. */
interface LivePipeline {
  /** The place in each card that the overlay paints above, by stage id. Data attributes on it tell what is painted. */
  readonly cards: Map<string, HTMLElement>
  /** What was last painted on each card, by stage id. */
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

export const livePipeline = part((): LivePipeline => ({ cards: new Map(), painted: new Map(), source: null, sink: null, place: null, bends: null }))

/** Registers the place in the card of a stage. Returns what removes it. */
export function mountCard(session: Session, id: string, host: HTMLElement): () => void {
  const { cards } = livePipeline(session)
  cards.set(id, host)
  return () => {
    if (cards.get(id) === host) cards.delete(id)
  }
}
