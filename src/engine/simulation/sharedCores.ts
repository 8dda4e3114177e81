import type { Micros } from '../../scenario/model/scenario.ts'
import { book, type Calendar, cancel, createCalendar, takeDue } from './calendar.ts'

/**
 * Burning workers that share fewer cores evenly. Instead of booking everybody anew whenever one comes or goes, one virtual
 * clock counts the work each of them has been given: it runs at the speed of the wall while there are cores enough, and at
 * cores / burning when not. Work of w microseconds begun at virtual time v ends at v + w, whatever happens in between.
 */
export interface SharedCores {
  cores: number
  readonly calendar: Calendar
  virtual: number
  wall: Micros
}

/** What rounding may have taken off the virtual clock: far below the microsecond that the wall counts in. */
const SLACK = 0.01

export function createSharedCores(cores: number, workers: number): SharedCores {
  return { cores, calendar: createCalendar(workers), virtual: 0, wall: 0 }
}

/** Lets both clocks go on to `wall`. */
export function passTime(shared: SharedCores, wall: Micros): void {
  shared.virtual += (wall - shared.wall) * speed(shared)
  shared.wall = wall
}

/** A worker begins to burn `work` microseconds at the present. */
export function burn(shared: SharedCores, worker: number, work: Micros): void {
  book(shared.calendar, worker, shared.virtual + work)
}

/** A worker stops burning before it is through. */
export function stopBurning(shared: SharedCores, worker: number): void {
  cancel(shared.calendar, worker)
}

/** When, by the wall, the next worker is through if nobody comes or goes; Infinity if nobody burns. */
export function nextThrough(shared: SharedCores): Micros {
  const { calendar } = shared
  if (calendar.length === 0) return Infinity
  const left = calendar.at[calendar.heap[0]] - shared.virtual
  return shared.wall + Math.max(0, Math.ceil((left - SLACK) / speed(shared)))
}

/** The workers that are through at the present, appended to `workers`. */
export function takeThrough(shared: SharedCores, workers: number[]): void {
  const { calendar } = shared
  while (calendar.length > 0 && calendar.at[calendar.heap[0]] - shared.virtual < SLACK) workers.push(takeDue(calendar))
}

function speed({ cores, calendar }: SharedCores): number {
  return calendar.length > cores ? cores / calendar.length : 1
}
