import { isLinear, linearOrder, orderOf } from '../../../scenario/model/linearStages.ts'
import type { Link } from '../../../scenario/model/scenario.ts'
import type { Size } from '../../base/page/useSize.ts'
import type { Arrangement, Box, Placed, Point } from './places.ts'
import {
  arranged,
  BELOW,
  blocker,
  CAPTION,
  CARD,
  CIRCLE,
  EASY,
  HALF_CAPTION,
  isWorthIt,
  LOW_CARD,
  NODE_GAP,
  placedBoxes,
  READABLE,
  TO_CIRCLE,
  WHOLE,
  zoomFor,
} from './places.ts'

/**
 * The places of the pipeline on the canvas, in pixels of the canvas. Pure: it computes them from the line and the free space.
 *
 * By default the line runs from left to right. If it does not fit, every other row runs from right to left, so that
 * every link is short and straight:
 *
 *     (source) A → B → C
 *                      ↓
 *      (sink) ← E ← D ←
 *
 * Other graphs are laid out in graphLayout.ts.
 */

const ROW_GAP = 42
const LOW_ROW_GAP = 24
const BESIDE = TO_CIRCLE + HALF_CAPTION
const TO_STACKED = 34
const STACKED = TO_STACKED + CIRCLE.height

type Ends = 'beside' | 'stacked'
type Plan = { readonly columns: number; readonly ends: Ends; readonly low: boolean }

/** Lays out a line in `room`: in rows, or as placed once a person has placed a stage. `part`: the zoom of rows that do not fit. */
export function arrange(line: readonly Placed[], room: Size, part = READABLE): Arrangement {
  return line.some(({ position }) => position !== null)
    ? arrangePlaced(line)
    : arrangeRows(line, planFor(line.length, room, part))
}

/** Returns the fewest rows that are easy to read; others, and low cards, where they are worth it; if all are unreadable, rows that fit the width at the zoom `part`. */
function planFor(count: number, room: Size, part: number): Plan {
  const plans: Plan[] = []
  // Few rows first, and as few columns as these rows need, so that the last row is about as long as the others.
  for (let rows = 1; rows <= count; rows++) {
    const columns = Math.ceil(count / rows)
    for (const low of rows === 1 ? [false] : [false, true])
      plans.push({ columns, ends: 'beside', low }, { columns, ends: 'stacked', low })
  }
  const zoomOf = (plan: Plan) => zoomFor(sizeOf(count, plan), room)
  const full = plans.filter(({ low }) => !low)
  const easy = full.filter((plan) => zoomOf(plan) >= EASY)
  const usual = easy.find(({ ends }) => ends === 'beside') ?? easy[0] ?? plans[0]
  const largest = (of: readonly Plan[]) => of.reduce((a, b) => (zoomOf(b) > zoomOf(a) + 1e-9 ? b : a), usual)
  const better = (a: Plan, b: Plan) => (isWorthIt(zoomOf(a), zoomOf(b)) ? b : a)
  const best = better(better(usual, largest(full)), largest(plans))
  if (zoomOf(best) >= WHOLE) return best
  // In three or more rows of three or more, cards are low.
  const parts = plans.filter(({ columns, low }) => low === (count > 2 * columns && columns > 2))
  return parts.find((plan) => sizeOf(count, plan).width * part <= room.width) ?? parts[parts.length - 1]
}

function sizeOf(count: number, { columns, ends, low }: Plan): Size {
  const rows = Math.ceil(count / columns)
  const width = columns * CARD.width + (columns - 1) * NODE_GAP
  const { card, gap } = rowsOf(low)
  const height = rows * card.height + (rows - 1) * gap
  if (ends === 'stacked') return { width: Math.max(width, CARD.width / 2 + CAPTION), height: height + 2 * STACKED }
  const sinkAtRight = rows % 2 === 1 && count === rows * columns
  return { width: width + BESIDE + (sinkAtRight ? BESIDE : 0), height }
}

/** Returns the cards of a line, and the gap between its rows. */
function rowsOf(low: boolean): { readonly card: Size; readonly gap: number } {
  return low ? { card: LOW_CARD, gap: LOW_ROW_GAP } : { card: CARD, gap: ROW_GAP }
}

