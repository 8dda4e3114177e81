import type { Drawing } from '../../../views/drawing/drawing.ts'
import type { FlowData } from '../../../views/pipeline/flow.ts'
import { mountFlow } from '../../../views/pipeline/flow.ts'
import { part, type Session } from '../../session/session.ts'

/**
 * Where the canvas hands its live parts over to the run: the nodes mount these drawings and take them away, the one
 * animation loop updates them. React never renders for a frame.
 */
interface LivePipeline {
  /** The place in each stage's card, by stage id, above which the overlay paints what is alive in it: what that says stands there as data too. */
  readonly cards: Map<string, HTMLElement>
  /** Elements whose text is a live number: how many have arrived, how many are out. */
  source: HTMLElement | null
  sink: HTMLElement | null
  /** The overlay above the nodes, in screen pixels of the canvas. */
  flow: Drawing<FlowData> | null
  /**
   * Where the nodes stand at present, in screen pixels of the overlay (x, y of the top left corner, width, height, and the
   * canvas's zoom): for dots on links and workers on their way. Null while nothing is mounted.
   */
  place: ((id: string) => NodePlace | null) | null
  /** The points that a link of a graph passes, from its beginning to its end, in the same pixels; none where it is straight. */
  bends: ((from: string, to: string) => readonly { readonly x: number; readonly y: number }[]) | null
}

export interface NodePlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly zoom: number
  /** Of two that overlap the one with the greater stands above. */
  readonly z: number
}

export const livePipeline = part((): LivePipeline => ({ cards: new Map(), source: null, sink: null, flow: null, place: null, bends: null }))

/** Hands over the place in a stage's card; returns what takes it back. */
export function mountCard(session: Session, id: string, host: HTMLElement): () => void {
  livePipeline(session).cards.set(id, host)
  return () => {
    if (livePipeline(session).cards.get(id) === host) livePipeline(session).cards.delete(id)
  }
}

/** Mounts the overlay on which jobs and workers move; returns what takes it away again. */
export function mountOverlay(session: Session, host: HTMLElement): () => void {
  const flow = mountFlow(host)
  livePipeline(session).flow = flow
  return () => {
    if (livePipeline(session).flow === flow) livePipeline(session).flow = null
    flow.destroy()
  }
}
