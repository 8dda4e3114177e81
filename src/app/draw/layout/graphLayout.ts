import type { Link } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import { layered } from './layered.ts'
import { flattened, linkCurve } from './linkCurve.ts'
import type { Arrangement, Box, Flow, Placed, Point } from './places.ts'
import {
  arranged,
  BELOW,
  boxAround,
  CARD,
  CIRCLE,
  extent,
  isWorthIt,
  LOW_CARD,
  placedBoxes,
  TO_CIRCLE,
  turned,
  turnedBoxes,
  zoomFor,
} from './places.ts'

/** Lays out a graph in layers (layered.ts), from top to bottom if that is clearly larger. Once a person has placed a stage, it keeps all places. */
export function arrangeGraph(line: readonly Placed[], links: readonly Link[], room: Size): Arrangement {
  return line.some(({ position }) => position !== null)
    ? arrangePlacedGraph(line, links)
    : arrangeLayers(line, links, room)
}

const BESIDE_ENDS = { source: 'right', sink: 'right' } as const

/** Lays out layers from top to bottom only if that is clearly larger. */
function arrangeLayers(line: readonly Placed[], links: readonly Link[], room: Size): Arrangement {
  const ids = line.map(({ id }) => id)
  const layOut = layered(ids, links)
  const zoomOf = ({ bounds }: Arrangement) => zoomFor(bounds, room)
  const [full, low] = [CARD, LOW_CARD].map((card) => {
    const [right, down] = (['right', 'down'] as const).map((flow): Arrangement => {
      const { middles, via, joins } = layOut(flow, card)
      const boxes = new Map(
        [...middles].map(([id, { x, y }]) => [id, boxAround(x, y, id === 'source' || id === 'sink' ? CIRCLE : card)]),
      )
      return arranged(boxes, flow === 'right' ? BELOW : BESIDE_ENDS, { flow, via, joins })
    })
    return zoomOf(down) > 1.15 * zoomOf(right) ? down : right
  })
  return isWorthIt(zoomOf(full), zoomOf(low)) ? low : full
}

function arrangePlacedGraph(line: readonly Placed[], links: readonly Link[]): Arrangement {
  const cards = placedBoxes(line)
  const flow = flowOf(cards, links)
  const boxes = flow === 'right' ? withEnds(cards, links) : turnedBoxes(withEnds(turnedBoxes(cards), links))
  return arranged(boxes, flow === 'right' ? BELOW : BESIDE_ENDS, { flow, via: routesAroundCards(boxes, links, flow) })
}

/** Adds source and sink to the left and right of all cards, at the mean height of those they are linked to. */
function withEnds(cards: ReadonlyMap<string, Box>, links: readonly Link[]): Map<string, Box> {
  const all = [...cards.values()]
  const heightOf = (ids: readonly string[]) => {
    const beside = ids.flatMap((id) => cards.get(id) ?? [])
    const some = beside.length > 0 ? beside : all
    return some.reduce((sum, { y, height }) => sum + y + height / 2, 0) / some.length
  }
  const { x, width } = extent(all)
  const first = heightOf(links.flatMap(([from, to]) => (from === 'source' ? [to] : [])))
  const last = heightOf(links.flatMap(([from, to]) => (to === 'sink' ? [from] : [])))
  return new Map([
    ...cards,
    ['source', boxAround(x - TO_CIRCLE, first, CIRCLE)],
    ['sink', boxAround(x + width + TO_CIRCLE, last, CIRCLE)],
  ])
}

/** Returns `right`, unless more links lead clearly down than clearly right. */
function flowOf(boxes: ReadonlyMap<string, Box>, links: readonly Link[]): Flow {
  let down = 0
  for (const [from, to] of links) {
    const [a, b] = [boxes.get(from), boxes.get(to)]
    if (a === undefined || b === undefined) continue
    if (b.y >= a.y + a.height) down++
    if (b.x >= a.x + a.width) down--
  }
  return down > 0 ? 'down' : 'right'
}

/** The distance of a link from a card that it goes around, in pixels. */
const CLEAR = 18

/** Returns the ways of links around cards that a person has placed: on the nearer free side, or straight through if neither is free. */
export function routesAroundCards(
  boxes: ReadonlyMap<string, Box>,
  links: readonly Link[],
  flow: Flow,
): ReadonlyMap<string, readonly Point[]> {
  if (flow === 'down')
    return new Map(
      [...routesAroundCards(turnedBoxes(boxes), links, 'right')].map(([link, way]) => [link, way.map(turned)]),
    )
  const cards = [...boxes]
  const via = new Map<string, readonly Point[]>()
  for (const [from, to] of links) {
    const [a, b] = [boxes.get(from), boxes.get(to)]
    if (a === undefined || b === undefined) continue
    const others = cards.filter(([id]) => id !== from && id !== to).map(([, box]) => box)
    const inTheWay = (way: readonly Point[]) => {
      const points = flattened(linkCurve(a, b, flow, way))
      return others.filter((box) =>
        points.some(
          ({ x, y }) => x > box.x - 4 && x < box.x + box.width + 4 && y > box.y - 4 && y < box.y + box.height + 4,
        ),
      )
    }
    const blocking = inTheWay([])
    if (blocking.length === 0) continue
    const middle = (a.y + b.y + (a.height + b.height) / 2) / 2
    const { x, y, width, height } = extent(blocking)
    const sides = [y - CLEAR, y + height + CLEAR].sort((p, q) => Math.abs(p - middle) - Math.abs(q - middle))
    const ways = sides.map((y): Point[] => [x, x + width].map((x) => ({ x, y })))
    const free = ways.find((way) => inTheWay(way).length === 0)
    if (free !== undefined) via.set(`${from} ${to}`, free)
  }
  return via
}
