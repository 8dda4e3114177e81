import type { Size } from '../../base/page/useSize.ts'

/** Types of every layout of the pipeline. All numbers are pixels of the canvas. */

export type Point = { readonly x: number; readonly y: number }
export interface Box extends Point, Size {}

/** The direction of the links in a graph. */
export type Flow = 'right' | 'down'

export type CaptionSide = 'below' | 'left' | 'right'

export interface Arrangement {
  /** The boxes of "source", every stage and "sink". */
  readonly boxes: ReadonlyMap<string, Box>
  /** The box around everything, captions included. */
  readonly bounds: Box
  readonly captions: { readonly source: CaptionSide; readonly sink: CaptionSide }
  /** The places of the line in order, if it is laid out automatically; else empty. */
  readonly slots: readonly Box[]
  /** The direction of the links; null on a line, where each goes the shortest way. */
  readonly flow: Flow | null
  /** By `from to`: the points through which a link goes around cards. */
  readonly via: ReadonlyMap<string, readonly Point[]>
  /** By `from to`: how many of these points a link passes until it joins another to the same end. */
  readonly joins: ReadonlyMap<string, number>
}

export type Placed = { readonly id: string; readonly position: Point | null }

export const CARD: Size = { width: 186, height: 164 }
/** A card where several must stand above each other: without the dots of its queue, so that all are visible at once and easy to read. */
export const LOW_CARD: Size = { width: CARD.width, height: 114 }
/** The corner in a card below its head where the run paints. */
export const LIVE: Point = { x: 14, y: 37 }
export const CIRCLE: Size = { width: 40, height: 40 }
export const NODE_GAP = 24
/** The distance from a card to the middle of a circle beside it, and on to the end of its caption. nodes.css breaks the caption there. */
export const TO_CIRCLE = 42
export const HALF_CAPTION = 38
export const CAPTION = 120
/** A zoom at which the text on a card is readable, and one at which it is easy to read: the card is 140 pixels wide. */
export const READABLE = 0.5
export const EASY = 140 / CARD.width
/** A little smaller than readable: a pipeline may be so small if it is visible as a whole then. */
export const WHOLE = READABLE * 0.85

const LARGEST = 4 / 3

/** Returns whether a less usual layout is better, by the zoom of both: if the usual one is hard to read, or reduced and the other clearly larger. */
export const isWorthIt = (usual: number, other: number) =>
  usual < EASY ? other > usual + 1e-9 : usual < 1 && other > 1.2 * usual

/** Returns the zoom at which something fits a room, at most a third larger than drawn. */
export const zoomFor = (size: Size, room: Size) => Math.min(LARGEST, room.width / size.width, room.height / size.height)

/** The room between a dropped card and its neighbours. */
const CLEAR = 8

export const BELOW = { source: 'below', sink: 'below' } as const

/** Returns a point or box with its axes exchanged: what flows down is laid out as if it flowed to the right. */
export const turned = ({ x, y }: Point): Point => ({ x: y, y: x })
export const turnedBox = ({ x, y, width, height }: Box): Box => ({ x: y, y: x, width: height, height: width })

export function turnedBoxes(boxes: ReadonlyMap<string, Box>): Map<string, Box> {
  return new Map([...boxes].map(([id, box]) => [id, turnedBox(box)]))
}

export function boxAround(x: number, y: number, { width, height }: Size): Box {
  return { x: x - width / 2, y: y - height / 2, width, height }
}

/** Returns the boxes of placed stages, and of the others where there is room near their neighbours. */
export function placedBoxes(line: readonly Placed[]): Map<string, Box> {
  const boxes = new Map<string, Box>()
  for (const { id, position } of line) if (position !== null) boxes.set(id, { ...position, ...CARD })
  line.forEach(({ id, position }, i) => {
    if (position !== null) return
    const before = boxes.get(line[i - 1]?.id)
    const after = line
      .slice(i + 1)
      .map((stage) => boxes.get(stage.id))
      .find((box) => box !== undefined)
    boxes.set(id, freePlace(between(before, after), boxes))
  })
  return boxes
}

/** Returns the point half way between two neighbours if a card fits there, else right after the first. */
function between(before: Box | undefined, after: Box | undefined): Point {
  if (before === undefined)
    return after === undefined ? { x: 0, y: 0 } : { x: after.x - CARD.width - NODE_GAP, y: after.y }
  if (after !== undefined) {
    const half = { x: Math.round((before.x + after.x) / 2), y: Math.round((before.y + after.y) / 2) }
    if (!overlap({ ...half, ...CARD }, before) && !overlap({ ...half, ...CARD }, after)) return half
  }
  return { x: before.x + CARD.width + NODE_GAP, y: before.y }
}

