import { halved } from '../../scenario/model/halving.ts'
import { circlePath } from '../drawing/svg.ts'

export interface ParliamentLayout {
  readonly width: number
  readonly height: number
  readonly seatRadius: number
  /** The middles of the seats, in pixels from the corner of the picture, from left to right: by angle, and at the same angle from the outer row inwards. */
  readonly seats: readonly { readonly x: number; readonly y: number }[]
  /** The middle of the half circle's base. */
  readonly centre: { readonly x: number; readonly y: number }
  /** The radius that is free for the number in the middle. */
  readonly hollow: number
}

const LARGEST_SEAT = 11
/** Seats of this radius are large enough: no further row is added to make them larger. */
const FINE_SEAT = 8
/** A seat's diameter as a share of the distance between neighbours: 22 pixels of 34. */
const FILLED = 0.68
const ROWS = 12
/** The part of the radius that is kept free for the number and its caption. */
const HOLLOW = 0.62

/** Returns `n` seats (1 to 256) in half circles in a box, in the rows (1 to 12) that give the largest seats and leave the middle free. */
export function parliamentLayout(n: number, width: number, height: number): ParliamentLayout {
  let best = { rows: 1, pitch: 0 }
  for (let rows = 1; rows <= ROWS; rows++) {
    const pitch = widestPitch(n, rows, width, height)
    if (pitch > best.pitch) best = { rows, pitch }
    if (pitch * FILLED >= FINE_SEAT * 2) break
  }
  const seatRadius = Math.max(0.5, Math.min(LARGEST_SEAT, (best.pitch * FILLED) / 2))
  const outer = outerRadius(n, best.rows, seatRadius, width, height)
  const pitch = Math.min(best.pitch, (seatRadius * 2) / FILLED)
  const radii = Array.from({ length: best.rows }, (_, k) => outer - k * pitch)
  const below = dip(n, best.rows, seatRadius, outer)
  const centre = { x: width / 2, y: (height + outer + seatRadius - below) / 2 }
  const seats = radii
    .flatMap((radius, k) => rowOf(share(n, radii, k), radius, centre))
    .sort((a, b) => a.angle - b.angle || b.radius - a.radius)
  return { width, height, seatRadius, seats, centre, hollow: radii[radii.length - 1] - seatRadius }
}

/** Returns how far the lowest seats reach below the base of the half circle. A single row stands half a step above it, see `rowOf`. */
function dip(n: number, rows: number, seatRadius: number, outer: number): number {
  return rows > 1 ? seatRadius : Math.max(0, seatRadius - outer * Math.sin(Math.PI / (2 * n)))
}

/** Returns the greatest radius of the outer row whose seats stay in the box. */
function outerRadius(n: number, rows: number, seatRadius: number, width: number, height: number): number {
  const least = height - 2 * seatRadius
  return Math.max(1, Math.min(width / 2 - seatRadius, height - seatRadius - dip(n, rows, seatRadius, least)))
}

/** Returns the greatest distance of neighbours at which `rows` rows hold `n` seats and leave the middle free. */
function widestPitch(n: number, rows: number, width: number, height: number): number {
  const tooWide = (pitch: number) => {
    const outer = outerRadius(n, rows, Math.min(LARGEST_SEAT, (pitch * FILLED) / 2), width, height)
    const inner = outer - (rows - 1) * pitch
    let room = 0
    for (let k = 0; k < rows; k++) room += Math.floor((Math.PI * (outer - k * pitch)) / pitch)
    return !(inner >= outer * HOLLOW && room >= n)
  }
  return halved(0, Math.max(width, height), 30, tooWide)[0]
}

/** Returns how many of `n` seats row `k` takes: in proportion to its length, so that all rows are equally dense. */
function share(n: number, radii: readonly number[], k: number): number {
  const all = radii.reduce((a, b) => a + b, 0)
  const upTo = (rows: number) => Math.round((n * radii.slice(0, rows).reduce((a, b) => a + b, 0)) / all)
  return upTo(k + 1) - upTo(k)
}