function arrangeRows(line: readonly Placed[], plan: Plan): Arrangement {
  const { columns, ends, low } = plan
  const { card, gap } = rowsOf(low)
  const slots = line.map((_, i): Box => {
    const row = Math.floor(i / columns)
    const column = row % 2 === 0 ? i % columns : columns - 1 - (i % columns)
    return { x: column * (CARD.width + NODE_GAP), y: row * (card.height + gap), ...card }
  })
  const last = slots[slots.length - 1]
  const backwards = Math.floor((line.length - 1) / columns) % 2 === 1
  const boxes = new Map(line.map(({ id }, i) => [id, slots[i]]))
  boxes.set('source', ends === 'beside' ? circleBeside(slots[0], 'left') : circleStacked(slots[0], 'above'))
  boxes.set('sink', ends === 'beside' ? circleBeside(last, backwards ? 'left' : 'right') : circleStacked(last, 'below'))
  const sinkSide = columns > 1 && last.x > 0 ? 'left' : 'right'
  const captions = ends === 'beside' ? BELOW : ({ source: 'right', sink: sinkSide } as const)
  return arranged(boxes, captions, { slots })
}

function arrangePlaced(line: readonly Placed[]): Arrangement {
  const boxes = placedBoxes(line)
  const putCircle = (id: 'source' | 'sink', card: Box | undefined, side: 'left' | 'right') => {
    if (card === undefined) return
    const [above, below] = [circleStacked(card, 'above'), circleStacked(card, 'below')]
    const stacked = side === 'left' ? [above, below] : [below, above]
    boxes.set(id, freeCircle([circleBeside(card, side), ...stacked], boxes))
  }
  putCircle('source', boxes.get(line[0].id), 'left')
  putCircle('sink', boxes.get(line[line.length - 1].id), 'right')
  return arranged(boxes, BELOW, {})
}

function freeCircle(candidates: readonly Box[], boxes: ReadonlyMap<string, Box>): Box {
  return candidates.find((place) => blocker(place, boxes) === undefined) ?? candidates[0]
}

function circleBeside(card: Box, side: 'left' | 'right'): Box {
  const middle = side === 'left' ? card.x - TO_CIRCLE : card.x + card.width + TO_CIRCLE
  return { x: middle - CIRCLE.width / 2, y: card.y + (card.height - CIRCLE.height) / 2, ...CIRCLE }
}

function circleStacked(card: Box, side: 'above' | 'below'): Box {
  return {
    x: card.x + (card.width - CIRCLE.width) / 2,
    y: side === 'above' ? card.y - STACKED : card.y + card.height + TO_STACKED,
    ...CIRCLE,
  }
}

/** Returns the factor by which rows of low cards move apart when they become full cards, once a person has placed a stage; else 1. */
export function stretchOf(boxes: ReadonlyMap<string, Box>): number {
  const low = [...boxes.values()].some(({ width, height }) => width === LOW_CARD.width && height === LOW_CARD.height)
  return low ? (CARD.height + ROW_GAP) / (LOW_CARD.height + LOW_ROW_GAP) : 1
}

/** Returns the place in the line for a card dropped at `middle`: the nearest in that row; null outside of all rows. */
export function slotAt(slots: readonly Box[], middle: Point): number | null {
  const aside = ({ x, width }: Box) => Math.abs(x + width / 2 - middle.x)
  const row = slots.filter(
    (slot) => Math.abs(slot.y + slot.height / 2 - middle.y) <= slot.height / 2 && aside(slot) < CARD.width * 1.5,
  )
  return row.length === 0 ? null : slots.indexOf(row.reduce((best, slot) => (aside(slot) < aside(best) ? slot : best)))
}

/** Returns the ids of all stages, each after all that feed it. One without an incoming link counts as fed by the source; those in a cycle come last. */
export function drawnOrder(ids: readonly string[], links: readonly Link[]): string[] {
  const fed = new Set(links.map(([, to]) => to))
  const order = orderOf(ids, [...links, ...ids.filter((id) => !fed.has(id)).map((id): Link => ['source', id])])
  const placed = new Set(order)
  return [...order, ...ids.filter((id) => !placed.has(id))]
}

/** Returns the links of a graph; null for a line, or for what becomes one after a drop. */
export function graphLinks({
  stages,
  links,
}: {
  readonly stages: readonly unknown[]
  readonly links: readonly Link[]
}): readonly Link[] | null {
  return links.length === stages.length + 1 && isLinear({ links }) && linearOrder({ links }).length === stages.length
    ? null
    : links
}
