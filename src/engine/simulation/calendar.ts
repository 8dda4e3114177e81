import type { Micros } from '../../scenario/model/scenario.ts'

/**
 * The event calendar: at most one booking per worker, in a binary heap of worker numbers ordered by (time, worker), so that
 * the workers due at one instant come out by number.
 */
export interface Calendar {
  /** By worker, the time of its booking; Infinity: none. */
  readonly at: Float64Array
  readonly heap: Int32Array
  /** By worker, its position in the heap; -1: not booked. */
  readonly place: Int32Array
  length: number
}

export function createCalendar(workers: number): Calendar {
  return { at: new Float64Array(workers).fill(Infinity), heap: new Int32Array(workers), place: new Int32Array(workers).fill(-1), length: 0 }
}

/** Returns when the next booking is due; Infinity if there is none. */
export function nextDue(calendar: Calendar): Micros {
  return calendar.length === 0 ? Infinity : calendar.at[calendar.heap[0]]
}

/** Books a worker that has no booking. */
export function book(calendar: Calendar, worker: number, time: Micros): void {
  calendar.at[worker] = time
  rise(calendar, worker, calendar.length++)
}

/** Removes the first booking and returns its worker. */
export function takeDue(calendar: Calendar): number {
  const { heap, place, at } = calendar
  const worker = heap[0]
  place[worker] = -1
  at[worker] = Infinity
  const last = heap[--calendar.length]
  if (last !== worker) sink(calendar, last, 0)
  return worker
}

/** Removes a worker's booking, if there is one. */
export function cancel(calendar: Calendar, worker: number): void {
  const { place, heap, at } = calendar
  const hole = place[worker]
  if (hole < 0) return
  place[worker] = -1
  at[worker] = Infinity
  const last = heap[--calendar.length]
  if (last === worker) return
  sink(calendar, last, hole)
  if (place[last] === hole) rise(calendar, last, hole)
}

function rise({ at, heap, place }: Calendar, worker: number, from: number): void {
  const time = at[worker]
  let i = from
  while (i > 0) {
    const up = (i - 1) >> 1
    const other = heap[up]
    if (at[other] < time || (at[other] === time && other < worker)) break
    heap[i] = other
    place[other] = i
    i = up
  }
  heap[i] = worker
  place[worker] = i
}

function sink({ at, heap, place, length }: Calendar, worker: number, from: number): void {
  const time = at[worker]
  let i = from
  for (;;) {
    let down = 2 * i + 1
    if (down >= length) break
    const right = down + 1
    if (right < length && (at[heap[right]] < at[heap[down]] || (at[heap[right]] === at[heap[down]] && heap[right] < heap[down]))) down = right
    const other = heap[down]
    if (time < at[other] || (time === at[other] && worker < other)) break
    heap[i] = other
    place[other] = i
    i = down
  }
  heap[i] = worker
  place[worker] = i
}
