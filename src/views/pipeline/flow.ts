import { bisectLeft, cumsum, pairs } from 'd3-array'
import { easeSinInOut } from 'd3-ease'
import { type Context, createCanvas, fillDisc, fitCanvas, pixelRatio, strokeCircle } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize, sameParts } from '../drawing/drawing.ts'
import type { Palette } from '../drawing/palette.ts'
import { faceParts, paintFace, paintWorkers, type StageCardData } from './stageCard.ts'

interface Line {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

type Point = { readonly x: number; readonly y: number }

export interface FlowLink extends Line {
  /** The points of a link that is not straight, from its start to its end. */
  readonly bends?: readonly Point[]
  readonly colour: string
  readonly jobs: readonly number[]
}

/** A worker on its way to another stage. */
export interface FlowMove extends Line {
  readonly fraction: number
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
}

const JOB = 2.6
const TAIL = 3
const TAIL_STEP = 8
const DISC = 11

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
    const empty = data.cards.length === 0 && data.ring === null && data.moves.length === 0 && data.links.every((link) => link.jobs.length === 0)
    if (context === null || (empty && blank)) return
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, size.width, size.height)
    for (const card of data.cards) drawCard(context, card, data.scale, size, paintWorkers)
    for (const link of data.links) drawJobs(context, link, data)
    for (const move of data.moves) drawWay(context, move, data)
    if (!data.reducedMotion) for (const move of data.moves) drawMover(context, move, data)
    const { ring, scale, palette } = data
    if (ring !== null) strokeCircle(context, ring.x, ring.y, ring.radius + 4 * scale, palette.ink, 2 * scale)
    blank = empty
  })
}

function drawCard(context: Context, { x, y, width, height, inset, data }: FlowCard, scale: number, size: HostSize, paint: typeof paintFace): void {
  if (x > size.width || y > size.height || x + width < 0 || y + height < 0) return
  context.save()
  // A card below this one must not show through.
  context.clearRect(x, y, width, height)
  context.translate(x + inset.x * scale, y + inset.y * scale)
  context.scale(scale, scale)
  paint(context, data, width / scale - 2 * inset.x)
  context.restore()
}

function drawJobs(context: Context, link: FlowLink, { scale, reducedMotion }: FlowData): void {
  if (link.jobs.length === 0) return
  const route = linkRoute(link)
  const { length } = route
  const back = length > 0 ? (TAIL_STEP * scale) / length : 0
  const radius = JOB * scale
  context.fillStyle = link.colour
  // All dots of one shade at once: each call costs more than a dot.
  for (let k = TAIL - 1; k >= 0; k--) {
    context.globalAlpha = reducedMotion ? 0.8 : 1 - k * 0.32
    context.beginPath()
    for (const job of reducedMotion ? [0.5 + back] : link.jobs) {
      const along = job - k * back
      if (along < 0 || along > 1) continue
      const { x, y } = route.at(along)
      context.moveTo(x + radius, y)
      context.arc(x, y, radius, 0, 2 * Math.PI)
    }
    context.fill()
  }
  context.globalAlpha = 1
}

/** Draws the way of a worker; with reduced motion also the seat where it ends. */
function drawWay(context: Context, move: FlowMove, { scale, reducedMotion }: FlowData): void {
  const arc = arcThrough(move.x1, move.y1, move.x2, move.y2, scale)
  context.strokeStyle = move.colour
  context.lineCap = 'round'
  context.lineWidth = 1.8 * scale
  context.setLineDash([0, 4.6 * scale])
  context.beginPath()
  context.moveTo(arc.x1, arc.y1)
  context.bezierCurveTo(arc.cx1, arc.cy1, arc.cx2, arc.cy2, arc.x2, arc.y2)
  context.stroke()
  if (reducedMotion) {
    context.beginPath()
    context.arc(arc.x2, arc.y2, DISC * scale, 0, 2 * Math.PI)
    context.stroke()
  }
  context.setLineDash([])
}

function drawMover(context: Context, move: FlowMove, { scale, palette }: FlowData): void {
  const at = pointOn(arcThrough(move.x1, move.y1, move.x2, move.y2, scale), move.fraction)
  const radius = DISC * scale
  fillDisc(context, at.x, at.y, radius + 2 * scale, palette.panel)
  fillDisc(context, at.x, at.y, radius, move.colour)
  // A longer number does not fit.
  if (move.worker > 999) return
  context.fillStyle = move.on
  context.font = `700 ${(move.worker > 99 ? 9 : 11) * scale}px ${palette.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(`${move.worker}`, at.x, at.y + 0.5 * scale)
}

/** Returns the path of a worker from one stage to another, a cubic Bézier curve. It hangs below both, clear of the cards' text; a longer one hangs deeper, up to `40 * scale`. */
export function arcThrough(x1: number, y1: number, x2: number, y2: number, scale = 1) {
  const depth = Math.min(40, 22 + Math.hypot(x2 - x1, y2 - y1) / scale / 16) * scale
  const low = Math.max(y1, y2) + depth
  const inset = (x2 - x1) * 0.22
  return { x1, y1, cx1: x1 + inset, cy1: low, cx2: x2 - inset, cy2: low, x2, y2 }
}

/** Returns the point at `t`, 0 to 1, with a slow start and end. */
export function pointOn({ x1, y1, cx1, cy1, cx2, cy2, x2, y2 }: ReturnType<typeof arcThrough>, t: number): Point {
  const s = easeSinInOut(Math.min(1, Math.max(0, t)))
  const r = 1 - s
  const blend = (a: number, b: number, c: number, d: number) => r * r * r * a + 3 * r * r * s * b + 3 * r * s * s * c + s * s * s * d
  return { x: blend(x1, cx1, cx2, x2), y: blend(y1, cy1, cy2, y2) }
}

/** Returns the length of a link, and a function for the point at a share of that length. */
function linkRoute({ x1, y1, x2, y2, bends = [] }: Pick<FlowLink, keyof Line | 'bends'>) {
  const straight = [
    { x: x1, y: y1 },
    { x: x2, y: y2 },
  ]
  const points = bends.length < 2 ? straight : bends
  const ends = cumsum(pairs(points, (a, b) => Math.hypot(b.x - a.x, b.y - a.y)))
  const length = ends[ends.length - 1]
  return {
    length,
    at(along: number): Point {
      const i = bisectLeft(ends, along * length, 0, ends.length - 1)
      const begun = i === 0 ? 0 : ends[i - 1]
      const share = ends[i] > begun ? (along * length - begun) / (ends[i] - begun) : 0
      const [a, b] = [points[i], points[i + 1]]
      return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
    },
  }
}
