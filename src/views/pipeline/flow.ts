import { type Drawing, fitCanvas, pixelRatio } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { arcThrough, pointOn, wayOf } from './flowLayout.ts'
import { paintCard, type StageCardData } from './stageCard.ts'

/** A link between two cards and the jobs on it. Colours are any CSS colour. */
export interface FlowLink {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
  /** The points that it passes from its beginning to its end, where it is not straight. */
  readonly bends?: readonly { readonly x: number; readonly y: number }[]
  readonly colour: string
  /** How far along each job is, 0 to 1. */
  readonly jobs: readonly number[]
}

/** A worker that changes its stage. */
export interface FlowMove {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
  /** How far it is, 0 to 1. */
  readonly fraction: number
  /** Its number as people count: from 1. */
  readonly worker: number
  /** The colour of the stage it goes to, and of letters on it. */
  readonly colour: string
  readonly on: string
}

/** What is alive in the card of a stage: where the card stands, and where in it, in pixels of a card that is shown as large as it is. */
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
  /** From the lowest to the one that covers the others. */
  readonly cards: readonly FlowCard[]
  readonly links: readonly FlowLink[]
  readonly moves: readonly FlowMove[]
  /** The end of the pipeline where the job that is followed stands: outside the first queue, or parked at the sink. */
  readonly ring: { readonly x: number; readonly y: number; readonly radius: number } | null
  /** How large the pipeline is shown: marks grow and shrink with it. */
  readonly scale: number
  readonly reducedMotion: boolean
}

const JOB = 2.6
const TAIL = 3
const TAIL_STEP = 8
const DISC = 11

/**
 * What moves in the pipeline, on one canvas above it that lets every pointer through: what is alive in the cards, jobs along their
 * links, and workers on their way from card to card along a dotted arc. One canvas, since the browser makes layers of each and of whatever
 * stands above it, and puts them together anew at every frame. For who asked for reduced motion nothing moves: a link with
 * jobs on it carries three dots, a move is its arc and the open seat at its end.
 */
export function mountFlow(host: HTMLElement): Drawing<FlowData> {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  Object.assign(canvas.style, { position: 'absolute', left: '0', top: '0', pointerEvents: 'none', display: 'block' })
  host.append(canvas)
  const context = canvas.getContext('2d')
  let size: { width: number; height: number } | null = null
  let blank = true
  let last: FlowData | null = null

  function update(data: FlowData): void {
    last = data
    size ??= { width: host.clientWidth, height: host.clientHeight }
    const ratio = pixelRatio()
    fitCanvas(canvas, size.width, size.height, ratio)
    const empty = data.cards.length === 0 && data.ring === null && data.moves.length === 0 && data.links.every((link) => link.jobs.length === 0)
    if (context === null || (empty && blank)) return
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    for (const card of data.cards) drawCard(context, card, data.scale, size)
    for (const link of data.links) drawJobs(context, link, data)
    for (const move of data.moves) drawMove(context, move, data)
    if (data.ring !== null) drawRing(context, data.ring, data)
    blank = empty
  }

  return {
    update,
    resize() {
      size = null
      if (last !== null) update(last)
    },
    destroy: () => canvas.remove(),
  }
}

function drawCard(
  context: CanvasRenderingContext2D,
  { x, y, width, height, inset, data }: FlowCard,
  scale: number,
  size: { readonly width: number; readonly height: number },
): void {
  if (x > size.width || y > size.height || x + width < 0 || y + height < 0) return
  context.save()
  // Of a card below this one nothing is to shine through.
  context.clearRect(x, y, width, height)
  context.translate(x + inset.x * scale, y + inset.y * scale)
  context.scale(scale, scale)
  paintCard(context, data, width / scale - 2 * inset.x)
  context.restore()
}

function drawJobs(context: CanvasRenderingContext2D, link: FlowLink, { scale, reducedMotion }: FlowData): void {
  if (link.jobs.length === 0) return
  const way = wayOf(link)
  const { length } = way
  const back = length > 0 ? (TAIL_STEP * scale) / length : 0
  context.fillStyle = link.colour
  for (const job of reducedMotion ? [0.5 + back] : link.jobs) {
    for (let k = TAIL - 1; k >= 0; k--) {
      const along = job - k * back
      if (along < 0 || along > 1) continue
      context.globalAlpha = reducedMotion ? 0.8 : 1 - k * 0.32
      context.beginPath()
      const { x, y } = way.at(along)
      context.arc(x, y, JOB * scale, 0, 2 * Math.PI)
      context.fill()
    }
  }
  context.globalAlpha = 1
}

function drawRing(context: CanvasRenderingContext2D, { x, y, radius }: NonNullable<FlowData['ring']>, { palette, scale }: FlowData): void {
  context.strokeStyle = palette.ink
  context.lineWidth = 2 * scale
  context.beginPath()
  context.arc(x, y, radius + 4 * scale, 0, 2 * Math.PI)
  context.stroke()
}

function drawMove(context: CanvasRenderingContext2D, move: FlowMove, { scale, reducedMotion, palette }: FlowData): void {
  const arc = arcThrough(move.x1, move.y1, move.x2, move.y2, scale)
  context.strokeStyle = move.colour
  context.lineCap = 'round'
  context.lineWidth = 1.8 * scale
  context.setLineDash([0, 4.6 * scale])
  context.beginPath()
  context.moveTo(arc.x1, arc.y1)
  context.bezierCurveTo(arc.cx1, arc.cy1, arc.cx2, arc.cy2, arc.x2, arc.y2)
  context.stroke()
  const at = pointOn(arc, reducedMotion ? 1 : move.fraction)
  const radius = DISC * scale
  if (reducedMotion) {
    context.beginPath()
    context.arc(at.x, at.y, radius, 0, 2 * Math.PI)
    context.stroke()
    context.setLineDash([])
    return
  }
  context.setLineDash([])
  context.beginPath()
  context.arc(at.x, at.y, radius + 2 * scale, 0, 2 * Math.PI)
  context.fillStyle = palette.panel
  context.fill()
  context.beginPath()
  context.arc(at.x, at.y, radius, 0, 2 * Math.PI)
  context.fillStyle = move.colour
  context.fill()
  context.fillStyle = move.on
  context.font = `700 ${11 * scale}px ${palette.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(`${move.worker}`, at.x, at.y + 0.5 * scale)
}
