import { type Context, createCanvas, fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { faceParts, paintFace, paintWorkers, type StageCardData } from './stageCard.ts'

export type Line = { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }

export type FlowPoint = { readonly x: number; readonly y: number }

export interface FlowLink extends Line {
  /** The points of a link that is not straight, from its start to its end. */
  readonly bends?: readonly FlowPoint[]
  readonly colour: string
  readonly jobs: readonly number[]
}

/** A worker on its way to another stage. */
export interface FlowMove extends Line {
  readonly fraction: number
  /** The foot of the lowest card between its stages, which it passes below; if there is none, any lesser height. */
  readonly under: number
  readonly worker: number
  /** The colour of the stage it goes to, and of text on that. */
  readonly colour: string
  readonly on: string
}

/** The changing part of a stage's card: the place of the card, and the margin inside it before zooming. */
export interface FlowCard {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly inset: { readonly x: number; readonly y: number }
  readonly data: StageCardData
}

export interface FlowData {
  readonly palette: Palette
  /** From the bottom to the top of the stack. */
  readonly cards: readonly FlowCard[]
  readonly links: readonly FlowLink[]
  readonly moves: readonly FlowMove[]
  /** Around the end of the pipeline where the followed job waits: before the first queue, or parked at the sink. */
  readonly ring: { readonly x: number; readonly y: number; readonly radius: number } | null
  readonly scale: number
  readonly reducedMotion: boolean
  /** Paints links, moves and ring: `paintMoving` of flowPaths.ts, which is fetched with the first run. */
  readonly paint: ((context: Context, data: FlowData) => void) | null
}

/** Draws what changes in the pipeline: the faces of cards on one canvas, workers and jobs on another. With reduced motion dots and arcs stand still. */
export function mountFlow(host: HTMLElement): Drawing<FlowData> {
  const above = { position: 'absolute', left: '0', top: '0', pointerEvents: 'none' }
  const faces = createCanvas(above)
  const canvas = createCanvas(above)
  host.append(faces, canvas)
  const facesContext = faces.getContext('2d')
  const context = canvas.getContext('2d')
  let painted: readonly unknown[] = []
  let blank = true

  return createDrawing(host, (data: FlowData, size) => {
    const ratio = pixelRatio()
    fitCanvas(canvas, size.width, size.height, ratio)
    const parts = data.cards.flatMap((card) => [card.x, card.y, card.width, card.height, ...faceParts(card.data)])
    if (facesContext !== null && (fitCanvas(faces, size.width, size.height, ratio) || !sameParts(parts, painted))) {
      painted = parts
      facesContext.setTransform(ratio, 0, 0, ratio, 0, 0)
      facesContext.clearRect(0, 0, size.width, size.height)
      for (const card of data.cards) drawCard(facesContext, card, data.scale, size, paintFace)
    }
    const empty =
      data.cards.length === 0 &&
      data.ring === null &&
      data.moves.length === 0 &&
      data.links.every((link) => link.jobs.length === 0)
    if (context === null || (empty && blank)) return
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    for (const card of data.cards) drawCard(context, card, data.scale, size, paintWorkers)
    data.paint?.(context, data)
    blank = empty
  })
}

function drawCard(
  context: Context,
  { x, y, width, height, inset, data }: FlowCard,
  scale: number,
  size: HostSize,
  paint: typeof paintFace,
): void {
  if (x > size.width || y > size.height || x + width < 0 || y + height < 0) return
  context.save()
  // A card below this one must not show through.
  context.clearRect(x, y, width, height)
  context.translate(x + inset.x * scale, y + inset.y * scale)
  context.scale(scale, scale)
  paint(context, data, width / scale - 2 * inset.x)
  context.restore()
}
