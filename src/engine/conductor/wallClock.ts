import type { Micros } from '../../scenario/model/scenario.ts'

/**
 * Returns the time in whole microseconds since 1970. The threads of a page agree within some ten microseconds, since each
 * adds its own `performance.now()` to its own origin. It never runs back, even if the system clock is set back.
 */
export function wallMicros(): Micros {
  return wallMicrosAt(performance.now())
}

/** Returns the same for a reading of this thread's `performance.now()`, in milliseconds. */
export function wallMicrosAt(instant: number): Micros {
  return Math.round((performance.timeOrigin + instant) * 1000)
}

/**
 * Returns by how much another thread's clock must be set forward to agree with ours: the least shift that puts its reading
 * between our question and its answer. Mostly 0.
 */
export function clockOffset(asked: Micros, theirs: Micros, heard: Micros): Micros {
  if (theirs < asked) return asked - theirs
  return theirs > heard ? heard - theirs : 0
}

/**
 * Converts the times of a batch to the run's clock, which began at `origin`, and fits them between `given` and `reported`.
 * The batch moves as a whole as far as there is room, so that services keep their length. Changes `ended` (by job, in the
 * order of work) in place and returns when the first job began.
 */
export function fitTimes(began: Micros, ended: Micros[], origin: Micros, given: Micros, reported: Micros): Micros {
  const room = reported - ((ended.at(-1) ?? began) - origin)
  const shift = origin - Math.min(room, Math.max(0, given - (began - origin)))
  const first = Math.max(given, began - shift)
  for (let k = 0; k < ended.length; k++) ended[k] = Math.max(first, ended[k] - shift)
  return first
}
