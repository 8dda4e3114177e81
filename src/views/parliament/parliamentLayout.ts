/** Where a seat stands, in pixels from the corner of the picture. Angle 0 is far left, PI far right. */
export interface SeatPlace {
  readonly x: number
  readonly y: number
  readonly angle: number
}

export interface ParliamentLayout {
  readonly width: number
  readonly height: number
  readonly seatRadius: number
  /** Seats from left to right, as a parliament is read: by angle, in one angle from the outer row inwards. */
  readonly seats: readonly SeatPlace[]
  /** The middle of the half circle's foot. */
  readonly centre: { readonly x: number; readonly y: number }
  /** The radius that is free for the number in the middle. */
  readonly hollow: number
}

const LARGEST_SEAT = 11
/** Seats this large are large enough: no second row for the sake of larger ones. */
const FINE_SEAT = 8
/** Of the way from one seat's middle to the next, how much is seat: 22 pixels of 34. */
const FILLED = 0.68
const ROWS = 12
/** The part of the radius that is kept free for the number and its caption. */
const HOLLOW = 0.62

/**
 * Seats `n` (1 to 256) in concentric half rows in a box. Of one to twelve rows it takes the number that gives the
 * largest seats while the inner part of the half circle stays free for the number in the middle.
 */
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
    .map(({ x, y, angle }): SeatPlace => ({ x, y, angle }))
  return { width, height, seatRadius, seats, centre, hollow: radii[radii.length - 1] - seatRadius }
}

/** How far the lowest seats reach below the foot of the half circle. In one row they stand half a step above it, see `rowOf`. */
function dip(n: number, rows: number, seatRadius: number, outer: number): number {
  return rows > 1 ? seatRadius : Math.max(0, seatRadius - outer * Math.sin(Math.PI / (2 * n)))
}

/** The greatest radius of the outer row whose seats stay in the box. */
function outerRadius(n: number, rows: number, seatRadius: number, width: number, height: number): number {
  const least = height - 2 * seatRadius
  return Math.max(1, Math.min(width / 2 - seatRadius, height - seatRadius - dip(n, rows, seatRadius, least)))
}

/** The greatest distance of neighbours at which `rows` rows hold `n` seats and leave the inner part free. */
function widestPitch(n: number, rows: number, width: number, height: number): number {
  let low = 0
  let high = Math.max(width, height)
  for (let step = 0; step < 30; step++) {
    const pitch = (low + high) / 2
    const outer = outerRadius(n, rows, Math.min(LARGEST_SEAT, (pitch * FILLED) / 2), width, height)
    const inner = outer - (rows - 1) * pitch
    let room = 0
    for (let k = 0; k < rows; k++) room += Math.floor((Math.PI * (outer - k * pitch)) / pitch)
    if (inner >= outer * HOLLOW && room >= n) low = pitch
    else high = pitch
  }
  return low
}

/** How many of n seats row k takes: as its length is to the length of all rows, so that all rows are as dense. */
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

/** What a seat shows. */
export interface Seat {
  /** The stage the seat belongs to; -1 for a worker that has no seat. */
  readonly stage: number
  /** Is a worker of that stage's post on it? */
  readonly filled: boolean
  /** On a seat that is not filled: the stage where the worker that is to take it still stands, or -1. */
  readonly from: number
}

/**
 * Who sits where: `n` seats, stage by stage in line order. A stage has as many as its target; those its posted workers
 * fill are filled, the others wait, each for a worker that stands somewhere beyond that stage's target. What is left of
 * the n belongs to no stage. Without any target the posted workers are the target.
 */
export function seatPlan(n: number, target: readonly number[], posted: readonly number[]): Seat[] {
  const asked = target.some((seats) => seats > 0) ? target : posted
  const excess = posted.map((workers, stage) => Math.max(0, workers - asked[stage]))
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
      const filled = k < posted[stage]
      seats.push({ stage, filled, from: filled ? -1 : nextFrom() })
    }
  })
  while (seats.length < n) seats.push({ stage: -1, filled: false, from: nextFrom() })
  return seats
}
