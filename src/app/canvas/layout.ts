/**
 * Where the pipeline stands on the canvas, in the canvas's own pixels. Pure: from the line and the room there is to places.
 *
 * Left to itself the line runs left to right and, where it must, turns at the end of a row as an ox turns at the end of a field, so that
 * every link is a short straight stretch between neighbours:
 *
 *     (source) A → B → C
 *                      ↓
 *      (sink) ← E ← D ←
 */

export interface Point {
  readonly x: number
  readonly y: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
export interface Box extends Point, Size {}

/** Where the words of source and sink stand: below their circle, or beside it. */
export type CaptionSide = 'below' | 'left' | 'right'

export interface Arrangement {
  /** Of "source", every stage and "sink". */
  readonly boxes: ReadonlyMap<string, Box>
  /** Around everything, words included. */
  readonly bounds: Box
  readonly captions: { readonly source: CaptionSide; readonly sink: CaptionSide }
  /** The places of the line in order, where it is laid out automatically; empty where a person has placed a stage. */
  readonly slots: readonly Box[]
}

export interface Placed {
  readonly id: string
  readonly position: Point | null
}

export const CARD: Size = { width: 186, height: 164 }
export const CIRCLE: Size = { width: 40, height: 40 }
const GAP = 30
const ROW_GAP = 42
/** From a card's side to the middle of a circle beside it, and on to the end of the words below that. */
const TO_CIRCLE = 66
const HALF_CAPTION = 48
const BESIDE = TO_CIRCLE + HALF_CAPTION
/** From a card's edge to the circle above or below it. */
const TO_STACKED = 34
const STACKED = TO_STACKED + CIRCLE.height
const CAPTION = 110
/** A zoom at which the words on a card can be read. */
export const READABLE = 0.5

type Ends = 'beside' | 'stacked'
interface Plan {
  readonly columns: number
  readonly ends: Ends
}

/** Lays the line out in `room`: as placed where somebody placed a stage, else in the rows that can be shown largest. */
export function arrange(line: readonly Placed[], room: Size): Arrangement {
  return line.some(({ position }) => position !== null) ? arrangePlaced(line) : arrangeRows(line, planFor(line.length, room))
}

/** The rows that fit at the greatest zoom; if none can be read, those that fit the width at a zoom that can. */
function planFor(count: number, room: Size): Plan {
  const plans: Plan[] = []
  // Few rows first; of so many rows the fewest columns, so that the last row is about as long as the others.
  for (let rows = 1; rows <= count; rows++) {
    const columns = Math.ceil(count / rows)
    plans.push({ columns, ends: 'beside' }, { columns, ends: 'stacked' })
  }
  const zoomOf = (plan: Plan) => zoomFor(extent(count, plan), room)
  const best = plans.reduce((a, b) => (zoomOf(b) > zoomOf(a) + 1e-9 ? b : a))
  if (zoomOf(best) >= READABLE) return best
  return plans.find((plan) => extent(count, plan).width * READABLE <= room.width) ?? plans[plans.length - 1]
}

/** The zoom at which something fits a room, never enlarged. */
export const zoomFor = (size: Size, room: Size) => Math.min(1, room.width / size.width, room.height / size.height)

function extent(count: number, { columns, ends }: Plan): Size {
  const rows = Math.ceil(count / columns)
  const width = columns * CARD.width + (columns - 1) * GAP
  const height = rows * CARD.height + (rows - 1) * ROW_GAP
  if (ends === 'stacked') return { width: Math.max(width, CARD.width / 2 + CAPTION), height: height + 2 * STACKED }
  const sinkAtRight = rows % 2 === 1 && count === rows * columns
  return { width: width + BESIDE + (sinkAtRight ? BESIDE : 0), height }
}

function arrangeRows(line: readonly Placed[], plan: Plan): Arrangement {
  const { columns, ends } = plan
  const slots = line.map((_, i): Box => {
    const row = Math.floor(i / columns)
    const column = row % 2 === 0 ? i % columns : columns - 1 - (i % columns)
    return { x: column * (CARD.width + GAP), y: row * (CARD.height + ROW_GAP), ...CARD }
  })
  const last = slots[slots.length - 1]
  const backwards = Math.floor((line.length - 1) / columns) % 2 === 1
  const boxes = new Map(line.map(({ id }, i) => [id, slots[i]]))
  boxes.set('source', ends === 'beside' ? circleBeside(slots[0], 'left') : circleStacked(slots[0], 'above'))
  boxes.set('sink', ends === 'beside' ? circleBeside(last, backwards ? 'left' : 'right') : circleStacked(last, 'below'))
  const sinkSide = columns > 1 && last.x > 0 ? 'left' : 'right'
  const captions = ends === 'beside' ? BELOW : ({ source: 'right', sink: sinkSide } as const)
  return { boxes, bounds: boundsOf(boxes, captions), captions, slots }
}

const BELOW = { source: 'below', sink: 'below' } as const

function arrangePlaced(line: readonly Placed[]): Arrangement {
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
  const [first, last] = [boxes.get(line[0].id), boxes.get(line[line.length - 1].id)]
  if (first !== undefined) boxes.set('source', freeCircle([circleBeside(first, 'left'), circleStacked(first, 'above'), circleStacked(first, 'below')], boxes))
  if (last !== undefined) boxes.set('sink', freeCircle([circleBeside(last, 'right'), circleStacked(last, 'below'), circleStacked(last, 'above')], boxes))
  return { boxes, bounds: boundsOf(boxes, BELOW), captions: BELOW, slots: [] }
}

/** Half way between the neighbours in the line where there is room for a card, else right behind the one before. */
function between(before: Box | undefined, after: Box | undefined): Point {
  if (before === undefined) return after === undefined ? { x: 0, y: 0 } : { x: after.x - CARD.width - GAP, y: after.y }
  if (after !== undefined) {
    const half = { x: Math.round((before.x + after.x) / 2), y: Math.round((before.y + after.y) / 2) }
    if (!overlap({ ...half, ...CARD }, before) && !overlap({ ...half, ...CARD }, after)) return half
  }
  return { x: before.x + CARD.width + GAP, y: before.y }
}

/** The place asked for, or the first below it where no card stands. */
function freePlace(asked: Point, boxes: ReadonlyMap<string, Box>): Box {
  let place: Box = { ...asked, ...CARD }
  for (let blocked = blocker(place, boxes); blocked !== undefined; blocked = blocker(place, boxes)) place = { ...place, y: blocked.y + blocked.height + GAP }
  return place
}

function freeCircle(candidates: readonly [Box, ...Box[]], boxes: ReadonlyMap<string, Box>): Box {
  return candidates.find((place) => blocker(place, boxes) === undefined) ?? candidates[0]
}

function blocker(place: Box, boxes: ReadonlyMap<string, Box>): Box | undefined {
  return [...boxes.values()].find((box) => overlap(place, box))
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function circleBeside(card: Box, side: 'left' | 'right'): Box {
  const middle = side === 'left' ? card.x - TO_CIRCLE : card.x + card.width + TO_CIRCLE
  return { x: middle - CIRCLE.width / 2, y: card.y + (card.height - CIRCLE.height) / 2, ...CIRCLE }
}

function circleStacked(card: Box, side: 'above' | 'below'): Box {
  return { x: card.x + (card.width - CIRCLE.width) / 2, y: side === 'above' ? card.y - STACKED : card.y + card.height + TO_STACKED, ...CIRCLE }
}

function boundsOf(boxes: ReadonlyMap<string, Box>, captions: Arrangement['captions']): Box {
  const all = [...boxes].map(([id, box]) => (id === 'source' || id === 'sink' ? withCaption(box, captions[id]) : box))
  const [left, top] = [Math.min(...all.map((box) => box.x)), Math.min(...all.map((box) => box.y))]
  const [right, bottom] = [Math.max(...all.map((box) => box.x + box.width)), Math.max(...all.map((box) => box.y + box.height))]
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function withCaption(circle: Box, side: CaptionSide): Box {
  if (side === 'below') return { x: circle.x + circle.width / 2 - HALF_CAPTION, y: circle.y, width: 2 * HALF_CAPTION, height: circle.height + 40 }
  const wide = circle.width / 2 + CAPTION
  return { x: side === 'right' ? circle.x : circle.x + circle.width - wide, y: circle.y, width: wide, height: circle.height }
}

/** The place in the line on which a card is dropped when its middle is at `middle`: the nearest in that row; null: in no row. */
export function slotAt(slots: readonly Box[], middle: Point): number | null {
  let nearest: number | null = null
  let least = CARD.width * 1.5
  slots.forEach((slot, i) => {
    const aside = Math.abs(slot.x + slot.width / 2 - middle.x)
    if (Math.abs(slot.y + slot.height / 2 - middle.y) > CARD.height / 2 || aside >= least) return
    least = aside
    nearest = i
  })
  return nearest
}
