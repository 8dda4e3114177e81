import { type Box, type Flow, type Point, turned, turnedBox } from './places.ts'

/** The curve of a link: its start, then for each piece (a cubic Bezier) two control points and the end. */
type LinkCurve = readonly Point[]

/** Returns the curve of a link: straight between neighbours on a line; in a graph out of one side and into the other, through `via`. */
export function linkCurve(from: Box, to: Box, flow: Flow | null, via: readonly Point[] = []): LinkCurve {
  if (flow === null) {
    const { x1, y1, x2, y2 } = linkEnds(from, to)
    return [
      { x: x1, y: y1 },
      { x: x1 + (x2 - x1) / 3, y: y1 + (y2 - y1) / 3 },
      { x: x2 - (x2 - x1) / 3, y: y2 - (y2 - y1) / 3 },
      { x: x2, y: y2 },
    ]
  }
  if (flow === 'down') return linkCurve(turnedBox(from), turnedBox(to), 'right', via.map(turned)).map(turned)
  const stops = [portOf(from, flow, 'out'), ...via, portOf(to, flow, 'in')]
  return stops.flatMap((stop, i) => (i === 0 ? [stop] : [...bent(stops[i - 1], stop), stop]))
}

export function portOf({ x, y, width, height }: Box, flow: Flow, side: 'in' | 'out'): Point {
  if (flow === 'right') return { x: side === 'in' ? x : x + width, y: y + height / 2 }
  return { x: x + width / 2, y: side === 'in' ? y : y + height }
}

/** Returns the control points: a link forward bends half way, a link back swings out first. */
function bent(a: Point, b: Point): readonly [Point, Point] {
  const ahead = b.x - a.x
  const reach = ahead >= 0 ? ahead / 2 : Math.min(160, 40 - ahead / 3)
  return [
    { x: a.x + reach, y: a.y },
    { x: b.x - reach, y: b.y },
  ]
}

/** Returns a point of one piece, with `t` from 0 to 1. */
export function onPiece(curve: LinkCurve, piece: number, t: number): Point {
  const [a, b, c, d] = curve.slice(piece * 3, piece * 3 + 4)
  const s = 1 - t
  const weigh = (p: number, q: number, r: number, w: number) =>
    s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * w
  return { x: weigh(a.x, b.x, c.x, d.x), y: weigh(a.y, b.y, c.y, d.y) }
}

const PIECES = 14

/** Returns the curve as short straight segments, for what moves along it. */
export function flattened(curve: LinkCurve): Point[] {
  const points = [curve[0]]
  for (let piece = 0; piece * 3 + 3 < curve.length; piece++)
    for (let k = 1; k <= PIECES; k++) points.push(onPiece(curve, piece, k / PIECES))
  return points
}

const SHORT = 2
const HEAD = 3.5

/** Returns an SVG path. It stops short of its end and has an arrow there, unless it joins another link. */
export function linkPath(curve: LinkCurve, straight: boolean, headed = true): string {
  const [start, end] = [curve[0], curve[curve.length - 1]]
  if (Math.hypot(end.x - start.x, end.y - start.y) < 2 * HEAD) return ''
  const from = curve[curve.length - 2]
  const reach = Math.hypot(end.x - from.x, end.y - from.y) || 1
  const [ux, uy] = [(end.x - from.x) / reach, (end.y - from.y) / reach]
  const tip = headed ? { x: end.x - ux * SHORT, y: end.y - uy * SHORT } : end
  const back = { x: tip.x - ux * HEAD, y: tip.y - uy * HEAD }
  const f = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`
  let way = `M${f(start)}`
  if (straight) way += `L${f(tip)}`
  else
    for (let i = 1; i < curve.length; i += 3)
      way += `C${f(curve[i])} ${f(curve[i + 1])} ${f(i + 3 < curve.length ? curve[i + 2] : tip)}`
  return !headed
    ? way
    : `${way}M${f({ x: back.x - uy * HEAD, y: back.y + ux * HEAD })}L${f(tip)}L${f({ x: back.x + uy * HEAD, y: back.y - ux * HEAD })}`
}

/** Returns the ends of a straight link between two boxes: the middles of the sides that face each other. */
export function linkEnds(from: Box, to: Box) {
  const aside = Math.max(to.x - (from.x + from.width), from.x - (to.x + to.width))
  const apart = Math.max(to.y - (from.y + from.height), from.y - (to.y + to.height))
  const [a, b] = [middleOf(from), middleOf(to)]
  if (aside >= apart) {
    const right = b.x >= a.x
    return { x1: right ? from.x + from.width : from.x, y1: a.y, x2: right ? to.x : to.x + to.width, y2: b.y }
  }
  const down = b.y >= a.y
  return { x1: a.x, y1: down ? from.y + from.height : from.y, x2: b.x, y2: down ? to.y : to.y + to.height }
}

function middleOf(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