/** Returns the box at `asked`, or the first one below it that is free. */
function freePlace(asked: Point, boxes: ReadonlyMap<string, Box>): Box {
  let place: Box = { ...asked, ...CARD }
  for (let blocked = blocker(place, boxes); blocked !== undefined; blocked = blocker(place, boxes))
    place = { ...place, y: blocked.y + blocked.height + NODE_GAP }
  return place
}

/** Returns the nearest box around `point` that keeps clear of all others; where none does, the nearest beside it. */
export function freeAround(point: Point, boxes: ReadonlyMap<string, Box>): Box {
  const middle = boxAround(point.x, point.y, CARD)
  const near = [...boxes.values()].filter(
    (box) => Math.abs(box.x - middle.x) < 3 * CARD.width && Math.abs(box.y - middle.y) < 3 * CARD.height,
  )
  const xs = [middle.x, ...near.flatMap(({ x, width }) => [x - CARD.width - CLEAR, x + width + CLEAR])]
  const ys = [middle.y, ...near.flatMap(({ y, height }) => [y - CARD.height - CLEAR, y + height + CLEAR])]
  const free = xs
    .flatMap((x) => ys.map((y): Box => ({ ...CARD, x, y })))
    .filter((place) => !near.some((box) => overlap(place, box)))
  const beside = ({ x, y }: Box) => Math.abs(x - middle.x) > CARD.width / 2 || Math.abs(y - middle.y) > CARD.height / 2
  const away = (place: Box) => (beside(place) ? CARD.width : 0) + Math.hypot(place.x - middle.x, place.y - middle.y)
  return free.reduce((nearest, place) => (away(place) < away(nearest) ? place : nearest), free[0] ?? middle)
}

export function blocker(place: Box, boxes: ReadonlyMap<string, Box>): Box | undefined {
  return [...boxes.values()].find((box) => overlap(place, box))
}

export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

type Ways = Partial<Pick<Arrangement, 'slots' | 'flow' | 'via' | 'joins'>>

/** Returns an arrangement with its bounds. Without ways of links it is a line, in which each goes the shortest way. */
export function arranged(boxes: Arrangement['boxes'], captions: Arrangement['captions'], ways: Ways): Arrangement {
  const { slots = [], flow = null, via = new Map(), joins = new Map() } = ways
  const all = [...boxes].map(([id, box]) => (id === 'source' || id === 'sink' ? withCaption(box, captions[id]) : box))
  for (const way of via.values()) for (const { x, y } of way) all.push(boxAround(x, y, { width: 4, height: 4 }))
  return { boxes, bounds: extent(all), captions, slots, flow, via, joins }
}

/** Returns the box around all of these. */
export function extent(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.x + box.width)),
    Math.max(...boxes.map((box) => box.y + box.height)),
  ]
  return { x, y, width: right - x, height: bottom - y }
}

function withCaption(circle: Box, side: CaptionSide): Box {
  if (side === 'below')
    return {
      x: circle.x + circle.width / 2 - HALF_CAPTION,
      y: circle.y,
      width: 2 * HALF_CAPTION,
      height: circle.height + 40,
    }
  const wide = circle.width / 2 + CAPTION
  return {
    x: side === 'right' ? circle.x : circle.x + circle.width - wide,
    y: circle.y,
    width: wide,
    height: circle.height,
  }
}

/** The space between cards that would overlap, in pixels. */
const APART = 30

/** Returns cards in a row or column in their order: at their mean height, evenly spaced, never overlapping. */
export function aligned(
  boxes: ReadonlyMap<string, Box>,
  ids: readonly string[],
  as: 'row' | 'column',
): Map<string, Point> {
  const [start, length, other] = as === 'row' ? (['x', 'width', 'y'] as const) : (['y', 'height', 'x'] as const)
  const present = ids
    .map((id) => [id, boxes.get(id)] as const)
    .filter((card): card is [string, Box] => card[1] !== undefined)
  const cards = present.sort(([, a], [, b]) => a[start] - b[start])
  if (cards.length === 0) return new Map()
  const [first, last] = [cards[0][1], cards[cards.length - 1][1]]
  const mean = Math.round(cards.reduce((sum, [, box]) => sum + box[other], 0) / cards.length)
  const step = Math.max(first[length] + APART, cards.length < 2 ? 0 : (last[start] - first[start]) / (cards.length - 1))
  return new Map(
    cards.map(([id], i) => {
      const along = Math.round(first[start] + i * step)
      return [id, as === 'row' ? { x: along, y: mean } : { x: mean, y: along }]
    }),
  )
}
