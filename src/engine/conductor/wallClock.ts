import type { Micros } from '../../scenario/model/scenario.ts'

/**
 * The time in whole microseconds since 1970. All threads of a page tell it alike within some ten microseconds, since each
 * adds its own `performance.now()` to its own origin; and it never runs back, whatever happens to the machine's calendar.
 */
export function wallMicros(): Micros {
  return wallMicrosAt(performance.now())
}

/** The same for an instant of this thread's `performance.now()`, in milliseconds. */
export function wallMicrosAt(instant: number): Micros {
  return Math.round((performance.timeOrigin + instant) * 1000)
}

/**
 * By how much another thread's clock must be set forward to agree with ours: the least shift that puts its reading between
 * our asking and our hearing. 0 for clocks that agree, which is the rule.
 */
export function clockOffset(asked: Micros, theirs: Micros, heard: Micros): Micros {
  if (theirs < asked) return asked - theirs
  return theirs > heard ? heard - theirs : 0
}

/**
 * Sets the times of a batch, given by a wall clock, on the run's, which began at `origin`, and into the window in which it
 * must have been worked on: not reported before the last job ended, nor begun before it was given. A batch is moved as a whole as
 * far as the window has room, so that services stay as long as they were. `ended` is by job in the order of work and changed in place;
 * each job began when the one before it ended. Returns when the first began.
 */
export function fitTimes(began: Micros, ended: Micros[], origin: Micros, given: Micros, reported: Micros): Micros {
  const room = reported - ((ended.at(-1) ?? began) - origin)
  const shift = origin - (room < 0 ? room : Math.min(room, Math.max(0, given - (began - origin))))
  const first = Math.max(given, began - shift)
  for (let k = 0; k < ended.length; k++) ended[k] = Math.max(k === 0 ? first : ended[k - 1], ended[k] - shift)
  return first
}