function rowOf(seats: number, radius: number, centre: { x: number; y: number }) {
  return Array.from({ length: seats }, (_, i) => {
    const angle = ((i + 0.5) / seats) * Math.PI
    return { x: centre.x - radius * Math.cos(angle), y: centre.y - radius * Math.sin(angle), angle, radius }
  })
}

export interface Seat {
  /** The stage the seat belongs to; -1 for a worker that has no seat. */
  readonly stage: number
  readonly filled: boolean
  /** For a seat that is not filled: the stage from which its worker will come, or -1. */
  readonly from: number
}

/** Returns the circles of seats: discs, or outlines within the radius of a seat. `colourOf` gives the colour of a stage, and of -1; empty seats are filled with `ground`. */
export function seatMarks(
  { seats: places, seatRadius }: ParliamentLayout,
  seats: readonly Seat[],
  colourOf: (stage: number) => string,
  ground: string,
) {
  const line = Math.max(1, seatRadius * 0.15)
  return seats.map(({ stage, filled }, i) => {
    const { x, y } = places[i]
    const colour = colourOf(stage)
    return {
      x,
      y,
      line,
      radius: filled ? seatRadius : seatRadius - line / 2,
      fill: filled ? colour : ground,
      stroke: filled ? null : colour,
    }
  })
}

/** Returns `n` seats, stage by stage, by targets or else by the staffed workers, who fill them; an empty seat waits for a worker from elsewhere. */
export function seatPlan(n: number, target: readonly number[], staffed: readonly number[]): Seat[] {
  const asked = target.some((seats) => seats > 0) ? target : staffed
  const excess = staffed.map((workers, stage) => Math.max(0, workers - asked[stage]))
  let source = 0
  const nextFrom = (): number => {
    while (source < excess.length && excess[source] === 0) source++
    if (source === excess.length) return -1
    excess[source]--
    return source
  }
  const seats: Seat[] = []
  asked.forEach((wanted, stage) => {
    for (let k = 0; k < wanted && seats.length < n; k++) {
      const filled = k < staffed[stage]
      seats.push({ stage, filled, from: filled ? -1 : nextFrom() })
    }
  })
  while (seats.length < n) seats.push({ stage: -1, filled: false, from: nextFrom() })
  return seats
}

/** The most dots of a half circle: more could not be distinguished. */
const MAX_DOTS = 256

/** Returns the dots for all workers, 1, 2 or 5 times a power of ten each. Borders between stages are rounded, so shares stay true. */
export function seatDots(workers: number, seats: readonly number[], staffed: readonly number[] = seats) {
  const each = seatsADot(workers)
  if (each === 1) return { each, dots: workers, seats, staffed }
  let upTo = 0
  const rounded = seats.map((n) => {
    const before = Math.round(upTo / each)
    upTo += n
    return Math.round(upTo / each) - before
  })
  // Rounded as what is missing or too many, so that a stage with all its workers is full.
  const there = staffed.map((n, stage) => Math.max(0, rounded[stage] + Math.round((n - seats[stage]) / each)))
  return { each, dots: Math.ceil(workers / each), seats: rounded, staffed: there }
}

function seatsADot(workers: number): number {
  for (let power = 1; ; power *= 10)
    for (const digit of [1, 2, 5]) if (workers <= MAX_DOTS * digit * power) return digit * power
}

/** Returns the seats of a policy as an SVG path a stage, in `order` from left to right; those of no stage (-1) come last. */
export function smallParliament(layout: ParliamentLayout, seats: readonly number[], order: readonly number[]) {
  let taken = 0
  const bloc = (stage: number, count: number) => {
    const places = layout.seats.slice(taken, taken + count)
    taken += places.length
    return { stage, seats: places.length, path: places.map(({ x, y }) => circlePath(x, y, layout.seatRadius)).join('') }
  }
  const blocs = order.map((stage) => bloc(stage, seats[stage]))
  return [...blocs, bloc(-1, layout.seats.length)].filter((each) => each.seats > 0)
}
