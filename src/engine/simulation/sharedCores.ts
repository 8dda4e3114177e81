import type { Micros } from '../../scenario/model/scenario.ts'
import { Calendar } from './calendar.ts'

/**
 * Burning workers that share fewer cores evenly. One virtual clock counts the work that each of them gets done: it runs at
 * the speed of the wall clock while there are enough cores, and at cores / burning otherwise. Work of w microseconds that
 * begins at virtual time v ends at v + w, so nothing is booked again when a worker comes or goes.
 */
export interface SharedCores {
  cores: number
  readonly calendar: Calendar
  /** Workers that burn. */
  burning: number
  virtual: number
  wall: Micros
}

/** The rounding error of the virtual clock is below this, which is far below the microsecond of the wall clock. */
const SLACK = 0.01

export function createSharedCores(cores: number, workers: number): SharedCores {
  return { cores, calendar: new Calendar(workers), burning: 0, virtual: 0, wall: 0 }
}

/** Moves both clocks on to `wall`. */
export function passTime(shared: SharedCores, wall: Micros): void {
  shared.virtual += (wall - shared.wall) * speed(shared)
  shared.wall = wall
}

/** A worker begins to burn `work` microseconds now. */
export function burn(shared: SharedCores, worker: number, work: Micros): void {
  shared.calendar.set(worker, shared.virtual + work)
  shared.burning++
}

/** A worker stops burning before its work is done. */
export function stopBurning(shared: SharedCores, worker: number): void {
  if (shared.calendar.cancel(worker)) shared.burning--
}

/** Returns when, on the wall clock, the next worker is done if none comes or goes; Infinity if none burns. */
export function nextDone(shared: SharedCores): Micros {
  const { calendar } = shared
  if (shared.burning === 0) return Infinity
  const left = calendar.next - shared.virtual
  return shared.wall + Math.max(0, Math.ceil((left - SLACK) / speed(shared)))
}

/** Appends the workers that are done now to `workers`. */
export function takeDone(shared: SharedCores, workers: number[]): void {
  const { calendar } = shared
  for (; calendar.next - shared.virtual < SLACK; shared.burning--) workers.push(calendar.take())
}

function speed({ cores, burning }: SharedCores): number {
  return burning > cores ? cores / burning : 1
}
