import { bisectLeft, cumsum, pairs } from 'd3-array'
import { easeSinInOut } from 'd3-ease'
import { type Context, fillDisc, strokeCircle } from '../drawing/canvas.ts'
import type { FlowData, FlowLink, FlowMove, FlowPoint, Line } from './flow.ts'

const JOB = 2.6
const TAIL = 3
const TAIL_STEP = 8
const DISC = 11

/** Paints what moves between cards: jobs on links, workers on their way, and the ring around an end. With reduced motion workers stand where they go. */
export function paintMoving(context: Context, data: FlowData): void {
  const { links, moves, ring, scale, palette, reducedMotion } = data
  for (const link of links) drawJobs(context, link, data)
  for (const move of moves) drawWay(context, move, scale)
  if (!reducedMotion) for (const move of moves) drawMover(context, move, data)
  if (ring !== null) strokeCircle(context, ring.x, ring.y, ring.radius + 4 * scale, palette.ink, 2 * scale)
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

function drawWay(context: Context, move: FlowMove, scale: number): void {
  const arc = arcThrough(move, scale)
  context.strokeStyle = move.colour
  context.lineCap = 'round'
  context.lineWidth = 1.8 * scale
  context.setLineDash([0, 4.6 * scale])
  context.beginPath()
  context.moveTo(arc.x1, arc.y1)
  context.bezierCurveTo(arc.cx1, arc.cy1, arc.cx2, arc.cy2, arc.x2, arc.y2)
  context.stroke()
  context.setLineDash([])
}

function drawMover(context: Context, move: FlowMove, { scale, palette }: FlowData): void {
  const at = pointOn(arcThrough(move, scale), move.fraction)
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

/** Returns the path of a worker from one stage to another, a cubic Bézier curve. It hangs below both and below the cards between them, clear of the cards' text; a longer one hangs deeper. */
export function arcThrough({ x1, y1, x2, y2, under }: Line & Pick<FlowMove, 'under'>, scale = 1) {
  const depth = Math.min(40, 22 + Math.hypot(x2 - x1, y2 - y1) / scale / 16) * scale
  // Half way, the curve has come three quarters of the way from its ends to `low`.
  const low = Math.max(Math.max(y1, y2) + depth, (under + (DISC + 2) * scale - (y1 + y2) / 8) / 0.75)
  const inset = (x2 - x1) * 0.22
  return { x1, y1, cx1: x1 + inset, cy1: low, cx2: x2 - inset, cy2: low, x2, y2 }
}

/** Returns the point at `t`, 0 to 1, with a slow start and end. */
export function pointOn({ x1, y1, cx1, cy1, cx2, cy2, x2, y2 }: ReturnType<typeof arcThrough>, t: number): FlowPoint {
  const s = easeSinInOut(Math.min(1, Math.max(0, t)))
  const r = 1 - s
  const blend = (a: number, b: number, c: number, d: number) =>
    r * r * r * a + 3 * r * r * s * b + 3 * r * s * s * c + s * s * s * d
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
    at(along: number): FlowPoint {
      const i = bisectLeft(ends, along * length, 0, ends.length - 1)
      const start = i === 0 ? 0 : ends[i - 1]
      const share = ends[i] > start ? (along * length - start) / (ends[i] - start) : 0
      const [a, b] = [points[i], points[i + 1]]
      return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }
    },
  }
}
