import { type Rows, rowTime, TICK } from '../pipeline/rows.ts'
import { isElastic } from '../scenario/model/defaults.ts'
import { MAX_TICKS } from '../scenario/model/limits.ts'
import type { Micros, Scenario } from '../scenario/model/scenario.ts'

/** When the controllers of an elastic policy are asked: every `every` from time 0 on. Each time is one tick. */
export interface ControllerClock {
  every: Micros
  /** The time of the next tick; Infinity after the last that a run may have. */
  next: Micros
  ticks: number
  /** When something other than a tick last happened. */
  lastActivity: Micros
}

/** A run in which only ticks can follow is stuck after this much time without another row. */
const IDLE_LIMIT: Micros = 10_000_000

/** Returns null if the policy has no controllers. */
export function createControllerClock({ policy }: Scenario): ControllerClock | null {
  return isElastic(policy) ? { every: policy.every, next: 0, ticks: 0, lastActivity: 0 } : null
}

/** Moves on after a tick at `now`. A late engine skips the ticks that it has missed. */
export function advanceControllerClock(clock: ControllerClock, now: Micros): void {
  clock.ticks++
  clock.next = clock.ticks < MAX_TICKS ? (Math.floor(now / clock.every) + 1) * clock.every : Infinity
}

/** Sets the period, which counts from time 0 too. A tick that is due by now still comes. */
export function changePeriod(clock: ControllerClock, every: Micros, now: Micros): void {
  clock.every = every
  if (clock.next > now && clock.next < Infinity) clock.next = (Math.floor(now / every) + 1) * every
}

/** Takes note of the rows of an instant, which are those from `from` on. */
export function noteActivity(clock: ControllerClock, rows: Rows, from: number): void {
  if (rows.length - from > 1 || rows.kind[from] !== TICK) clock.lastActivity = rowTime(rows, from)
}

/** Returns whether ticks have brought nothing for so long that the run is stuck. Ask only where nothing but ticks can follow. */
export function isIdle(clock: ControllerClock, now: Micros): boolean {
  return clock.next === Infinity || now - clock.lastActivity >= IDLE_LIMIT
}
